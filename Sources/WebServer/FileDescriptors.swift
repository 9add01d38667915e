internal import Glibc

/// The process's right to open files, shared out.
struct FileDescriptors {
  /// What the database, the presses and whatever else is open takes.
  private static let reserve = 96
  /// How many files may stay open while they are sent.
  private static let filesMax = 256

  /// How many connections fit, those that have not asked for anything yet among them.
  let connections: Int
  /// How many files may stay open while they are sent.
  let files: Int

  /// Raises the soft limit if need be, and shares out what is there.
  init(connections wanted: Int) {
    var limit = rlimit()
    let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    guard getrlimit(resource, &limit) == 0 else {
      self.init(connections: wanted, of: .max)
      return
    }
    let all = rlim_t(clamping: wanted) + rlim_t(Self.filesMax + Self.reserve)
    if limit.rlim_cur < all {
      limit.rlim_cur = min(all, limit.rlim_max)
      _ = setrlimit(resource, &limit)
    }
    self.init(connections: wanted, of: Int(clamping: limit.rlim_cur))
  }

  /// Shares out so many descriptors.
  init(connections wanted: Int, of limit: Int) {
    let room = max(2, limit - min(Self.reserve, limit / 3))
    files = min(Self.filesMax, room / 4)
    connections = max(1, min(wanted, room - files))
  }

  /// A descriptor that can be given up to take one connection more, and hang up on it.
  static func spare() -> Int32 { open("/dev/null", O_RDONLY | O_CLOEXEC) }
}

/// How many files are open because they are sent.
final class OpenFiles {
  private let limit: Int
  private(set) var count = 0

  init(limit: Int) { self.limit = limit }

  /// Counts one more; false when there are as many as may be.
  func take() -> Bool {
    guard count < limit else { return false }
    count += 1
    return true
  }

  func giveBack() { count -= 1 }
}
