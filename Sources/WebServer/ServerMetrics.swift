internal import Synchronization
internal import Telemetry

/// The counters of all servers of a process since their start, and the number of open connections.
final class ServerMetrics: Sendable {
  /// The reason for rejecting a WebSocket.
  enum Rejection: String, CaseIterable {
    /// The path is wrong.
    case path
    /// The subprotocol is wrong.
    case proto
    /// The host is not served.
    case host
    /// The page has another origin.
    case origin
    /// The request upgrades to another protocol, such as `h2c`.
    case upgrade
    /// The version of WebSocket is wrong.
    case version
    /// The key is not 16 bytes in base64.
    case key
    /// The address has too many open WebSockets.
    case number
    /// The address opened too many WebSockets in a short time.
    case rate
  }

  /// The limit that caused a request to be rejected.
  enum Excess: String, CaseIterable {
    /// Concurrent requests of one address.
    case requests
    /// Requests that wait for the application.
    case waiting
    /// Concurrent long responses to one address.
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
  private let closed = Mutex<[String: Counter]>([:])

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
    // Makes the metric appear before the first WebSocket closes.
    countClosing(1000, by: 0)
  }

  /// The maximum number of distinct codes: a client can send any of thousands.
  private static let codesMax = 64

  /// Counts a closed WebSocket by the code that was sent first; 1006 if none was sent.
  func countClosing(_ code: UInt16, by amount: UInt64 = 1) {
    closed.withLock { closed in
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
  }

  /// Records the number of open connections.
  func note(_ totals: Census.Totals) {
    webSockets.set(Double(totals.webSockets))
    pages.set(Double(totals.connections - totals.webSockets))
  }
}
