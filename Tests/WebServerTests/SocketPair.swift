import Glibc

/// Two connected sockets, of which one is sent to.
final class SocketPair {
  let near: Int32
  private let far: Int32
  private var isFarOpen = true

  init() {
    var pair: [Int32] = [-1, -1]
    socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &pair)
    (near, far) = (pair[0], pair[1])
    var size: Int32 = 4096
    setsockopt(near, SOL_SOCKET, SO_SNDBUF, &size, socklen_t(MemoryLayout<Int32>.size))
  }

  deinit {
    close(near)
    breakUp()
  }

  /// Closes the other end.
  func breakUp() {
    if isFarOpen { close(far) }
    isFarOpen = false
  }

  /// Sends until nothing more is accepted.
  func fill() {
    let bytes = [UInt8](repeating: 0, count: 4096)
    while send(near, bytes, bytes.count, Int32(MSG_DONTWAIT)) > 0 {}
  }

  /// Returns what has arrived at the other end.
  func received() -> [UInt8] {
    var all: [UInt8] = []
    var part = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = recv(far, &part, part.count, Int32(MSG_DONTWAIT))
      guard count > 0 else { return all }
      all += part.prefix(count)
    }
  }
}
