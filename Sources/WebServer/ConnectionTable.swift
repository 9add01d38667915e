/// The open connections, and the room for more.
///
/// A connection is pending until its first request is complete. It is then a visitor, which
/// libwebsockets knows.
struct ConnectionTable {
  /// The room for another connection.
  enum Room: Equatable {
    case free
    /// Room if this pending connection is closed.
    case replacing(PendingConnection)
    /// Room if this idle connection is closed.
    case replacingIdle(OpaquePointer)
    case none
  }

  var pending: PendingConnections
  var visitors: Visitors
  /// What all servers of the process together are used for.
  let census: Census
  /// The sockets of WebSockets whose head libwebsockets is reading.
  private var handshakes: [OpaquePointer: HandshakeSockets] = [:]
  /// The connections of WebSockets that libwebsockets has to let go of.
  var handovers: [(connection: ConnectionID, handover: SocketHandover)] = []
  private let options: ServerOptions

  init(options: ServerOptions, census: Census) {
    self.options = options
    self.census = census
    pending = PendingConnections(census: census)
    visitors = Visitors(census: census)
  }

  /// The number of connections.
  var count: Int { visitors.count + pending.count }

  /// Returns the room for another connection of a household.
  ///
  /// A household displaces its own pending connections first, then those of the household with the
  /// most, and then idle connections of a household with more connections than itself. All servers
  /// of the process count, but a server closes only connections of its own; without one, there is
  /// no room.
  /// - Complexity: O(`count`) at a limit, otherwise O(1).
  func room(for household: String) -> Room {
    let limits = options.limits.connections
    if !options.isProxy(household) {
      let own = census.connections(of: household)
      guard own.all < limits.perAddress else { return .none }
      if own.pending >= limits.pendingPerAddress {
        return pending.oldest(of: household).map { .replacing($0) } ?? .none
      }
    }
    guard census.totals.connections >= limits.total else { return .free }
    if let oldest = pending.oldestOfLargest() { return .replacing(oldest) }
    let idle = visitors.idleConnection(ofMoreThan: household, except: options.isProxy)
    return idle.map { .replacingIdle($0) } ?? .none
  }

  /// Begins a handshake, from whose sockets libwebsockets reads.
  mutating func beginHandshake(_ socket: OpaquePointer, _ sockets: HandshakeSockets) {
    handshakes[socket] = sockets
  }

  /// Ends a handshake and returns its sockets; nil if there was none.
  mutating func endHandshake(_ socket: OpaquePointer) -> HandshakeSockets? {
    handshakes.removeValue(forKey: socket)
  }
}
