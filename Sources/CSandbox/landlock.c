// The headers of a system may be older than its kernel, so values that they may lack are written as
// numbers here.
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/landlock.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "parts.h"

// The accesses that a kernel with a given ABI is to deny unless a rule allows them.
struct handled {
  uint64_t files, ports, scopes;
};

static size_t handled_by(int abi, struct handled *handled) {
  // All file access rights of this ABI. Rights that later ABIs add are not known here.
  int bits = abi == 1 ? 13 : abi == 2 ? 14 : abi < 5 ? 15 : 16;
  handled->files = (1ULL << bits) - 1;
  handled->ports = 3;   // Binding and connecting of TCP sockets: since 4.
  handled->scopes = 3;  // Abstract sockets and signals: since 6.
  return abi < 4 ? 8 : abi < 6 ? 16 : 24;
}

static int version(void) {
  return (int)syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
}

int lectern_open_rules(void) {
  int abi = version();
  if (abi < 1) return -2;
  struct handled handled;
  size_t size = handled_by(abi, &handled);
  int rules = (int)syscall(SYS_landlock_create_ruleset, &handled, size, 0);
  return rules < 0 ? -1 : rules;
}

int lectern_allow_files(int rules, const char *path, uint64_t access) {
  struct handled handled;
  handled_by(version(), &handled);
  struct landlock_path_beneath_attr rule = {0};
  rule.parent_fd = open(path, O_PATH | O_CLOEXEC);
  if (rule.parent_fd < 0) return 0;  // Not every system has every folder.
  struct stat facts;
  rule.allowed_access = access & handled.files;
  // The kernel rejects rights that only a folder can have for anything else.
  const uint64_t file = LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_READ_FILE |
                        LANDLOCK_ACCESS_FS_WRITE_FILE;
  if (fstat(rule.parent_fd, &facts) || !S_ISDIR(facts.st_mode)) rule.allowed_access &= file;
  int added = syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
  close(rule.parent_fd);
  return added;
}

int lectern_apply_rules(int rules) {
  // From ABI 7 on, a kernel with auditing logs each denial, so a process could fill the log.
  unsigned unlogged = version() < 7 ? 0 : 1;
  int done = syscall(SYS_landlock_restrict_self, rules, unlogged);
  close(rules);
  return done;
}

int lectern_restrict_files(const char *const *readable, size_t count) {
  int rules = lectern_open_rules();
  if (rules < 0) return rules == -2 ? 1 : -1;
  const uint64_t reading = LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR;
  for (size_t i = 0; i < count; i++)
    if (lectern_allow_files(rules, readable[i], reading) < 0) return -1;
  return lectern_apply_rules(rules);
}
