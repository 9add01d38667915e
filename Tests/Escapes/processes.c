#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/sched.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "attempts.h"

static char memory[4096];

static long signal_server(void) { return kill(server, 0); }
static long signal_all(void) { return kill(-1, 0); }
static long signal_self(void) { return kill(getpid(), 0); }
static long signal_thread(void) { return syscall(SYS_tgkill, server, server, 0); }
static long signal_old(void) { return syscall(SYS_tkill, server, 0); }
static long queue_signal(void) {
  siginfo_t info = {.si_code = SI_QUEUE};
  return syscall(SYS_rt_sigqueueinfo, server, 0, &info);
}
static long queue_thread_signal(void) {
  siginfo_t info = {.si_code = SI_QUEUE};
  return syscall(SYS_rt_tgsigqueueinfo, server, server, 0, &info);
}
static long abort_server(void) { return syscall(SYS_tgkill, server, server, SIGABRT); }
static long get_descriptor_of(void) { return syscall(SYS_pidfd_open, server, 0); }
static long signal_by_descriptor(void) { return syscall(SYS_pidfd_send_signal, 0, 0, NULL, 0); }
static long steal_descriptor(void) { return syscall(SYS_pidfd_getfd, 0, 0, 0); }
static long own_pipe(void) { return fcntl(0, F_SETOWN, server); }
static long own_pipe_ex(void) {
  struct f_owner_ex owner = {F_OWNER_PID, server};
  return fcntl(0, F_SETOWN_EX, &owner);
}
static long choose_signal(void) { return fcntl(0, F_SETSIG, SIGKILL); }
static long signal_on_data(void) { return fcntl(0, F_SETFL, O_ASYNC); }
static long signal_on_change(void) { return fcntl(3, F_NOTIFY, 0); }
static long widen_pipe(void) { return fcntl(0, F_SETPIPE_SZ, 1 << 20); }

static long trace_server(void) { return ptrace(PTRACE_ATTACH, server, 0, 0); }
static long be_traced(void) { return ptrace(PTRACE_TRACEME, 0, 0, 0); }
static long copy(int call) {
  struct iovec own = {memory, sizeof memory};
  return syscall(call, server, &own, 1, &own, 1, 0);
}
static long read_memory(void) { return copy(SYS_process_vm_readv); }
static long write_memory(void) { return copy(SYS_process_vm_writev); }
static long advise_memory(void) { return syscall(SYS_process_madvise, 0, NULL, 0, 0, 0); }
static long reap_memory(void) { return syscall(448, 0, 0); }  // process_mrelease
static long compare(void) { return syscall(SYS_kcmp, server, getpid(), 0, 0, 0); }
static long move_to_nodes(void) { return syscall(SYS_migrate_pages, server, 0, NULL, NULL); }
static long move_pages_of(void) { return syscall(SYS_move_pages, server, 0, NULL, NULL, NULL, 0); }

static long change_priority(void) { return setpriority(PRIO_PROCESS, (id_t)server, 5); }
static long change_own_priority(void) { return setpriority(PRIO_PROCESS, 0, 5); }
static long change_schedule(void) {
  struct sched_param none = {0};
  return sched_setscheduler(server, SCHED_OTHER, &none);
}
static long change_own_schedule(void) {
  struct sched_param none = {0};
  return sched_setscheduler(0, SCHED_BATCH, &none);
}
static long change_parameters(void) {
  struct sched_param none = {0};
  return sched_setparam(server, &none);
}
static long change_attributes(void) { return syscall(SYS_sched_setattr, server, memory, 0); }
static long change_cores(void) {
  cpu_set_t all;
  CPU_SET(0, &all);
  return sched_setaffinity(server, sizeof all, &all);
}
static long change_disk_priority(void) { return syscall(SYS_ioprio_set, 1, server, 0); }
static long change_limits_of(void) {
  struct rlimit limit = {8, 8};
  return prlimit(server, RLIMIT_CORE, &limit, NULL);
}
static long read_limits_of(void) {
  struct rlimit limit;
  return prlimit(server, RLIMIT_CORE, NULL, &limit);
}

static long execute(void) {
  char *arguments[] = {"/bin/true", NULL};
  return execve(arguments[0], arguments, arguments + 1);
}
static long execute_descriptor(void) {
  char *none[] = {NULL};
  return syscall(SYS_execveat, 3, "", none, none, AT_EMPTY_PATH);
}
static long make_process(void) {
  long child = syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
  if (child == 0) _exit(0);
  return child;
}
static long make_process_by_fork(void) {
  pid_t child = fork();
  if (child == 0) _exit(0);
  return child;
}
static long make_process_by_vfork(void) {
#if defined(SYS_vfork)
  return syscall(SYS_vfork);
#else
  errno = ENOSYS;
  return -1;
#endif
}
static long make_process_by_clone3(void) {
  struct clone_args arguments = {.exit_signal = SIGCHLD};
  long child = syscall(SYS_clone3, &arguments, sizeof arguments);
  if (child == 0) _exit(0);
  return child;
}

// The first rejected attempt ends the series.
static long many(long (*make)(void), int count) {
  int made = 0;
  while (made < count && make() != -1) made++;
  return made > 0 ? 0 : -1;
}
static char stack[1 << 16];
static int live(void *unused) {
  (void)unused;
  for (;;) pause();
}
static long make_thread(void) {
  int flags = CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD | CLONE_SYSVSEM;
  return clone(live, stack + sizeof stack, flags, NULL);
}
static long make_many_threads(void) { return many(make_thread, 20000); }
static long make_many_processes(void) { return many(make_process, 100); }

static long join_other_session(void) { return setsid(); }
static long join_other_group(void) { return setpgid(0, 0); }
static long wait_for_any(void) {
  siginfo_t info;
  return syscall(SYS_waitid, P_ALL, 0, &info, WNOHANG | WEXITED, NULL);
}

const struct attempt on_processes[] = {
    {"signal-server", signal_server},
    {"signal-everybody", signal_all},
    {"kill-self", signal_self},
    {"tgkill-server", signal_thread},
    {"tgkill-server-abort", abort_server},
    {"tkill-server", signal_old},
    {"sigqueue-server", queue_signal},
    {"tgsigqueue-server", queue_thread_signal},
    {"pidfd_open", get_descriptor_of},
    {"pidfd_send_signal", signal_by_descriptor},
    {"pidfd_getfd", steal_descriptor},
    {"fcntl-owner", own_pipe},
    {"fcntl-owner-ex", own_pipe_ex},
    {"fcntl-signal", choose_signal},
    {"fcntl-async", signal_on_data},
    {"fcntl-notify", signal_on_change},
    {"fcntl-pipe-size", widen_pipe},
    {"ptrace-server", trace_server},
    {"ptrace-me", be_traced},
    {"process_vm_readv", read_memory},
    {"process_vm_writev", write_memory},
    {"process_madvise", advise_memory},
    {"process_mrelease", reap_memory},
    {"kcmp", compare},
    {"migrate_pages", move_to_nodes},
    {"move_pages", move_pages_of},
    {"setpriority-server", change_priority},
    {"setpriority-self", change_own_priority},
    {"sched_setscheduler-server", change_schedule},
    {"sched_setscheduler-self", change_own_schedule},
    {"sched_setparam", change_parameters},
    {"sched_setattr", change_attributes},
    {"sched_setaffinity", change_cores},
    {"ioprio_set", change_disk_priority},
    {"prlimit-server", change_limits_of},
    {"prlimit-server-read", read_limits_of},
    {"exec", execute},
    {"exec-descriptor", execute_descriptor},
    {"clone-process", make_process},
    {"fork", make_process_by_fork},
    {"vfork", make_process_by_vfork},
    {"clone3", make_process_by_clone3},
    {"clone-thread", make_thread},
    {"20000-threads", make_many_threads},
    {"fork-bomb", make_many_processes},
    {"setsid", join_other_session},
    {"setpgid", join_other_group},
    {"waitid", wait_for_any},
    {NULL, NULL},
};
