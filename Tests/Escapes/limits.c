// Attempts to relax the confinement from inside.
#define _GNU_SOURCE
#include <linux/capability.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "attempts.h"

static long raise_limit(__rlimit_resource_t which) {
  struct rlimit limit;
  if (getrlimit(which, &limit)) return -1;
  return setrlimit(which, &limit);
}
static long change_memory_limit(void) { return raise_limit(RLIMIT_AS); }
static long change_descriptor_limit(void) { return raise_limit(RLIMIT_NOFILE); }
static long change_file_limit(void) { return raise_limit(RLIMIT_FSIZE); }
static long grow_memory(void) {
  return mmap(NULL, 64UL << 30, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0) ==
                 MAP_FAILED
             ? (errno = EPERM, -1)
             : 0;
}
static long be_dumpable(void) { return prctl(PR_SET_DUMPABLE, 1, 0, 0, 0); }
static long outlive_server(void) { return prctl(PR_SET_PDEATHSIG, 0, 0, 0, 0); }
static long allow_tracer(void) { return prctl(PR_SET_PTRACER, -1L, 0, 0, 0); }
static long adopt_orphans(void) { return prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); }
static long change_memory_map(void) { return prctl(PR_SET_MM, PR_SET_MM_BRK, 0, 0, 0); }
static long keep_capabilities(void) { return prctl(PR_SET_KEEPCAPS, 1, 0, 0, 0); }
static long change_speculation(void) { return prctl(PR_GET_SPECULATION_CTRL, 0, 0, 0, 0); }
static long filter_calls(void) {
  return syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &(uint32_t){0});
}
static long change_user(void) { return syscall(SYS_setuid, getuid()); }
static long change_groups(void) { return syscall(SYS_setgroups, 0, NULL); }
static long take_capabilities(void) {
  struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
  struct __user_cap_data_struct data[2];
  return syscall(SYS_capget, &header, data);
}
static long set_capabilities(void) {
  struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
  struct __user_cap_data_struct none[2] = {{0}};
  return syscall(SYS_capset, &header, none);
}
static long leave_namespaces(void) { return unshare(CLONE_NEWUSER); }
static long join_namespace(void) { return setns(0, 0); }
static long change_personality(void) { return syscall(SYS_personality, 0xFFFFFFFF); }
static long ignore_time_limit(void) { return signal(SIGXCPU, SIG_IGN) == SIG_ERR ? -1 : 0; }
static long catch_traps(void) { return signal(SIGSYS, SIG_IGN) == SIG_ERR ? -1 : 0; }

static long map_code(void) {
  return mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) ==
                 MAP_FAILED
             ? -1
             : 0;
}
static long make_code(void) {
  void *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return mprotect(page, 4096, PROT_READ | PROT_EXEC);
}
static long make_code_with_key(void) {
  void *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return syscall(SYS_pkey_mprotect, page, 4096, PROT_READ | PROT_EXEC, -1);
}
static long change_own_code(void) {
  uintptr_t page = (uintptr_t)&change_own_code & ~4095UL;
  return mprotect((void *)page, 4096, PROT_READ | PROT_WRITE | PROT_EXEC);
}
static long poison_memory(void) {
  void *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return madvise(page, 4096, MADV_MERGEABLE);
}
static long take_huge_pages(void) {
  const int kind = MAP_PRIVATE | MAP_ANONYMOUS | MAP_HUGETLB;
  return mmap(NULL, 2 << 20, PROT_READ, kind, -1, 0) == MAP_FAILED ? -1 : 0;
}
static long lock_memory(void) { return mlockall(MCL_FUTURE); }

// System calls by the numbers of other architectures, for which the kernel kills the process.
static long call_x32(void) { return syscall(0x40000000 | 39); }
static long call_386(void) {
#if defined(__x86_64__)
  long result;
  __asm__ volatile("int $0x80" : "=a"(result) : "a"(20) : "memory", "r8", "r9", "r10", "r11");
  return result;
#else
  raise(SIGKILL);
  return 0;
#endif
}
static long call_unknown(void) { return syscall(1023); }

const struct attempt on_limits[] = {
    {"limit-of-memory", change_memory_limit},
    {"limit-of-descriptors", change_descriptor_limit},
    {"limit-of-files", change_file_limit},
    {"64-gigabytes", grow_memory},
    {"prctl-dumpable", be_dumpable},
    {"prctl-outlive-server", outlive_server},
    {"prctl-ptracer", allow_tracer},
    {"prctl-subreaper", adopt_orphans},
    {"prctl-memory-map", change_memory_map},
    {"prctl-keep-capabilities", keep_capabilities},
    {"prctl-speculation", change_speculation},
    {"seccomp", filter_calls},
    {"setuid", change_user},
    {"setgroups", change_groups},
    {"capget", take_capabilities},
    {"capset", set_capabilities},
    {"unshare", leave_namespaces},
    {"setns", join_namespace},
    {"personality", change_personality},
    {"ignore-limit-of-time", ignore_time_limit},
    {"ignore-traps", catch_traps},
    {"map-code", map_code},
    {"turn-data-into-code", make_code},
    {"turn-data-into-code-with-key", make_code_with_key},
    {"change-own-code", change_own_code},
    {"madvise-mergeable", poison_memory},
    {"map-huge-pages", take_huge_pages},
    {"mlockall", lock_memory},
#if defined(__x86_64__)
    {"killed-for-x32", call_x32},
    {"killed-for-386", call_386},
#endif
    {"unknown-call", call_unknown},
    {NULL, NULL},
};
