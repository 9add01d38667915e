internal import CSpawn
internal import Glibc

/// A press could not be started; the reason is the message of the system.
struct SpawnFailure: Error, Equatable, CustomStringConvertible {
  let reason: String

  init(_ call: String, _ code: Int32) {
    reason = "\(call): \(SystemError(code).reason)"
  }

  var description: String { reason }
}

/// A system call failed.
package struct SystemError: Error, Equatable {
  /// The message of the system, beginning with a small letter, to follow a colon.
  package let reason: String

  init(reason: String) { self.reason = reason }

  package init(_ code: Int32) {
    var buffer = [CChar](repeating: 0, count: 256)
    let isKnown = strerror_r(code, &buffer, buffer.count) == 0
    let bytes = buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:))
    let text = isKnown ? String(decoding: bytes, as: UTF8.self) : "error \(code)"
    reason = text.prefix(1).lowercased() + text.dropFirst()
  }
}

extension PressProcess {
  /// Creates a pipe and returns its ends for reading and writing, with numbers above those that
  /// become 0, 1, 2 and 3.
  static func makePipe() throws(SpawnFailure) -> [Int32] {
    var low: [Int32] = [-1, -1]
    guard pipe2(&low, O_CLOEXEC) == 0 else { throw SpawnFailure("pipe", errno) }
    let high = low.map { fcntl($0, F_DUPFD_CLOEXEC, 16) }
    let code = errno
    for end in low { close(end) }
    guard high.allSatisfy({ $0 >= 0 }) else {
      for end in high where end >= 0 { close(end) }
      throw SpawnFailure("fcntl", code)
    }
    return high
  }

  /// Starts a program with these descriptors as 0, 1, 2, and so on.
  ///
  /// The program inherits no other descriptor and almost no environment, and every signal has its
  /// default action.
  static func spawn(
    _ program: String,
    _ arguments: [String],
    descriptors: [Int32]
  ) throws(SpawnFailure) -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for (number, descriptor) in descriptors.enumerated() {
      posix_spawn_file_actions_adddup2(&actions, descriptor, Int32(number))
    }
    posix_spawn_file_actions_addclosefrom_np(&actions, Int32(descriptors.count))

    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    sigfillset(&signals)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))

    let environment = ["LANG=C.UTF-8", "MALLOC_ARENA_MAX=2", "SWIFT_BACKTRACE=enable=no"]
    var pid: pid_t = 0
    let code = withCStrings([program] + arguments) { arguments in
      withCStrings(environment) { environment in
        posix_spawn(&pid, program, &actions, &attributes, arguments, environment)
      }
    }
    guard code == 0 else { throw SpawnFailure(program, code) }
    return pid
  }

  /// Calls the body with a null-terminated list of C strings.
  private static func withCStrings<Value>(
    _ strings: [String],
    _ body: ([UnsafeMutablePointer<CChar>?]) -> Value
  ) -> Value {
    let copies = strings.map { strdup($0) }
    defer { for copy in copies { free(copy) } }
    return body(copies + [nil])
  }
}
