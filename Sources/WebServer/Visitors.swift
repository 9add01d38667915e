/// The resources that each household uses; see ``HTTPRequest/peer``.
///
/// Connections are counted by the address of the peer. Requests in progress, WebSockets and rates
/// are counted by the client, which differs from the peer behind a trusted proxy.
struct Visitors {
  private struct Visit {
    let household: String
    let isAdmin: Bool
    var isIdle = true
  }

  private struct Holding {
    var connections = 0
    var exchanges = 0
    var waiting = 0
    var longResponses = 0
    var handshakes: Throttle
    var bytes: Throttle

    var isEmpty: Bool {
      connections == 0 && exchanges == 0 && waiting == 0 && longResponses == 0
    }

    subscript(_ use: ClientUse) -> Int {
      get {
        switch use {
        case .exchange: exchanges
        case .waiting: waiting
        case .longResponse: longResponses
        }
      }
      set {
        switch use {
        case .exchange: exchanges = newValue
        case .waiting: waiting = newValue
        case .longResponse: longResponses = newValue
        }
      }
    }
  }

  /// The maximum number of remembered households that use nothing.
  private static let rememberedMax = 10_000

  private let limits: ServerOptions.Limits
  private var visits: [OpaquePointer: Visit] = [:]
  private var holdings: [String: Holding] = [:]

  init(limits: ServerOptions.Limits) { self.limits = limits }

  /// The number of connections.
  var count: Int { visits.count + webSocketCount }
  /// The number of WebSockets.
  private var webSocketCount = 0
  /// All connections.
  var all: some Sequence<OpaquePointer> { visits.keys }

  func household(of socket: OpaquePointer) -> String { visits[socket]?.household ?? "" }

  /// Whether a connection arrived at the admin endpoint.
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

  /// Counts a WebSocket, which is never idle, in place of the connection on which it opened.
  mutating func addWebSocket(of household: String, now: Double) {
    webSocketCount += 1
    change(household, now) { $0.connections += 1 }
  }

  mutating func removeWebSocket(of household: String) {
    webSocketCount -= 1
    holdings[household]?.connections -= 1
  }

  /// Records whether a connection is idle.
  mutating func note(_ socket: OpaquePointer, isIdle: Bool) { visits[socket]?.isIdle = isIdle }

  /// Returns an idle connection of the household with the most connections, if it has more than the
  /// household that needs one; otherwise nil.
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

  /// Whether a client is below its limit.
  func mayBegin(_ use: ClientUse, of client: String) -> Bool {
    holdings[client].map { $0[use] < limit(of: use) } ?? true
  }

  /// Counts a use by the client of a share; returns false, without counting, at the limit.
  @discardableResult
  mutating func begin(_ use: ClientUse, for share: inout ClientShare, now: Double) -> Bool {
    let limit = limit(of: use)
    let isBegun = change(share.client, now) {
      guard $0[use] < limit else { return false }
      $0[use] += 1
      return true
    }
    if isBegun { share.add(use) }
    return isBegun
  }

  /// Ends a use, if the share counts it.
  mutating func end(_ use: ClientUse, of share: inout ClientShare) {
    guard share.remove(use) else { return }
    holdings[share.client]?[use] -= 1
  }

  /// Ends all uses of a share.
  mutating func endAll(of share: inout ClientShare) {
    end(.exchange, of: &share)
    end(.waiting, of: &share)
    end(.longResponse, of: &share)
  }

  private func limit(of use: ClientUse) -> Int {
    switch use {
    case .exchange: limits.connections.perAddress
    case .waiting: limits.requests.waitingPerAddress
    case .longResponse: limits.responses.longPerAddress
    }
  }

  /// Whether the rate limit admits another WebSocket of a client.
  mutating func admitsHandshake(_ client: String, now: Double) -> Bool {
    change(client, now) { $0.handshakes.take(1, at: now) }
  }

  /// Whether the rate limit admits a number of bytes of a client's messages.
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
          handshakes: Throttle(limits.webSockets.handshakesPerAddress, now: now),
          bytes: Throttle(limits.webSockets.receivedBytesPerAddress, now: now)
        )
      ]
    )
  }

  /// Forgets households that use nothing, first those whose rate limits are full again.
  private mutating func forget(_ now: Double) {
    holdings = holdings.filter {
      !$0.value.isEmpty || !$0.value.handshakes.isFull(at: now) || !$0.value.bytes.isFull(at: now)
    }
    if holdings.count >= Self.rememberedMax { holdings = holdings.filter { !$0.value.isEmpty } }
  }
}
