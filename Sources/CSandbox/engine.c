// Runs the engine that lays out books, in a confinement of its own, under a guardian. That is a
// process that starts the engine with its first message, and that ends it and removes its folder
// when the process that sends the messages ends, however that happens.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <grp.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "CSandbox.h"
#include "parts.h"

// The user and the group of the engine if the guardian is root: those of nobody.
enum { NOBODY = 65534 };

static void complain(const char *what) {
  dprintf(2, "lectern-press: the layout engine cannot start: %s: %s\n", what, strerror(errno));
}

// The folders in which a private folder can be, in order of preference.
static const char *const folders[] = {"/tmp", "/var/tmp", "/dev/shm"};

static int make_folder(char *path, size_t size) {
  for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
    int end = snprintf(path, size, "%s/lectern-engine-", folders[i]);
    // mkdtemp replaces six of this letter.
    memset(path + end, 'X', 6);
    path[end + 6] = 0;
    if (mkdtemp(path)) return 0;
  }
  return -1;
}

static int remove_entry(const char *path, const struct stat *facts, int kind, struct FTW *place) {
  (void)facts, (void)kind, (void)place;
  remove(path);
  return 0;
}

static void write_text(const char *path, const char *text) {
  int file = open(path, O_WRONLY | O_CLOEXEC);
  if (file < 0) return;
  // A failure shows when the engine creates its first file.
  ssize_t written = write(file, text, strlen(text));
  (void)written;
  close(file);
}

// Leaves the network behind, where the system permits that. The filter denies sockets anyway.
static void leave_network(void) {
  if (geteuid() == 0) {
    if (unshare(CLONE_NEWNET | CLONE_NEWIPC)) (void)unshare(CLONE_NEWNET);
    return;
  }
  char users[64], groups[64];
  snprintf(users, sizeof users, "%u %u 1", geteuid(), geteuid());
  snprintf(groups, sizeof groups, "%u %u 1", getegid(), getegid());
  if (unshare(CLONE_NEWUSER | CLONE_NEWNET)) return;
  write_text("/proc/self/setgroups", "deny");
  write_text("/proc/self/uid_map", users);
  write_text("/proc/self/gid_map", groups);
}

static int become_nobody(const char *folder) {
  if (geteuid() != 0) return 0;
  if (chown(folder, NOBODY, NOBODY) || setgroups(0, NULL)) return -1;
  return setresgid(NOBODY, NOBODY, NOBODY) || setresuid(NOBODY, NOBODY, NOBODY) ? -1 : 0;
}

static int limit(const struct lectern_engine *engine) {
  struct rlimit data = {engine->memory, engine->memory}, none = {0, 0};
  struct rlimit time = {engine->seconds, engine->seconds};
  struct rlimit files = {1024, 1024}, growth = {engine->memory, engine->memory};
  // Not the address space: the engine reserves terabytes of it.
  if (setrlimit(RLIMIT_DATA, &data) || setrlimit(RLIMIT_CPU, &time)) return -1;
  if (setrlimit(RLIMIT_FSIZE, &growth)) return -1;
  return setrlimit(RLIMIT_CORE, &none) || setrlimit(RLIMIT_NOFILE, &files) ? -1 : 0;
}

// Becomes the engine, with descriptors 3 and 4 as its pipes. Returns only after a failure.
static void become_engine(const struct lectern_engine *engine, const char *folder, int in,
                          int out) {
  leave_network();
  if (become_nobody(folder)) return complain("setresuid");
  if (chdir(folder)) return complain(folder);
  if (limit(engine)) return complain("setrlimit");
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)) return complain("prctl");
  if (lectern_restrict_engine_files(folder) < 0) return complain("landlock");
  if (lectern_drop_privileges()) return complain("capset");
  if (lectern_filter_engine_calls()) return complain("seccomp");
  // Both numbers are above 4; see lectern_prepare_engine.
  int nothing = open("/dev/null", O_RDWR);
  if (nothing < 0 || dup2(nothing, 0) < 0 || dup2(nothing, 1) < 0) return complain("/dev/null");
  if (dup2(in, 3) < 0 || dup2(out, 4) < 0) return complain("dup2");
  syscall(SYS_close_range, 5, ~0U, 0);
  char home[128], temporary[128], cache[128], data[160];
  snprintf(home, sizeof home, "HOME=%s", folder);
  snprintf(temporary, sizeof temporary, "TMPDIR=%s", folder);
  snprintf(cache, sizeof cache, "XDG_CACHE_HOME=%s", folder);
  snprintf(data, sizeof data, "--user-data-dir=%s/data", folder);
  char *const environment[] = {home, temporary, cache, "LANG=C.UTF-8", "TZ=UTC", NULL};
  char *const arguments[] = {
      (char *)engine->program, "--remote-debugging-pipe", "--no-sandbox", "--no-zygote",
      "--disable-gpu", "--disable-software-rasterizer", "--disable-dev-shm-usage",
      "--disable-background-networking", "--disable-breakpad", "--disable-extensions",
      "--disable-logging", "--font-render-hinting=none", "--no-first-run", data, NULL};
  execve(engine->program, arguments, environment);
  complain(engine->program);
}

// Kills the descendants of this process, to which the system gives those whose parents have ended.
static void kill_descendants(void) {
  for (int round = 0; round < 1000; round++) {
    FILE *list = fopen("/proc/thread-self/children", "re");
    int child;
    while (list && fscanf(list, "%d", &child) == 1) kill(child, SIGKILL);
    if (list) fclose(list);
    if (waitpid(-1, NULL, 0) < 0 && errno == ECHILD) return;
    while (waitpid(-1, NULL, WNOHANG) > 0) {}
  }
}

static void close_all_but(int one, int other) {
  int kept[] = {2, one < other ? one : other, one < other ? other : one};
  lectern_close_others(kept, 3);
}

// Waits until the engine has ended, or nobody is left who could send it a message.
static void watch(pid_t child, int in) {
  int process = (int)syscall(SYS_pidfd_open, child, 0);
  struct pollfd ends[] = {{in, 0, 0}, {process, POLLIN, 0}};
  while (poll(ends, 2, process < 0 ? 1000 : -1) <= 0) {
    if (process < 0 && waitpid(child, NULL, WNOHANG) == child) break;
  }
}

static void guard(const struct lectern_engine *engine, int in, int out) {
  close_all_but(in, out);
  setpgid(0, 0);
  prctl(PR_SET_NAME, "lectern-engine");
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  for (int number = 1; number < NSIG; number++) signal(number, SIG_DFL);
  // A service manager sends these to all processes of a group; the end of the pipe ends this one.
  signal(SIGINT, SIG_IGN), signal(SIGTERM, SIG_IGN), signal(SIGHUP, SIG_IGN);
  struct pollfd message = {in, POLLIN, 0};
  while (poll(&message, 1, -1) < 0 && errno == EINTR) {}
  if (!(message.revents & POLLIN)) _exit(0);
  char folder[64];
  if (make_folder(folder, sizeof folder)) {
    complain("no folder can be made in /tmp, /var/tmp or /dev/shm");
    _exit(1);
  }
  pid_t child = fork();
  if (child == 0) {
    become_engine(engine, folder, in, out);
    _exit(1);
  }
  close(out);
  if (child > 0) {
    watch(child, in);
    kill(child, SIGKILL);
  }
  kill_descendants();
  nftw(folder, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
  _exit(0);
}

int lectern_prepare_engine(const struct lectern_engine *engine, int *to, int *from) {
  int down[2], up[2];
  if (pipe2(down, O_CLOEXEC)) return -1;
  if (pipe2(up, O_CLOEXEC)) return -1;
  int *ends[] = {&down[0], &down[1], &up[0], &up[1]};
  for (int i = 0; i < 4; i++) {
    int high = fcntl(*ends[i], F_DUPFD_CLOEXEC, 20);
    if (high < 0) return -1;
    close(*ends[i]);
    *ends[i] = high;
  }
  pid_t pid = fork();
  if (pid < 0) return -1;
  if (pid == 0) {
    guard(engine, down[0], up[1]);
    _exit(0);
  }
  close(down[0]);
  close(up[1]);
  (*to = down[1]), (*from = up[0]);
  return 0;
}
