internal import CLibwebsockets
internal import Glibc

/// The listening sockets: one for readers, and one for the admin endpoint if there is one.
///
/// Used in place of the listener of libwebsockets, which reports neither why it failed nor which
/// port it got.
final class Listeners {
  /// The result of accepting.
  enum Accepted: Equatable {
    /// A connection of a source; see ``HTTPRequest/peer``.
    case connection(Int32, address: String)
    /// A connection that was closed, because the process has no more descriptors.
    case turnedAway
    /// A connection that ended before it was accepted.
    case lost
    /// No connection is waiting.
    case nothing
    /// The waiting connection cannot be accepted because of a system error.
    ///
    /// It keeps the listener readable, so the thread never rests unless listening is paused.
    case exhausted(Int32)
  }

  /// The port for readers.
  let port: Int
  /// The port of the admin endpoint, if there is one.
  var adminPort: Int? { admin < 0 ? nil : Int(lectern_bound_port(admin)) }

  /// The listener for readers.
  let main: Int32
  /// The listener of the admin endpoint, or -1.
  private(set) var admin: Int32 = -1
  /// A reserve descriptor; closing it makes room to accept a connection and close it.
  private var spare = Listeners.openSpare()
  /// The listeners as connections of libwebsockets, which closes them.
  private var connections: [OpaquePointer] = []
  private var isAdopted = false
  /// Whether no connections are accepted for now.
  private var isPaused = false

  /// Whether the port is also that of other servers of the process.
  enum Sharing: Int32 {
    case alone = 0
    case first = 1
    case another = 2
  }

  /// Opens the sockets.
  init(_ options: ServerOptions, _ sharing: Sharing = .alone) throws(ServerError) {
    let backlog = Int32(clamping: options.backlog)
    main = try Self.open(address: options.listenAddress, port: options.port, backlog, sharing)
    port = Int(lectern_bound_port(main))
    if let endpoint = options.adminEndpoint {
      admin = try Self.open(address: endpoint.address, port: endpoint.port, backlog, .alone)
    }
  }

  deinit {
    for descriptor in isAdopted ? [spare] : [spare, main, admin] where descriptor >= 0 {
      Glibc.close(descriptor)
    }
  }

  /// Passes the sockets to libwebsockets; false if it does not accept them.
  func adopt(into loop: ServiceLoop) -> Bool {
    let descriptors = [main, admin].filter { $0 >= 0 }
    isAdopted = true
    connections = descriptors.compactMap { loop.adopt(file: $0) }
    return connections.count == descriptors.count
  }

  /// Whether a descriptor is one of the listeners.
  func contains(_ descriptor: Int32) -> Bool { descriptor == main || descriptor == admin }

  /// Whether connections of a listener belong to the admin endpoint.
  func isAdmin(_ descriptor: Int32) -> Bool { descriptor == admin }

  /// Accepts a connection without waiting.
  func accept(from listener: Int32) -> Accepted {
    var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
    let descriptor = lectern_accept(listener, &text)
    guard descriptor >= 0 else { return failure(errno, of: listener) }
    let bytes = text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:))
    let address = String(decoding: bytes, as: UTF8.self)
    return .connection(descriptor, address: address)
  }

  private func failure(_ reason: Int32, of listener: Int32) -> Accepted {
    switch reason {
    case EAGAIN: return .nothing
    case ECONNABORTED, EINTR, EPROTO: return .lost
    case EMFILE where spare >= 0, ENFILE where spare >= 0:
      Glibc.close(spare)
      let descriptor = lectern_accept(listener, nil)
      if descriptor >= 0 { Glibc.close(descriptor) }
      spare = Self.openSpare()
      return descriptor >= 0 ? .turnedAway : .nothing
    default: return .exhausted(reason)
    }
  }

  /// Stops accepting connections until ``resume()``.
  func pause() {
    isPaused = true
    for connection in connections { lws_rx_flow_control(connection, 0) }
  }

  /// Accepts connections again.
  func resume() {
    guard isPaused else { return }
    isPaused = false
    for connection in connections { lws_rx_flow_control(connection, 1) }
  }

  /// Stops listening.
  func close() {
    for connection in connections { ServiceLoop.closeSoon(connection) }
  }

  private static func openSpare() -> Int32 { Glibc.open("/dev/null", O_RDONLY | O_CLOEXEC) }

  private static func open(
    address: String,
    port: Int,
    _ backlog: Int32,
    _ sharing: Sharing
  ) throws(ServerError) -> Int32 {
    func failure(_ reason: String) -> ServerError {
      .cannotListen(address: address, port: port, reason: reason)
    }
    guard let number = UInt16(exactly: port) else { throw failure("ports are 0 to 65535") }
    let descriptor = lectern_listen(address, number, backlog, sharing.rawValue)
    if descriptor == -2 { throw failure("not a numeric IPv4 or IPv6 address") }
    guard descriptor >= 0 else { throw failure(text(of: errno)) }
    return descriptor
  }

  /// Returns the message of a system error, beginning with a small letter, to follow a colon.
  static func text(of code: Int32) -> String {
    guard let words = strerror(code) else { return "error \(code)" }
    let text = String(cString: words)
    return text.prefix(1).lowercased() + text.dropFirst()
  }
}
