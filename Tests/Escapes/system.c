#define _GNU_SOURCE
#include <linux/bpf.h>
#include <linux/io_uring.h>
#include <linux/perf_event.h>
#include <mqueue.h>
#include <sys/ioctl.h>
#include <sys/klog.h>
#include <sys/mount.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/swap.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/timex.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "attempts.h"

static char memory[4096];

static long talk(void) { return socket(AF_INET, SOCK_STREAM, 0); }
static long talk6(void) { return socket(AF_INET6, SOCK_DGRAM, 0); }
static long talk_here(void) { return socket(AF_UNIX, SOCK_STREAM, 0); }
static long talk_to_kernel(void) { return socket(AF_NETLINK, SOCK_RAW, 0); }
static long talk_to_self(void) {
  int both[2];
  return socketpair(AF_UNIX, SOCK_STREAM, 0, both);
}
// Any descriptor 0 will do: a confined process is rejected before the kernel checks it.
static long connect_abstract(void) {
  struct sockaddr_un address = {AF_UNIX, "\0lectern"};
  return connect(0, (struct sockaddr *)&address, sizeof address);
}
static long bind_abstract(void) {
  struct sockaddr_un address = {AF_UNIX, "\0lectern"};
  return bind(0, (struct sockaddr *)&address, sizeof address);
}
static long send_something(void) { return sendto(0, memory, 1, 0, NULL, 0); }
static long send_descriptor(void) { return sendmsg(0, &(struct msghdr){0}, 0); }
static long receive_descriptor(void) { return recvmsg(0, &(struct msghdr){0}, 0); }
static long make_pipe(void) {
  int both[2];
  return pipe(both);
}
static long splice_pipe(void) { return syscall(SYS_splice, 0, NULL, 1, NULL, 0, 0); }

static long get_shared_memory(void) { return shmget(IPC_PRIVATE, 4096, 0600); }
static long remove_shared_memory(void) { return shmctl(0, IPC_RMID, NULL); }
static long list_shared_memory(void) {
  struct shmid_ds facts;
  return shmctl(0, SHM_INFO, &facts);
}
static long attach_shared_memory(void) { return (long)shmat(0, NULL, 0) == -1 ? -1 : 0; }
static long get_semaphores(void) { return semget(IPC_PRIVATE, 1, 0600); }
static long remove_semaphores(void) { return semctl(0, 0, IPC_RMID); }
static long get_queue(void) { return msgget(IPC_PRIVATE, 0600); }
static long remove_queue(void) { return msgctl(0, IPC_RMID, NULL); }
static long open_queue(void) { return syscall(SYS_mq_open, "escape", 0, 0600, NULL); }
static long remove_named_queue(void) { return syscall(SYS_mq_unlink, "escape"); }

static long set_up_ring(void) {
  struct io_uring_params parameters = {0};
  return syscall(SYS_io_uring_setup, 1, &parameters);
}
static long enter_ring(void) { return syscall(SYS_io_uring_enter, 0, 0, 0, 0, NULL, 0); }
static long set_up_old_ring(void) { return syscall(SYS_io_setup, 1, memory); }
static long run_in_kernel(void) {
  union bpf_attr attributes = {0};
  return syscall(SYS_bpf, BPF_MAP_CREATE, &attributes, sizeof attributes);
}
static long count_events(void) {
  struct perf_event_attr attributes = {.size = sizeof attributes};
  return syscall(SYS_perf_event_open, &attributes, 0, -1, -1, 0);
}
static long catch_faults(void) { return syscall(SYS_userfaultfd, 0); }
static long use_keys(void) { return syscall(SYS_keyctl, 0, -3, 0, 0, 0); }
static long add_key(void) { return syscall(SYS_add_key, "user", "escape", "x", 1, -3); }
static long request_key(void) { return syscall(SYS_request_key, "user", "escape", NULL, -3); }
static long be_woken(void) { return syscall(SYS_timer_create, CLOCK_REALTIME, NULL, memory); }
static long make_event(void) { return syscall(SYS_eventfd2, 0, 0); }
static long make_barrier(void) { return syscall(SYS_membarrier, 0, 0, 0); }

static long mount_something(void) { return mount("none", "/tmp", "tmpfs", 0, NULL); }
static long unmount(void) { return umount2("/nowhere", 0); }
static long change_root(void) { return chroot("/tmp"); }
static long turn_root(void) { return syscall(SYS_pivot_root, "/nowhere", "/nowhere"); }
static long open_tree_of(void) { return syscall(SYS_open_tree, -100, "/", 0); }
static long open_file_system(void) { return syscall(SYS_fsopen, "tmpfs", 0); }
static long list_mounts(void) { return syscall(458, memory, memory, 8, 0); }  // listmount

static long type_into_terminal(void) { return ioctl(0, TIOCSTI, "x"); }
static long signal_by_ioctl(void) { return ioctl(0, FIOASYNC, &(int){1}); }
static long own_by_ioctl(void) { return ioctl(0, FIOSETOWN, &server); }
static long look_into_terminal(void) { return ioctl(0, TIOCLINUX, memory); }
static long read_log(void) { return klogctl(10, NULL, 0); }
static long account(void) { return acct("/nowhere"); }
static long rename_host(void) { return syscall(SYS_sethostname, NULL, 1); }
static long set_clock(void) { return syscall(SYS_settimeofday, NULL, NULL); }
static long set_clock_of(void) { return syscall(SYS_clock_settime, 0, NULL); }
static long adjust_clock(void) { return adjtimex(&(struct timex){0}); }
static long restart(void) { return syscall(SYS_reboot, 0, 0, 0, NULL); }
static long load_kernel(void) { return syscall(SYS_kexec_load, 0, 0, NULL, 0xFFFF); }
static long load_module(void) { return syscall(SYS_init_module, NULL, 0, NULL); }
static long stop_swapping(void) { return swapoff("/nowhere"); }
static long set_quota(void) { return syscall(SYS_quotactl, 0, NULL, 0, NULL); }
static long stop_terminal(void) { return vhangup(); }

const struct attempt on_system[] = {
    {"socket", talk},
    {"socket-ipv6", talk6},
    {"socket-unix", talk_here},
    {"socket-netlink", talk_to_kernel},
    {"socketpair", talk_to_self},
    {"connect-abstract", connect_abstract},
    {"bind-abstract", bind_abstract},
    {"sendto", send_something},
    {"sendmsg", send_descriptor},
    {"recvmsg", receive_descriptor},
    {"pipe", make_pipe},
    {"splice", splice_pipe},
    {"shmget", get_shared_memory},
    {"shmctl-remove", remove_shared_memory},
    {"shmctl-list", list_shared_memory},
    {"shmat", attach_shared_memory},
    {"semget", get_semaphores},
    {"semctl-remove", remove_semaphores},
    {"msgget", get_queue},
    {"msgctl-remove", remove_queue},
    {"mq_open", open_queue},
    {"mq_unlink", remove_named_queue},
    {"io_uring_setup", set_up_ring},
    {"io_uring_enter", enter_ring},
    {"io_setup", set_up_old_ring},
    {"bpf", run_in_kernel},
    {"perf_event_open", count_events},
    {"userfaultfd", catch_faults},
    {"keyctl", use_keys},
    {"add_key", add_key},
    {"request_key", request_key},
    {"timer_create", be_woken},
    {"eventfd", make_event},
    {"membarrier", make_barrier},
    {"mount", mount_something},
    {"umount", unmount},
    {"chroot", change_root},
    {"pivot_root", turn_root},
    {"open_tree", open_tree_of},
    {"fsopen", open_file_system},
    {"listmount", list_mounts},
    {"ioctl-TIOCSTI", type_into_terminal},
    {"ioctl-FIOASYNC", signal_by_ioctl},
    {"ioctl-FIOSETOWN", own_by_ioctl},
    {"ioctl-TIOCLINUX", look_into_terminal},
    {"syslog", read_log},
    {"acct", account},
    {"sethostname", rename_host},
    {"settimeofday", set_clock},
    {"clock_settime", set_clock_of},
    {"adjtimex", adjust_clock},
    {"reboot", restart},
    {"kexec_load", load_kernel},
    {"init_module", load_module},
    {"swapoff", stop_swapping},
    {"quotactl", set_quota},
    {"vhangup", stop_terminal},
    {NULL, NULL},
};
