/// Who holds how much of the server, by household: see ``HTTPRequest/peer``.
///
/// Connections are counted by the address at the other end. Requests under way, WebSockets and
/// rates are counted by the client, which behind a trusted proxy is another.
struct Visitors {
  private struct Visit {
    let household: String
    let isAdmin: Bool
    var isIdle = true
  }

  private struct Holding {
    var connections = 0
    var uses = 0
    var waiting = 0
    var longAnswers = 0
    var handshakes: Throttle
    var bytes: Throttle

    var isEmpty: Bool { connections == 0 && uses == 0 && waiting == 0 && longAnswers == 0 }
  }

  /// How many households are remembered that hold nothing any more.
  private static let rememberedMax = 10_000

  private let limits: ServerOptions.Limits
  private var visits: [OpaquePointer: Visit] = [:]
  private var holdings: [String: Holding] = [:]

  init(limits: ServerOptions.Limits) { self.limits = limits }

  /// How many connections there are.
  var count: Int { visits.count }
  /// All connections.
  var all: some Sequence<OpaquePointer> { visits.keys }

  func household(of socket: OpaquePointer) -> String { visits[socket]?.household ?? "" }

  /// Whether a connection came to the address for those who run the server.
  func isAdmin(_ socket: OpaquePointer) -> Bool { visits[socket]?.isAdmin ?? false }

  func connections(of household: String) -> Int { holdings[household]?.connections ?? 0 }

  mutating func add(_ socket: OpaquePointer, of household: String, isAdmin: Bool, now: Double) {
    visits[socket] = Visit(household: household, isAdmin: isAdmin)
    change(household, now) { $0.connections += 1 }
  }

  mutating func remove(_ socket: OpaquePointer) {
    guard let visit = visits.removeValue(forKey: socket) else { return }
    holdings[visit.household]?.connections -= 1
  }

  /// Notes whether nothing is asked for over a connection.
  mutating func note(_ socket: OpaquePointer, isIdle: Bool) { visits[socket]?.isIdle = isIdle }

  /// A connection that nobody misses much, of whoever holds the most and more than the household
  /// that wants one; nil without any.
  /// - Complexity: O(`count`).
  func idleConnection(
    ofMoreThan household: String,
    except proxy: (String) -> Bool
  )
    -> OpaquePointer?
  {
    let most = holdings.filter { !proxy($0.key) }.max {
      $0.value.connections < $1.value.connections
    }
    guard let most, most.value.connections > connections(of: household) + 1 else { return nil }
    return visits.first { $0.value.isIdle && $0.value.household == most.key }?.key
  }

  /// Begins a request or a WebSocket of a client; false when it has too many.
  mutating func beginUse(_ client: String, now: Double) -> Bool {
    change(client, now) { [limits] in
      guard $0.uses < limits.connectionsPerAddress else { return false }
      $0.uses += 1
      return true
    }
  }

  mutating func endUse(_ client: String) { holdings[client]?.uses -= 1 }

  /// Whether a client may begin another request or WebSocket.
  func mayUse(_ client: String) -> Bool {
    holdings[client].map { $0.uses < limits.connectionsPerAddress } ?? true
  }

  /// Begins an answer that does not fit a packet or two; false when the client takes too many.
  mutating func beginLongAnswer(_ client: String, now: Double) -> Bool {
    change(client, now) { [limits] in
      guard $0.longAnswers < limits.longAnswersPerAddress else { return false }
      $0.longAnswers += 1
      return true
    }
  }

  mutating func endLongAnswer(_ client: String) { holdings[client]?.longAnswers -= 1 }

  /// Whether another request of a client may wait for the application.
  func mayWait(_ client: String) -> Bool {
    holdings[client].map { $0.waiting < limits.waitingRequestsPerAddress } ?? true
  }

  /// Begins to wait for the application; false when too many requests of the client do.
  mutating func beginWaiting(_ client: String, now: Double) -> Bool {
    change(client, now) { [limits] in
      guard $0.waiting < limits.waitingRequestsPerAddress else { return false }
      $0.waiting += 1
      return true
    }
  }

  mutating func endWaiting(_ client: String) { holdings[client]?.waiting -= 1 }

  /// Whether a client may open another WebSocket already.
  mutating func admitsHandshake(_ client: String, now: Double) -> Bool {
    change(client, now) { $0.handshakes.take(1, at: now) }
  }

  /// Whether so many bytes of messages of a client come no sooner than they may.
  mutating func admits(bytes count: Int, of client: String, now: Double) -> Bool {
    change(client, now) { $0.bytes.take(Double(count), at: now) }
  }

  private mutating func change<Result>(
    _ household: String,
    _ now: Double,
    _ body: (inout Holding) -> Result
  ) -> Result {
    if holdings[household] == nil, holdings.count >= Self.rememberedMax { forget(now) }
    return body(
      &holdings[
        household,
        default: Holding(
          handshakes: Throttle(limits.handshakes, now: now),
          bytes: Throttle(limits.receivedBytesPerAddress, now: now)
        )
      ]
    )
  }

  /// Forgets who holds nothing; of those at first only who is as good as new.
  private mutating func forget(_ now: Double) {
    holdings = holdings.filter {
      !$0.value.isEmpty || !$0.value.handshakes.isFull(at: now) || !$0.value.bytes.isFull(at: now)
    }
    if holdings.count >= Self.rememberedMax { holdings = holdings.filter { !$0.value.isEmpty } }
  }
}
