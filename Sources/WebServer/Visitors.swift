/// The connections of one server that libwebsockets knows, by socket, and the number of its
/// WebSockets.
struct Visitors {
  private struct Visit {
    let household: String
    let isAdmin: Bool
    var isIdle = true
  }

  private let census: Census
  private var visits: [OpaquePointer: Visit] = [:]
  /// The number of WebSockets.
  private var webSocketCount = 0

  init(census: Census) { self.census = census }

  /// The number of connections.
  var count: Int { visits.count + webSocketCount }
  /// All connections.
  var all: some Sequence<OpaquePointer> { visits.keys }

  func household(of socket: OpaquePointer) -> String { visits[socket]?.household ?? "" }

  /// Whether a connection arrived at the admin endpoint.
  func isAdmin(_ socket: OpaquePointer) -> Bool { visits[socket]?.isAdmin ?? false }

  mutating func add(_ socket: OpaquePointer, of household: String, isAdmin: Bool, now: Double) {
    visits[socket] = Visit(household: household, isAdmin: isAdmin)
    census.addConnection(of: household, isPending: false, now: now)
  }

  mutating func remove(_ socket: OpaquePointer) {
    guard let visit = visits.removeValue(forKey: socket) else { return }
    census.removeConnection(of: visit.household, isPending: false)
  }

  /// Counts a WebSocket, which is never idle, in place of the connection on which it opened.
  mutating func addWebSocket(of household: String, now: Double) {
    webSocketCount += 1
    census.addConnection(of: household, isPending: false, now: now)
    census.countWebSockets(1)
  }

  mutating func removeWebSocket(of household: String) {
    webSocketCount -= 1
    census.removeConnection(of: household, isPending: false)
    census.countWebSockets(-1)
  }

  /// Records whether a connection is idle.
  mutating func note(_ socket: OpaquePointer, isIdle: Bool) { visits[socket]?.isIdle = isIdle }

  /// Returns an idle connection of the household with the most connections among those with idle
  /// ones, if it has more than the household that needs one; otherwise nil.
  /// - Complexity: O(`count`).
  func idleConnection(
    ofMoreThan household: String,
    except proxy: (String) -> Bool
  )
    -> OpaquePointer?
  {
    var idle: [String: OpaquePointer] = [:]
    for (socket, visit) in visits where visit.isIdle { idle[visit.household] = socket }
    let counts = idle.filter { !proxy($0.key) }
      .map { (count: census.connections(of: $0.key).all, socket: $0.value) }
    guard let most = counts.max(by: { $0.count < $1.count }),
      most.count > census.connections(of: household).all + 1
    else { return nil }
    return most.socket
  }
}
