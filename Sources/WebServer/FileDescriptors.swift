internal import Glibc
internal import Synchronization

/// The division of the process's file descriptors.
struct FileDescriptors {
  /// Descriptors for the database, the presses and everything else.
  private static let reserve = 96
  /// The maximum number of files that stay open while they are sent.
  private static let filesMax = 256

  /// The maximum number of connections, including those without a request yet.
  let connections: Int
  /// The maximum number of files that stay open while they are sent.
  let files: Int

  /// Raises the soft limit if necessary and divides the available descriptors.
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

  /// Divides a number of descriptors.
  init(connections wanted: Int, of limit: Int) {
    let room = max(2, limit - min(Self.reserve, limit / 3))
    files = min(Self.filesMax, room / 4)
    connections = max(1, min(wanted, room - files))
  }
}

/// The number of files that all servers of the process have open because they are sending them.
final class OpenFiles: Sendable {
  private let limit: Int
  private let number = Mutex(0)

  var count: Int { number.withLock { $0 } }

  init(limit: Int) { self.limit = limit }

  /// Counts one more file; returns false at the limit.
  func claim() -> Bool {
    number.withLock { number in
      guard number < limit else { return false }
      number += 1
      return true
    }
  }

  func giveBack() { number.withLock { $0 -= 1 } }
}
