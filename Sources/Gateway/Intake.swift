internal import Wire

/// The checks on what one connection sends: hello first and in time, then what the protocol and the
/// rate limits allow.
struct Intake: Sendable {
  /// How long after opening a connection may send hello, in seconds.
  static let helloSeconds = 10.0
  /// The number of messages in error that a connection may send; the next one closes it.
  static let errorsMax = 8

  /// The outcome for a message.
  enum Verdict: Equatable {
    /// The message is the hello.
    case hello(Hello)
    /// The message is forwarded.
    case forward
    /// The message is dropped, or forwarded later.
    case drop
    /// The message is dropped, and its sender is informed that it sends too often.
    case tooOften
    /// The connection is closed.
    case close(CloseCode)
  }

  /// The time by which hello must arrive; nil once it has.
  private var helloDeadline: Double?
  private var errors = 0
  private var quotas = Quotas()

  /// Creates the checks for a connection that opens now.
  init(at now: Double) { helloDeadline = now + Self.helloSeconds }

  /// When there is something to do, in seconds; nil if there is nothing.
  var wakeTime: Double? { helloDeadline ?? quotas.wakeTime }

  /// Whether hello has arrived.
  var isWelcome: Bool { helloDeadline == nil }

  /// Returns whether hello has not arrived in time.
  func isLate(at now: Double) -> Bool { helloDeadline.map { $0 <= now } ?? false }

  /// Decides about a message.
  mutating func judge(_ packet: ClientPacket, at now: Double) -> Verdict {
    if case .hello(let hello) = packet.message {
      guard helloDeadline != nil else { return .close(.policyViolation) }
      helloDeadline = nil
      return .hello(hello)
    }
    guard helloDeadline == nil else { return .close(.policyViolation) }
    return switch quotas.judge(packet, at: now) {
    case .accepted: .forward
    case .dropped: .drop
    case .reported: .tooOften
    case .exceeded: .close(.tooManyErrors)
    }
  }

  /// Counts a message that does not follow the protocol.
  /// - Returns: The code with which the connection is closed, now or if such errors continue, and
  ///   whether it is closed now.
  mutating func fail(_ error: WireError) -> (code: CloseCode, closes: Bool) {
    errors += 1
    guard error.closeCode == .malformed, isWelcome else { return (error.closeCode, true) }
    return (.tooManyErrors, errors > Self.errorsMax)
  }

  /// Removes and returns the messages over their quota that may be forwarded by now.
  mutating func due(at now: Double) -> [ClientPacket] { quotas.due(at: now) }
}
