#define _GNU_SOURCE
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

#include "attempts.h"

#define DOCUMENT 3  // The descriptor of the document, open for reading.

static struct stat facts;
static char buffer[4096];

static long own_open(const char *path, int flags) {
  return syscall(SYS_openat, AT_FDCWD, path, flags, 0600);
}
static const char *of_server(const char *name) {
  snprintf(buffer, sizeof buffer, "/proc/%d/%s", server, name);
  return buffer;
}

static long open_passwd(void) { return own_open("/etc/passwd", O_RDONLY); }
static long open_folder(void) { return own_open(victim, O_RDONLY | O_DIRECTORY); }
static long open_root(void) { return own_open("/", O_RDONLY | O_DIRECTORY); }
static long open_path(void) { return own_open("/etc/passwd", O_PATH); }
static long open_own_memory(void) { return own_open("/proc/self/mem", O_RDWR); }
static long read_own_maps(void) { return own_open("/proc/self/maps", O_RDONLY); }
static long open_server_memory(void) { return own_open(of_server("mem"), O_RDONLY); }
static long read_server_environment(void) { return own_open(of_server("environ"), O_RDONLY); }
static long open_terminal(void) { return own_open("/dev/tty", O_RDWR); }
static long reopen_document(void) { return own_open("/proc/self/fd/3", O_RDWR); }
static long create_file(void) { return own_open("/tmp/escape-proof", O_WRONLY | O_CREAT); }
static long create_nameless_file(void) { return own_open("/tmp", O_TMPFILE | O_RDWR); }
static long open_by_openat2(void) {
  struct { unsigned long long flags, mode, resolve; } how = {0};
  return syscall(SYS_openat2, AT_FDCWD, "/etc/passwd", &how, sizeof how);
}

static long stat_passwd(void) { return stat("/etc/passwd", &facts); }
static long stat_folder(void) { return stat(victim, &facts); }
static long lstat_folder(void) { return lstat(victim, &facts); }
static long statx_passwd(void) {
  return syscall(SYS_statx, AT_FDCWD, "/etc/passwd", 0, 0x7FF, buffer);
}
static long access_passwd(void) { return access("/etc/passwd", F_OK); }
static long access_for_writing(void) { return access("/usr/share/fonts", W_OK); }
static long read_link(void) { return readlink("/proc/self/exe", buffer, sizeof buffer); }
static long find_own_folder(void) { return syscall(SYS_getcwd, buffer, sizeof buffer); }
static long change_folder(void) { return chdir("/"); }
static long ask_file_system(void) { return syscall(SYS_statfs, "/", buffer); }

static long change_mode(void) { return chmod(victim, 0700); }
static long change_mode_of_document(void) { return fchmod(DOCUMENT, 0600); }
static long change_mode_fchmodat2(void) { return syscall(452, AT_FDCWD, victim, 0700, 0); }
static long change_owner(void) { return chown(victim, getuid(), getgid()); }
static long set_attribute(void) { return syscall(SYS_setxattr, victim, "user.x", "x", 1, 0); }
static long set_attribute_of_document(void) {
  return syscall(SYS_fsetxattr, DOCUMENT, "user.x", "x", 1, 0);
}
static long set_attribute_setxattrat(void) {
  struct { unsigned long long value; unsigned size, flags; } arguments = {0, 1, 0};
  arguments.value = (unsigned long long)"x";
  return syscall(463, AT_FDCWD, victim, 0, "user.x", &arguments, sizeof arguments);
}
static long get_attribute(void) {
  return syscall(SYS_getxattr, victim, "user.x", buffer, sizeof buffer);
}
static long list_attributes(void) { return syscall(SYS_listxattr, victim, buffer, sizeof buffer); }
static long get_file_attributes(void) { return syscall(468, AT_FDCWD, victim, buffer, 24, 0); }
static long set_file_attributes(void) { return syscall(469, AT_FDCWD, victim, buffer, 24, 0); }
static long change_times(void) { return utimensat(AT_FDCWD, victim, NULL, 0); }
static long change_times_of_document(void) { return futimens(DOCUMENT, NULL); }
static long truncate_file(void) { return truncate(victim, 0); }
static long truncate_document(void) { return ftruncate(DOCUMENT, 0); }
static long allocate(void) { return syscall(SYS_fallocate, DOCUMENT, 0, 0, 1); }
static long delete(void) { return unlink("/tmp/escape-proof"); }
static long rename_file(void) { return rename("/tmp/escape-proof", "/tmp/escape-proof-2"); }
static long link_document(void) {
  return linkat(AT_FDCWD, "/proc/self/fd/3", AT_FDCWD, "/tmp/escape-proof", AT_SYMLINK_FOLLOW);
}
static long make_link(void) { return symlink("/", "/tmp/escape-link"); }
static long make_folder(void) { return mkdir("/tmp/escape-folder", 0700); }
static long make_pipe(void) { return mknod("/tmp/escape-pipe", S_IFIFO | 0600, 0); }
static long get_handle(void) {
  struct { unsigned bytes; int type; char handle[128]; } handle = {128};
  int mount;
  return syscall(SYS_name_to_handle_at, AT_FDCWD, "/", &handle, &mount, 0);
}
static long open_handle(void) { return syscall(SYS_open_by_handle_at, AT_FDCWD, buffer, O_RDONLY); }
static long watch(void) { return inotify_init1(0); }
static long watch_all(void) { return syscall(SYS_fanotify_init, 0, 0); }
static long lock_document(void) { return flock(DOCUMENT, LOCK_EX | LOCK_NB); }
static long lock_range(void) {
  struct flock range = {.l_type = F_RDLCK};
  return fcntl(DOCUMENT, F_SETLK, &range);
}
static long lease_document(void) { return fcntl(DOCUMENT, F_SETLEASE, F_RDLCK); }
static long make_memory_file(void) { return memfd_create("escape", 0); }
static long write_everything_out(void) { sync(); return syscall(SYS_sync) == 0 ? 0 : -1; }
static long map_to_execute(void) {
  return mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, DOCUMENT, 0) == MAP_FAILED ? -1 : 0;
}

const struct attempt on_files[] = {
    {"open-passwd", open_passwd},
    {"list-data-folder", open_folder},
    {"list-root", open_root},
    {"open-path-only", open_path},
    {"open-own-memory", open_own_memory},
    {"read-own-maps", read_own_maps},
    {"open-server-memory", open_server_memory},
    {"read-server-environment", read_server_environment},
    {"open-terminal", open_terminal},
    {"reopen-document-for-writing", reopen_document},
    {"create-file", create_file},
    {"create-nameless-file", create_nameless_file},
    {"openat2", open_by_openat2},
    {"stat-passwd", stat_passwd},
    {"stat-data-folder", stat_folder},
    {"lstat-data-folder", lstat_folder},
    {"statx-passwd", statx_passwd},
    {"access-passwd", access_passwd},
    {"access-fonts-for-writing", access_for_writing},
    {"read-link", read_link},
    {"getcwd", find_own_folder},
    {"chdir", change_folder},
    {"statfs", ask_file_system},
    {"chmod", change_mode},
    {"fchmod-document", change_mode_of_document},
    {"fchmodat2", change_mode_fchmodat2},
    {"chown", change_owner},
    {"setxattr", set_attribute},
    {"fsetxattr-document", set_attribute_of_document},
    {"setxattrat", set_attribute_setxattrat},
    {"getxattr", get_attribute},
    {"listxattr", list_attributes},
    {"file_getattr", get_file_attributes},
    {"file_setattr", set_file_attributes},
    {"utimensat", change_times},
    {"futimens-document", change_times_of_document},
    {"truncate", truncate_file},
    {"ftruncate-document", truncate_document},
    {"fallocate", allocate},
    {"unlink", delete},
    {"rename", rename_file},
    {"link-document", link_document},
    {"symlink", make_link},
    {"mkdir", make_folder},
    {"mknod", make_pipe},
    {"name_to_handle_at", get_handle},
    {"open_by_handle_at", open_handle},
    {"inotify", watch},
    {"fanotify", watch_all},
    {"flock-document", lock_document},
    {"fcntl-lock-document", lock_range},
    {"fcntl-lease-document", lease_document},
    {"memfd_create", make_memory_file},
    {"sync", write_everything_out},
    {"map-document-to-execute", map_to_execute},
    {NULL, NULL},
};
