internal import Telemetry
internal import Wire

/// The metrics of messages; an update needs no lookup and no allocation.
struct MessageMetrics: Sendable {
  /// The upper bounds of the buckets for durations between two machines, in seconds.
  private static let network = [
    0.0005, 0.001, 0.002, 0.005, 0.01, 0.0167, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
  ]
  /// The same for durations inside the server, most of which are far below a millisecond.
  private static let inside = [0.00001, 0.00002, 0.00005, 0.0001, 0.0002] + network

  /// The kinds of messages that are frames.
  private static let frames: Set<ServerKind> = [.snapshot, .delta, .batch]

  /// The numbers of messages sent, indexed by their first byte; nil for a byte that begins no
  /// message.
  private let sent: [Counter?]
  /// Whether messages with a first byte are frames.
  private let isFrame: [Bool]
  private let bytesSent: Counter
  /// Frames that were not sent to a member because its connection could not take them.
  private let choked: Counter
  /// Messages received from members.
  let received: Counter
  /// Members that rejoined.
  let resumed: Counter
  /// The time from an input to the frame that it produces, inside the server, in seconds.
  let inputToFrame: Histogram
  /// The time that it takes to pass a frame to the sockets of all members, in seconds.
  let fanOut: Histogram
  private let lateness: Histogram
  private let syncError: Histogram
  private let roundTrip: Histogram

  init(in registry: MetricRegistry) {
    sent = (UInt8.min...UInt8.max).map { byte in
      ServerKind(rawValue: byte).map { kind in
        let isFrame = Self.frames.contains(kind)
        return registry.counter(
          isFrame ? "lectern_frames_sent_total" : "lectern_news_sent_total",
          help: isFrame
            ? "Frames sent, each counted once for each member."
            : "Other messages sent, each counted once for each member.",
          labels: ["type": "\(kind)"]
        )
      }
    }
    isFrame = (UInt8.min...UInt8.max).map { byte in
      ServerKind(rawValue: byte).map { Self.frames.contains($0) } ?? false
    }
    bytesSent = registry.counter(
      "lectern_sent_bytes_total",
      help: "Bytes sent in WebSocket messages."
    )
    choked = registry.counter(
      "lectern_frames_skipped_total",
      help: "Frames that a member was not sent.",
      labels: ["reason": "choked"]
    )
    received = registry.counter("lectern_messages_received_total", help: "Messages of members.")
    resumed = registry.counter(
      "lectern_resumes_total",
      help: "Members that rejoined as the same member.",
      labels: ["result": "kept"]
    )
    func seconds(_ name: String, _ bounds: [Double], _ help: String) -> Histogram {
      registry.histogram(name, help: help, bounds: bounds)
    }
    lateness = seconds(
      "lectern_client_lateness_seconds",
      Self.network,
      "How much later than its time a member's page had a frame."
    )
    syncError = seconds(
      "lectern_client_sync_error_seconds",
      Self.network,
      "How far a member's picture is from the room's, as its page measures it."
    )
    roundTrip = seconds("lectern_rtt_seconds", Self.network, "Round trips, as pages measure them.")
    inputToFrame = seconds(
      "lectern_input_to_frame_seconds",
      Self.inside,
      "From an input to the frame that it made, in the server."
    )
    fanOut = seconds(
      "lectern_fanout_duration_seconds",
      Self.inside,
      "From a frame to its being handed to the sockets of all members."
    )
  }

  /// The number of messages sent.
  var messagesSent: UInt64 { sent.reduce(0) { $0 + ($1?.value ?? 0) } }

  /// Counts a message that was sent to some members, and that the connections of others could not
  /// take.
  func note(_ bytes: Slice<UnsafeRawBufferPointer>, sent count: Int, refused: Int) {
    guard let first = bytes.first else { return }
    sent[Int(first)]?.add(UInt64(clamping: count))
    bytesSent.add(UInt64(clamping: count * bytes.count))
    if refused > 0, isFrame[Int(first)] { choked.add(UInt64(clamping: refused)) }
  }

  /// Adds the measurements of a page, in seconds.
  func noteAck(lateness: Double, syncError: Double, roundTrip: Double) {
    self.lateness.observe(lateness)
    self.syncError.observe(abs(syncError))
    self.roundTrip.observe(roundTrip)
  }
}
