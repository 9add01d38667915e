// A list of calls to refuse, not of calls to allow: the libraries of the press make many kinds of
// harmless ones, and other ones after an update. What reaches out of the process is listed here.
#define _GNU_SOURCE
#include "filter.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(__x86_64__)
#define OWN_ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define OWN_ARCHITECTURE AUDIT_ARCH_AARCH64
#else
#error "The filter of system calls is written for x86-64 and arm64."
#endif

static const int refused[] = {
    // Talking to others.
    SYS_socket, SYS_socketpair, SYS_connect, SYS_bind, SYS_listen, SYS_accept, SYS_accept4,
    SYS_sendto, SYS_sendmsg, SYS_sendmmsg, SYS_recvfrom, SYS_recvmsg, SYS_recvmmsg, SYS_shmget,
    SYS_shmat, SYS_msgget, SYS_semget, SYS_mq_open, SYS_memfd_create,
    // Other programs and processes.
    SYS_execve, SYS_execveat, SYS_ptrace, SYS_process_vm_readv, SYS_process_vm_writev,
    SYS_rt_sigqueueinfo, SYS_rt_tgsigqueueinfo, SYS_pidfd_open, SYS_pidfd_getfd,
    SYS_pidfd_send_signal, SYS_process_madvise, SYS_kcmp, SYS_setpriority, SYS_sched_setscheduler,
    SYS_sched_setattr, SYS_migrate_pages, SYS_move_pages,
    // The names and properties of files, which Landlock does not guard.
    SYS_fchmod, SYS_fchmodat, SYS_fchown, SYS_fchownat, SYS_truncate, SYS_linkat, SYS_symlinkat,
    SYS_unlinkat, SYS_renameat2, SYS_mkdirat, SYS_mknodat, SYS_utimensat, SYS_setxattr,
    SYS_lsetxattr, SYS_fsetxattr, SYS_removexattr, SYS_lremovexattr, SYS_fremovexattr,
    SYS_inotify_init1, SYS_fanotify_init, SYS_name_to_handle_at, SYS_open_by_handle_at,
    // The system.
    SYS_mount, SYS_umount2, SYS_pivot_root, SYS_chroot, SYS_unshare, SYS_setns, SYS_open_tree,
    SYS_move_mount, SYS_fsopen, SYS_fsconfig, SYS_fsmount, SYS_fspick, SYS_bpf,
    SYS_perf_event_open, SYS_io_uring_setup, SYS_io_uring_enter, SYS_io_uring_register,
    SYS_keyctl, SYS_add_key, SYS_request_key, SYS_userfaultfd, SYS_kexec_load, SYS_init_module,
    SYS_finit_module, SYS_delete_module, SYS_reboot, SYS_swapon, SYS_swapoff, SYS_syslog, SYS_acct,
    SYS_settimeofday, SYS_clock_settime, SYS_clock_adjtime, SYS_adjtimex, SYS_quotactl,
    SYS_personality, SYS_sethostname, SYS_setdomainname, SYS_setuid, SYS_setgid, SYS_setresuid,
    SYS_setresgid, SYS_setreuid, SYS_setregid, SYS_setgroups, SYS_capset,
#if defined(__x86_64__)
    SYS_fork, SYS_vfork, SYS_creat, SYS_chmod, SYS_chown, SYS_lchown, SYS_link, SYS_symlink,
    SYS_unlink, SYS_rename, SYS_mkdir, SYS_rmdir, SYS_mknod, SYS_utime, SYS_utimes, SYS_futimesat,
    SYS_inotify_init, SYS_kexec_file_load, SYS_iopl, SYS_ioperm, SYS_modify_ldt, SYS_renameat,
#endif
};

#define CODE_MAX 512
#define ARGUMENT(n) offsetof(struct seccomp_data, args[n])  // Its low half: little-endian.
#define LOAD(at) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (at))
#define RETURN(what) BPF_STMT(BPF_RET | BPF_K, (what))
#define REFUSE(error) RETURN(SECCOMP_RET_ERRNO | (error))
#define IF_EQUAL(value, then, other) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (value), (then), (other))
#define IF_ANY(bits, then, other) BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, (bits), (then), (other))

// A program in the making. What does not fit is counted and makes the whole fail.
struct program {
  struct sock_filter code[CODE_MAX];
  unsigned short length;
};

static void add(struct program *program, struct sock_filter instruction) {
  if (program->length < CODE_MAX) program->code[program->length] = instruction;
  program->length++;
}

// The call fails with an error.
static void refuse(struct program *program, int call, int error) {
  add(program, (struct sock_filter)IF_EQUAL((unsigned)call, 0, 1));
  add(program, (struct sock_filter)REFUSE(error));
}

// The call fails if an argument has any of some bits, or (unless) if it has none of them.
static void refuse_bits(struct program *program, int call, int argument, unsigned bits, int error,
                        int unless) {
  add(program, (struct sock_filter)IF_EQUAL((unsigned)call, 0, 4));
  add(program, (struct sock_filter)LOAD(ARGUMENT(argument)));
  add(program, (struct sock_filter)IF_ANY(bits, unless ? 1 : 0, unless ? 0 : 1));
  add(program, (struct sock_filter)REFUSE(error));
  add(program, (struct sock_filter)RETURN(SECCOMP_RET_ALLOW));
}

// The call fails unless its first argument is this process, or 0 where that means the same.
static void refuse_others(struct program *program, int call, int zero) {
  unsigned self = (unsigned)getpid();
  add(program, (struct sock_filter)IF_EQUAL((unsigned)call, 0, 5));
  add(program, (struct sock_filter)LOAD(ARGUMENT(0)));
  add(program, (struct sock_filter)IF_EQUAL(self, 2, 0));
  add(program, (struct sock_filter)IF_EQUAL(zero ? 0 : self, 1, 0));
  add(program, (struct sock_filter)REFUSE(EPERM));
  add(program, (struct sock_filter)RETURN(SECCOMP_RET_ALLOW));
}

int lectern_filter_calls(void) {
  static struct program program;
  add(&program, (struct sock_filter)LOAD(offsetof(struct seccomp_data, arch)));
  add(&program, (struct sock_filter)IF_EQUAL(OWN_ARCHITECTURE, 1, 0));
  add(&program, (struct sock_filter)RETURN(SECCOMP_RET_KILL_PROCESS));
  add(&program, (struct sock_filter)LOAD(offsetof(struct seccomp_data, nr)));
#if defined(__x86_64__)
  // The calls of x32 have this bit, and are the same calls.
  add(&program, (struct sock_filter)IF_ANY(0x40000000, 0, 1));
  add(&program, (struct sock_filter)RETURN(SECCOMP_RET_KILL_PROCESS));
#endif
  for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
    refuse(&program, refused[i], EPERM);
  // Files: for reading only, even where there is no Landlock. openat2 hides its flags.
  unsigned writing = O_WRONLY | O_RDWR | O_CREAT | O_TRUNC | O_APPEND;
  refuse_bits(&program, SYS_openat, 2, writing, EACCES, 0);
  refuse(&program, SYS_openat2, ENOSYS);
#if defined(__x86_64__)
  refuse_bits(&program, SYS_open, 1, writing, EACCES, 0);
#endif
  // Threads, but no processes. clone3 hides its flags; without it the C library uses clone.
  refuse_bits(&program, SYS_clone, 0, CLONE_THREAD, EPERM, 1);
  refuse(&program, SYS_clone3, ENOSYS);
  // No new machine code: nothing that is read here is to be run.
  refuse_bits(&program, SYS_mmap, 2, PROT_EXEC, EPERM, 0);
  refuse_bits(&program, SYS_mprotect, 2, PROT_EXEC, EPERM, 0);
  refuse(&program, SYS_pkey_mprotect, EPERM);
  refuse(&program, SYS_ioctl, ENOTTY);
  refuse_others(&program, SYS_kill, 0);
  refuse_others(&program, SYS_tgkill, 0);
  refuse(&program, SYS_tkill, EPERM);
  refuse_others(&program, SYS_prlimit64, 1);
  add(&program, (struct sock_filter)RETURN(SECCOMP_RET_ALLOW));
  if (program.length > CODE_MAX) {
    errno = E2BIG;
    return -1;
  }
  struct sock_fprog filter = {program.length, program.code};
  return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &filter) ? -1 : 0;
}
