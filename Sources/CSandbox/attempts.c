#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "CSandbox.h"

// What a call that makes a descriptor came to: 0, or the errno of its refusal.
static int opened(int descriptor) {
  if (descriptor < 0) return errno;
  close(descriptor);
  return 0;
}

static int executed(void) {
  char *arguments[] = {"/bin/true", NULL}, *environment[] = {NULL};
  execve(arguments[0], arguments, environment);
  return errno;  // It returns only when refused.
}

static int forked(void) {
  pid_t child = fork();
  if (child == 0) _exit(0);
  return child < 0 ? errno : 0;
}

int lectern_try(lectern_attempt attempt) {
  switch (attempt) {
    case LECTERN_OPEN_FILE:
      return opened(open("/etc/passwd", O_RDONLY));
    case LECTERN_LIST_FOLDER:
      return opened(open("/", O_RDONLY | O_DIRECTORY));
    case LECTERN_CREATE_FILE:
      return opened(open("/tmp/press-proof", O_WRONLY | O_CREAT, 0600));
    case LECTERN_CHANGE_FILE:
      return chmod("/tmp", 01777) ? errno : 0;
    case LECTERN_SOCKET:
      return opened(socket(AF_INET, SOCK_STREAM, 0));
    case LECTERN_EXECUTE:
      return executed();
    case LECTERN_FORK:
      return forked();
    case LECTERN_SIGNAL:
      return kill(getppid(), 0) ? errno : 0;
    case LECTERN_TRACE:
      return ptrace(PTRACE_ATTACH, getppid(), 0, 0) ? errno : 0;
    default:
      return EINVAL;
  }
}
