/// The progress of the body of a request.
///
/// Times are in seconds of the server's clock.
struct RequestBody: Equatable {
  /// The number of bytes that have not arrived; nil if it is unknown.
  private(set) var left: Int?
  private var deadline = 0.0
  private var pausedAt: Double?
  private var discardedBytes = 0

  /// Creates the body of a request without one.
  init() { left = 0 }

  /// Creates the body that the head of a request announces.
  init(_ framing: BodyFraming) { left = framing.count }

  /// Whether more of the body may arrive.
  var isExpected: Bool { left != 0 }

  /// Counts bytes that have arrived.
  mutating func consume(_ count: Int) { left = left.map { max(0, $0 - count) } }

  /// Ends the body early.
  mutating func end() { left = 0 }

  /// Expects anything until the client hangs up.
  mutating func becomeEndless() { left = nil }

  /// Whether reading the body is paused.
  var isPaused: Bool { pausedAt != nil }

  /// Sets the deadline, which does not include pauses.
  mutating func setDeadline(_ deadline: Double) { self.deadline = deadline }

  /// Returns the seconds until the deadline, above zero.
  func secondsLeft(at now: Double) -> Double { max(0.001, deadline - now) }

  /// Pauses reading.
  mutating func pause(at now: Double) { pausedAt = now }

  /// Continues to read; returns false if reading was not paused.
  mutating func resume(at now: Double) -> Bool {
    guard let pausedAt else { return false }
    self.pausedAt = nil
    // The pause does not count against the client.
    deadline += now - pausedAt
    return true
  }

  /// Counts unwanted bytes; returns false above the limit.
  mutating func discard(_ count: Int, limit: Int) -> Bool {
    consume(count)
    discardedBytes += count
    return discardedBytes <= limit
  }
}
