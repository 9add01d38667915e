internal import CLibwebsockets

/// The connections of one server that libwebsockets knows, by socket.
///
/// libwebsockets knows a connection from the end of the head of a request to the end of the
/// response.
struct Visitors {
  struct Visit {
    let source: String
    let isAdmin: Bool
    let head: RequestHead
    /// The address that the limits apply to; see ``HTTPRequest/peer``.
    let client: String
    /// The sockets from which libwebsockets reads the head; nil once it has done so.
    fileprivate var sockets: HeadSockets?

    /// The real connection while libwebsockets has not read the head.
    var unreadConnection: Int32? { sockets?.connection }
  }

  private let census: Census
  private let ended = EndedSocket()
  private var visits: [OpaquePointer: Visit] = [:]

  init(census: Census) { self.census = census }

  subscript(_ socket: OpaquePointer) -> Visit? { visits[socket] }

  /// Adds a connection whose head libwebsockets is about to read.
  mutating func add(
    _ socket: OpaquePointer,
    of source: String,
    isAdmin: Bool,
    head: RequestHead,
    client: String,
    sockets: HeadSockets? = nil,
    now: Double
  ) {
    visits[socket] = Visit(
      source: source,
      isAdmin: isAdmin,
      head: head,
      client: client,
      sockets: sockets
    )
    census.addConnection(of: source, isPending: false, now: now)
  }

  /// Puts the real connection in place of the one from which libwebsockets has read the head.
  mutating func finishReading(_ socket: OpaquePointer) {
    visits[socket]?.sockets?.finish(lws_get_socket_fd(socket))
    visits[socket]?.sockets = nil
  }

  /// Takes a connection back from libwebsockets and returns it with its new descriptor.
  ///
  /// Returns nil if the process has no descriptors left; libwebsockets then keeps the connection.
  mutating func reclaim(_ socket: OpaquePointer) -> (visit: Visit, descriptor: Int32)? {
    guard visits[socket] != nil, let descriptor = ended?.replace(socket),
      let visit = remove(socket)
    else { return nil }
    return (visit, descriptor)
  }

  /// Removes a connection, and closes it if libwebsockets has not read the head.
  @discardableResult
  mutating func remove(_ socket: OpaquePointer) -> Visit? {
    guard let visit = visits.removeValue(forKey: socket) else { return nil }
    visit.sockets?.closeRest()
    census.removeConnection(of: visit.source, isPending: false)
    return visit
  }
}
