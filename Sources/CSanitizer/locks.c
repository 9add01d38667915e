// Informs the thread sanitizer when a Mutex of Swift is locked and unlocked.
//
// The fast paths of a Mutex are compiled into the program and instrumented with it. The slow paths,
// for a Mutex that another thread holds, are in Swift's own library, which is not instrumented: the
// sanitizer would report consecutive accesses by two threads as a race. These functions replace
// those of the library, call them and inform the sanitizer.
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>

void __tsan_acquire(void *address);
void __tsan_release(void *address);

#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define TRY_LOCK "$s15Synchronization12_MutexHandleV12_tryLockSlowSbyF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"
#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context))

SWIFT void lectern_lock(uint32_t thread, SELF void *mutex) __asm__(LOCK);
SWIFT _Bool lectern_try_lock(SELF void *mutex) __asm__(TRY_LOCK);
SWIFT void lectern_unlock(SELF void *mutex) __asm__(UNLOCK);

SWIFT void lectern_lock(uint32_t thread, SELF void *mutex) {
  typedef SWIFT void lock(uint32_t, SELF void *);
  ((lock *)dlsym(RTLD_NEXT, LOCK))(thread, mutex);
  __tsan_acquire(mutex);
}

SWIFT _Bool lectern_try_lock(SELF void *mutex) {
  typedef SWIFT _Bool try_lock(SELF void *);
  _Bool is_locked = ((try_lock *)dlsym(RTLD_NEXT, TRY_LOCK))(mutex);
  if (is_locked) __tsan_acquire(mutex);
  return is_locked;
}

SWIFT void lectern_unlock(SELF void *mutex) {
  typedef SWIFT void unlock(SELF void *);
  __tsan_release(mutex);
  ((unlock *)dlsym(RTLD_NEXT, UNLOCK))(mutex);
}
#endif
#endif
