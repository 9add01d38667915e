internal import Wire

/// What one connection may say: hello first and in time, then what the protocol and the rate limits
/// allow.
struct Intake: Sendable {
  /// How long a connection may take to say hello, in seconds.
  static let helloSeconds = 10.0
  /// After so many messages in error a connection is closed.
  static let errorsMax = 8

  /// What becomes of a message.
  enum Verdict: Equatable {
    /// It is the hello.
    case hello(Hello)
    /// It is forwarded.
    case forward
    /// It is dropped, or forwarded later.
    case drop
    /// It is dropped, and its sender is told that it came too often.
    case tooOften
    /// The connection is closed.
    case close(CloseCode)
  }

  /// Until when hello may come; nil once it has.
  private var helloDeadline: Double?
  private var errors = 0
  private var quotas = Quotas()

  /// A connection that opens now.
  init(at now: Double) { helloDeadline = now + Self.helloSeconds }

  /// When there is something to do; nil if there is nothing.
  var wakeTime: Double? { helloDeadline ?? quotas.wakeTime }

  /// Whether hello has not come in time.
  func isLate(at now: Double) -> Bool { helloDeadline.map { $0 <= now } ?? false }

  /// Decides about a message.
  mutating func judge(_ packet: ClientPacket, at now: Double) -> Verdict {
    if case .hello(let hello) = packet.message {
      guard helloDeadline != nil else { return .close(.policyViolation) }
      helloDeadline = nil
      return .hello(hello)
    }
    guard helloDeadline == nil else { return .close(.policyViolation) }
    return switch quotas.take(packet, at: now) {
    case .heard: .forward
    case .dropped: .drop
    case .complained: .tooOften
    case .over: .close(.tooManyErrors)
    }
  }

  /// Counts a message that does not follow the protocol.
  /// - Returns: The code to close the connection with; nil to go on.
  mutating func fail(_ error: WireError) -> CloseCode? {
    errors += 1
    if error.closeCode != .malformed { return error.closeCode }
    if errors > Self.errorsMax { return .tooManyErrors }
    return helloDeadline == nil ? nil : .malformed
  }

  /// Takes messages that came too often and may be heard by now.
  mutating func due(at now: Double) -> [ClientPacket] { quotas.due(at: now) }
}
