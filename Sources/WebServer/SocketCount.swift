internal import Glibc

/// Who holds how many sockets.
struct SocketCount {
  private var peers: [OpaquePointer: (key: UInt64, address: String)] = [:]
  private var counts: [UInt64: Int] = [:]

  func admits(_ peer: UInt64, limits: ServerOptions.Limits) -> Bool {
    peers.count < limits.connections && counts[peer, default: 0] < limits.connectionsPerAddress
  }

  /// How many there are.
  var count: Int { peers.count }

  /// The address at the other end, in numbers.
  func address(of socket: OpaquePointer) -> String { peers[socket]?.address ?? "" }

  mutating func add(_ socket: OpaquePointer, of peer: UInt64, at address: String) {
    peers[socket] = (peer, address)
    counts[peer, default: 0] += 1
  }

  mutating func remove(_ socket: OpaquePointer) {
    guard let peer = peers.removeValue(forKey: socket)?.key, let count = counts[peer] else {
      return
    }
    counts[peer] = count > 1 ? count - 1 : nil
  }
}

/// The process's right to open files.
enum FileDescriptors {
  /// Raises the soft limit if need be, and gives how many connections fit below it.
  ///
  /// Without that, a listener that cannot accept would stay readable and keep the thread spinning.
  static func allowance(for connections: Int) -> Int {
    let reserve = 64
    var limit = rlimit()
    let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    guard getrlimit(resource, &limit) == 0 else { return connections }
    let wanted = rlim_t(connections + reserve)
    if limit.rlim_cur < wanted {
      limit.rlim_cur = min(wanted, limit.rlim_max)
      _ = setrlimit(resource, &limit)
    }
    return min(connections, max(1, Int(clamping: limit.rlim_cur) - reserve))
  }
}
