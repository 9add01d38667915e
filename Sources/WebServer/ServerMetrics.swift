internal import Telemetry

/// What a server has done since it started, and how many connections are open.
///
/// Belongs to the server's thread.
struct ServerMetrics {
  /// Why a WebSocket was rejected.
  enum Rejection: String, CaseIterable {
    /// The path is another.
    case path
    /// The subprotocol is another.
    case proto
    /// The host is not served here.
    case host
    /// The page is of another origin.
    case origin
    /// The request is to upgrade to something else, such as `h2c`.
    case upgrade
    /// The version of WebSocket is another.
    case version
    /// The key is not 16 bytes in base64.
    case key
    /// Too many are open from the address.
    case number
    /// Too many were opened from the address in a short time.
    case rate
  }

  /// What there was too much of, so that a request was rejected.
  enum Excess: String, CaseIterable {
    /// Requests of one address at a time.
    case requests
    /// Requests that wait for the application.
    case waiting
    /// Long answers to one address at a time.
    case answers
  }

  let accepted: Counter
  let turnedAway: Counter
  let displaced: Counter
  let opened: Counter
  let oversized: Counter
  let refused: CounterSet<Excess>
  let rejected: CounterSet<Rejection>
  private let webSockets: Gauge
  private let pages: Gauge
  private let registry: MetricRegistry
  private var closed: [String: Counter] = [:]

  init(in registry: MetricRegistry) {
    self.registry = registry
    accepted = registry.counter(
      "lectern_connections_accepted_total",
      help: "Connections accepted, WebSockets and others."
    )
    turnedAway = registry.counter(
      "lectern_connections_limit_total",
      help: "Connections closed at once because there were too many."
    )
    displaced = registry.counter(
      "lectern_connections_displaced_total",
      help: "Silent or idle connections closed to make room for others."
    )
    refused = registry.counters(
      "lectern_requests_refused_total",
      help: "Requests rejected because there were too many.",
      label: "reason",
      of: Excess.self
    )
    oversized = registry.counter(
      "lectern_messages_oversized_total",
      help: "Messages too large to be sent, each of which closed a connection."
    )
    opened = registry.counter("lectern_websockets_opened_total", help: "WebSockets opened.")
    rejected = registry.counters(
      "lectern_handshakes_rejected_total",
      help: "WebSockets rejected.",
      label: "reason",
      of: Rejection.self
    )
    let connections = "Open connections."
    webSockets = registry.gauge(
      "lectern_connections",
      help: connections,
      labels: ["kind": "websocket"]
    )
    pages = registry.gauge("lectern_connections", help: connections, labels: ["kind": "page"])
    // So that the metric is there before the first WebSocket closes.
    countClosing(1000, by: 0)
  }

  /// How many codes are told apart: a client may say any of thousands.
  private static let codesMax = 64

  /// Counts a WebSocket that closed, by the code that was said first; 1006 if none was.
  mutating func countClosing(_ code: UInt16, by amount: UInt64 = 1) {
    let isNew = closed["\(code)"] == nil
    let label = isNew && closed.count >= Self.codesMax ? "other" : "\(code)"
    let counter =
      closed[label]
      ?? registry.counter(
        "lectern_disconnects_total",
        help: "WebSockets closed, by the code that was said first.",
        labels: ["code": label]
      )
    closed[label] = counter
    counter.add(amount)
  }

  /// Notes how many connections are open.
  func note(webSockets: Int, connections: Int) {
    self.webSockets.set(Double(webSockets))
    pages.set(Double(connections - webSockets))
  }
}
