internal import Rates
internal import Synchronization

/// What each source uses of all servers of a process; see ``HTTPRequest/peer``.
///
/// Connections are counted by the address of the peer. Requests in progress, WebSockets and rates
/// are counted by the client, which differs from the peer behind a trusted proxy. Servers on
/// several threads share one census, so an address gets no more of many servers than of one.
final class Census: Sendable {
  /// The numbers of all sources together.
  struct Totals: Equatable, Sendable {
    /// The open connections, pending or not, WebSockets and others.
    var connections = 0
    var webSockets = 0
    /// The requests that wait for the application.
    var waiting = 0
  }

  private struct State {
    var totals = Totals()
    var holdings: [String: Holding] = [:]
  }

  /// The maximum number of remembered sources that use nothing.
  private static let rememberedMax = 10_000

  private let limits: ServerOptions.Limits
  private let state = Mutex(State())

  init(limits: ServerOptions.Limits) { self.limits = limits }

  /// The numbers of all sources together.
  var totals: Totals { state.withLock { $0.totals } }

  // MARK: Connections

  /// Returns the number of connections of a source, and how many of them are pending.
  func connections(of source: String) -> (all: Int, pending: Int) {
    state.withLock { state in
      let holding = state.holdings[source]
      return (holding?.connections ?? 0, holding?.pending ?? 0)
    }
  }

  /// Counts a connection; returns false, without counting, if its source has as many as a limit.
  @discardableResult
  func addConnection(
    of source: String,
    isPending: Bool,
    limit: Int = .max,
    now: Double
  ) -> Bool {
    state.withLock { state in
      let isAdded = change(&state, source, now) { holding in
        guard holding.connections < limit else { return false }
        holding.connections += 1
        if isPending { holding.pending += 1 }
        return true
      }
      if isAdded { state.totals.connections += 1 }
      return isAdded
    }
  }

  /// Counts a connection while it changes hands.
  ///
  /// It is counted twice for a moment rather than not at all, so that no other thread admits
  /// another one in its place.
  func whileCounting<Result>(_ source: String, now: Double, _ body: () -> Result) -> Result {
    addConnection(of: source, isPending: false, now: now)
    defer { removeConnection(of: source, isPending: false) }
    return body()
  }

  /// Removes a counted connection.
  func removeConnection(of source: String, isPending: Bool) {
    state.withLock { state in
      state.totals.connections -= 1
      state.holdings[source]?.connections -= 1
      if isPending { state.holdings[source]?.pending -= 1 }
    }
  }

  /// Counts a WebSocket, which is a connection that is never idle.
  func addWebSocket(of source: String, now: Double) {
    addConnection(of: source, isPending: false, now: now)
    state.withLock { $0.totals.webSockets += 1 }
  }

  /// Removes a counted WebSocket.
  func removeWebSocket(of source: String) {
    removeConnection(of: source, isPending: false)
    state.withLock { $0.totals.webSockets -= 1 }
  }

  // MARK: Uses

  /// Whether a client is below its limit, and all clients together are below theirs.
  func mayBegin(_ use: ClientUse, of client: String) -> Bool {
    state.withLock { state in
      isFree(use, state.totals) && (state.holdings[client].map { $0[use] < limit(of: use) } ?? true)
    }
  }

  /// Counts a use by the client of a share; returns false, without counting, at a limit.
  @discardableResult
  func begin(_ use: ClientUse, for share: inout ClientShare, now: Double) -> Bool {
    let client = share.client
    let isBegun = state.withLock { state in
      guard isFree(use, state.totals) else { return false }
      let isBegun = change(&state, client, now) {
        guard $0[use] < limit(of: use) else { return false }
        $0[use] += 1
        return true
      }
      if isBegun, use == .waiting { state.totals.waiting += 1 }
      return isBegun
    }
    if isBegun { share.add(use) }
    return isBegun
  }

  /// Ends a use, if the share counts it.
  func end(_ use: ClientUse, of share: inout ClientShare) {
    guard share.remove(use) else { return }
    let client = share.client
    state.withLock { state in
      state.holdings[client]?[use] -= 1
      if use == .waiting { state.totals.waiting -= 1 }
    }
  }

  /// Ends all uses of a share.
  func endAll(of share: inout ClientShare) {
    end(.exchange, of: &share)
    end(.waiting, of: &share)
    end(.longResponse, of: &share)
  }

  private func isFree(_ use: ClientUse, _ totals: Totals) -> Bool {
    use != .waiting || totals.waiting < limits.requests.waiting
  }

  private func limit(of use: ClientUse) -> Int {
    switch use {
    case .exchange: limits.connections.perAddress
    case .waiting: limits.requests.waitingPerAddress
    case .longResponse: limits.responses.longPerAddress
    }
  }

  // MARK: Rates

  /// Whether the rate limit admits another WebSocket of a client.
  func admitsHandshake(_ client: String, now: Double) -> Bool {
    state.withLock { change(&$0, client, now) { $0.handshakes.take(1, at: now) } }
  }

  /// Whether the rate limit admits a number of bytes of a client's messages.
  func admits(bytes count: Int, of client: String, now: Double) -> Bool {
    state.withLock { change(&$0, client, now) { $0.bytes.take(Double(count), at: now) } }
  }

  private func change<Result>(
    _ state: inout State,
    _ source: String,
    _ now: Double,
    _ body: (inout Holding) -> Result
  ) -> Result {
    if state.holdings.count >= Self.rememberedMax, state.holdings[source] == nil {
      Self.forget(&state, now)
    }
    return body(&state.holdings[source, default: Holding(limits: limits)])
  }

  /// Forgets sources that use nothing, first those whose rate limits are full again.
  private static func forget(_ state: inout State, _ now: Double) {
    state.holdings = state.holdings.filter { !$0.value.isEmpty || !$0.value.isRested(at: now) }
    if state.holdings.count >= rememberedMax {
      state.holdings = state.holdings.filter { !$0.value.isEmpty }
    }
  }

  /// What one source uses.
  private struct Holding {
    var connections = 0
    /// The connections whose first request is incomplete.
    var pending = 0
    var handshakes: TokenBucket
    var bytes: TokenBucket
    private var exchanges = 0
    private var waiting = 0
    private var longResponses = 0

    init(limits: ServerOptions.Limits) {
      handshakes = limits.webSockets.handshakesPerAddress.bucket
      bytes = limits.webSockets.receivedBytesPerAddress.bucket
    }

    var isEmpty: Bool { connections == 0 && exchanges == 0 && waiting == 0 && longResponses == 0 }

    /// Whether the rate limits are full again.
    func isRested(at now: Double) -> Bool { handshakes.isFull(at: now) && bytes.isFull(at: now) }

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
}
