/// How much of something a member may do: a bucket of tokens, filled at a steady rate.
///
/// ```swift
/// var control = TokenBucket(rate: 10, burst: 30)
/// guard control.take(at: now) else { return }
/// ```
/// Costs the same however long ago it was last asked, and remembers no more than two numbers.
struct TokenBucket: Equatable, Sendable {
  /// Tokens a second.
  let rate: Double
  /// The most tokens that may be saved up.
  let burst: Double

  private var tokens: Double
  private var time = -Double.infinity

  /// Creates a full bucket.
  /// - Precondition: `rate` and `burst` are positive and finite.
  init(rate: Double, burst: Double) {
    precondition(rate > 0 && rate.isFinite && burst > 0 && burst.isFinite)
    self.rate = rate
    self.burst = burst
    tokens = burst
  }

  /// Takes tokens, if they are there.
  /// - Parameters:
  ///   - amount: How many, not negative; one is a message.
  ///   - now: An instant in seconds; one before the last counts as the last.
  /// - Returns: Whether it is allowed; what is not costs nothing.
  mutating func take(_ amount: Double = 1, at now: Double) -> Bool {
    if now > time {
      tokens = min(burst, tokens + (now - time) * rate)
      time = now
    }
    guard tokens >= amount else { return false }
    tokens -= amount
    return true
  }

  /// When there is a token again, if nothing is taken until then; an instant in the past if there
  /// is one.
  var nextTime: Double {
    guard tokens < 1, time > -.infinity else { return -.infinity }
    // Rounding must not wake anybody a moment too early, who would find nothing to take.
    var next = time + (1 - tokens) / rate
    while tokens + (next - time) * rate < 1 { next = next.nextUp }
    return next
  }
}
