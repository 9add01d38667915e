internal import Glibc

/// Tells the service manager that started the process how it is (sd_notify(3)).
///
/// Without a manager, which would have named its socket in the environment, it does nothing.
package struct ServiceManager: Sendable {
  /// The states that a manager knows.
  package enum State: Sendable {
    /// The server accepts connections.
    case ready
    /// The server reads its keys again; ``ready`` follows.
    case reloading
    /// The server stops.
    case stopping
  }

  /// The path of the manager's socket; in the abstract namespace if it begins with `@`.
  private let socket: String

  /// Takes the socket from an environment; nil if there is no manager.
  package init?(environment: [String: String]) {
    guard let socket = environment["NOTIFY_SOCKET"], socket.hasPrefix("/") || socket.hasPrefix("@")
    else { return nil }
    self.socket = socket
  }

  /// Tells a state; a manager that does not listen is ignored.
  package func tell(_ state: State) {
    switch state {
    case .ready: send("READY=1\nSTATUS=Serving the library")
    case .reloading:
      var now = timespec()
      clock_gettime(CLOCK_MONOTONIC, &now)
      let microseconds = Int(now.tv_sec) &* 1_000_000 &+ Int(now.tv_nsec) / 1000
      send("RELOADING=1\nMONOTONIC_USEC=\(microseconds)")
    case .stopping: send("STOPPING=1")
    }
  }

  private func send(_ text: String) {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    var path = Array(socket.utf8)
    if path.first == UInt8(ascii: "@") { path[0] = 0 }
    let room = MemoryLayout.size(ofValue: address.sun_path)
    guard path.count < room else { return }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path) }
    let file = Glibc.socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard file >= 0 else { return }
    defer { close(file) }
    // A manager that does not read must not hold up the server.
    let offset = MemoryLayout<sockaddr_un>.offset(of: \.sun_path) ?? 2
    let length = socklen_t(offset + path.count + (path[0] == 0 ? 0 : 1))
    let bytes = Array(text.utf8)
    _ = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        sendto(file, bytes, bytes.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT), address, length)
      }
    }
  }
}
