/// What is measured of a running server, in the text format of Prometheus.
///
/// A value on the service thread: counting allocates nothing once a label was seen. Nothing is
/// measured by room or by person, so that there is never more to read.
struct Metrics: Sendable {
  /// What only grows; raw values are the names, without `lectern_`.
  enum Counter: String, CaseIterable, Sendable {
    case connectionsAccepted = "connections_accepted_total"
    case connectionsTurnedAway = "connections_limit_total"
    case connectionsDisplaced = "connections_displaced_total"
    /// By reason.
    case requestsRefused = "requests_refused_total"
    case messagesOversized = "messages_oversized_total"
    case webSocketsOpened = "websockets_opened_total"
    /// By reason.
    case handshakesRejected = "handshakes_rejected_total"
    /// By code.
    case disconnects = "disconnects_total"
    /// By result: `kept`.
    case resumes = "resumes_total"
    /// By kind: `begun`, `passed`, `inherited` and `lapsed`.
    case roleChanges = "role_changes_total"
    /// By type: `snapshot`, `delta` and `batch`.
    case framesSent = "frames_sent_total"
    /// By type, such as `people` and `camera`.
    case newsSent = "news_sent_total"
    case bytesSent = "sent_bytes_total"
    /// By reason, such as `choked`.
    case framesSkipped = "frames_skipped_total"
    case messagesReceived = "messages_received_total"
    /// By reason, such as `stale` and `rate`.
    case inputsRejected = "inputs_rejected_total"
    case wrongKeys = "wrong_keys_total"
  }

  /// What goes up and down.
  enum Gauge: String, CaseIterable, Sendable {
    /// By kind: `websocket` and `page`.
    case connections
    /// By state: `active` and `idle`.
    case rooms
    case members
    /// By quantile, over the rooms with somebody in them.
    case roomMembers = "room_members"
    case laggingClients = "lagging_clients"
    /// The longest of all rooms.
    case playoutDelay = "playout_delay_seconds"
    /// Rooms whose presenter's line is lost.
    case presenterAbsentRooms = "presenter_absent_rooms"
    case books
    /// Requests for pages that are not printed yet.
    case pagesAwaited = "pages_awaited"
  }

  /// What is measured often, and looked at by how often it was how much.
  enum Histogram: String, CaseIterable, Sendable {
    case clientLateness = "client_lateness_seconds"
    case clientSyncError = "client_sync_error_seconds"
    case roundTrip = "rtt_seconds"
    case inputToFrame = "input_to_frame_seconds"
    case fanOut = "fanout_duration_seconds"
  }

  /// A few values, each with the label that it is for; the empty one where there is but one.
  private struct Series: Sendable {
    var values: [(label: String, value: Double)] = []

    subscript(_ label: String) -> Double {
      get { values.first { $0.label == label }?.value ?? 0 }
      set {
        if let index = values.firstIndex(where: { $0.label == label }) {
          values[index].value = newValue
        } else {
          values.append((label, newValue))
        }
      }
    }
  }

  private struct Distribution: Sendable {
    /// How many were at most each bound, but above the one before; the last are above all.
    var counts: [UInt64]
    var sum = 0.0
  }

  private var counters: [Counter: Series] = [:]
  private var gauges: [Gauge: Series] = [:]
  private var distributions: [Histogram: Distribution] = [:]

  /// Counts something that happened.
  mutating func count(_ counter: Counter, _ label: String = "", by amount: Int = 1) {
    counters[counter, default: Series()][label] += Double(amount)
  }

  /// Takes over what was counted elsewhere.
  mutating func set(_ counter: Counter, _ label: String = "", to total: UInt64) {
    counters[counter, default: Series()][label] = Double(total)
  }

  /// Notes how much there is now.
  mutating func set(_ gauge: Gauge, _ label: String = "", to value: Double) {
    gauges[gauge, default: Series()][label] = value
  }

  /// Adds a measurement, in seconds.
  mutating func observe(_ histogram: Histogram, _ value: Double) {
    let bounds = Histogram.bounds
    let place = bounds.firstIndex { value <= $0 } ?? bounds.count
    let empty = Distribution(counts: [UInt64](repeating: 0, count: bounds.count + 1))
    distributions[histogram, default: empty].counts[place] += 1
    distributions[histogram, default: empty].sum += value
  }

  /// All of it, in the text format of Prometheus, version 0.0.4.
  var text: String {
    var text = ""
    for counter in Counter.allCases {
      text += "# HELP lectern_\(counter.rawValue) \(counter.help)\n"
      text += "# TYPE lectern_\(counter.rawValue) counter\n"
      text += Self.lines(counter.rawValue, counter.label, counters[counter])
    }
    for gauge in Gauge.allCases {
      text += "# HELP lectern_\(gauge.rawValue) \(gauge.help)\n"
      text += "# TYPE lectern_\(gauge.rawValue) gauge\n"
      text += Self.lines(gauge.rawValue, gauge.label, gauges[gauge])
    }
    for histogram in Histogram.allCases { text += lines(of: histogram) }
    return text
  }

  private static func lines(_ name: String, _ label: String?, _ series: Series?) -> String {
    // What has no label is there from the start, so that its growth from nothing is seen.
    guard let label else { return "lectern_\(name) \(number(series?[""] ?? 0))\n" }
    return (series?.values ?? []).sorted { $0.label < $1.label }
      .map { "lectern_\(name){\(label)=\"\(escaped($0.label))\"} \(number($0.value))\n" }
      .joined()
  }

  private func lines(of histogram: Histogram) -> String {
    let name = "lectern_\(histogram.rawValue)"
    var text = "# HELP \(name) \(histogram.help)\n# TYPE \(name) histogram\n"
    let found = distributions[histogram]
    var total: UInt64 = 0
    for (index, bound) in Histogram.bounds.enumerated() {
      total += found?.counts[index] ?? 0
      text += "\(name)_bucket{le=\"\(Self.number(bound))\"} \(total)\n"
    }
    total += found?.counts.last ?? 0
    text += "\(name)_bucket{le=\"+Inf\"} \(total)\n"
    return text + "\(name)_sum \(Self.number(found?.sum ?? 0))\n\(name)_count \(total)\n"
  }

  static func number(_ value: Double) -> String {
    Int(exactly: value).map(String.init) ?? "\(value)"
  }

  private static func escaped(_ label: String) -> String {
    label.reduce(into: "") { text, character in
      switch character {
      case "\\": text += "\\\\"
      case "\"": text += "\\\""
      case "\n": text += "\\n"
      default: text.append(character)
      }
    }
  }
}

extension Metrics.Counter {
  /// The name of the label that tells its values apart, if there are several.
  var label: String? {
    switch self {
    case .handshakesRejected, .requestsRefused, .framesSkipped, .inputsRejected: "reason"
    case .disconnects: "code"
    case .resumes: "result"
    case .roleChanges: "kind"
    case .framesSent, .newsSent: "type"
    default: nil
    }
  }

  var help: String {
    switch self {
    case .connectionsAccepted: "Connections that came, WebSockets and others."
    case .connectionsTurnedAway: "Connections closed at once, since there were too many."
    case .connectionsDisplaced: "Silent or idle connections closed to make room for others."
    case .requestsRefused: "Requests refused since there were too many."
    case .messagesOversized: "Messages too large to be sent, each of which closed a connection."
    case .webSocketsOpened: "WebSockets that opened."
    case .handshakesRejected: "WebSockets that were refused."
    case .disconnects: "WebSockets that closed, by the code said first."
    case .resumes: "Members that came back to where they were."
    case .roleChanges: "Changes of who has the book."
    case .framesSent: "Frames sent, each counted once for each member."
    case .newsSent: "Other messages sent, each counted once for each member."
    case .bytesSent: "Bytes sent in WebSocket messages."
    case .framesSkipped: "Frames that a member was not sent."
    case .messagesReceived: "Messages of members."
    case .inputsRejected: "Inputs that no stage took."
    case .wrongKeys: "Keys shown that opened nothing."
    }
  }
}

extension Metrics.Gauge {
  /// The name of the label that tells its values apart, if there are several.
  var label: String? {
    switch self {
    case .connections: "kind"
    case .rooms: "state"
    case .roomMembers: "quantile"
    default: nil
    }
  }

  var help: String {
    switch self {
    case .connections: "Open connections."
    case .rooms: "Rooms with somebody in them, and without."
    case .members: "Members of all rooms."
    case .roomMembers: "How many members rooms have, of those with somebody in them."
    case .laggingClients: "Members behind by more than the longest delay."
    case .playoutDelay: "The longest delay of all rooms."
    case .presenterAbsentRooms: "Rooms whose presenter's line is lost."
    case .books: "Books in the library."
    case .pagesAwaited: "Requests for pages that are not printed yet."
    }
  }
}

extension Metrics.Histogram {
  /// The upper bounds of the buckets, in seconds.
  static let bounds = [
    0.0005, 0.001, 0.002, 0.005, 0.01, 0.0167, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
  ]

  var help: String {
    switch self {
    case .clientLateness: "How much later than its time a member's page had a frame."
    case .clientSyncError: "How far a member's picture is from the room's, as its page measures it."
    case .roundTrip: "Round trips, as pages measure them."
    case .inputToFrame: "From an input to the frame that it made, in the server."
    case .fanOut: "From a frame to its being handed to the sockets of all members."
    }
  }
}
