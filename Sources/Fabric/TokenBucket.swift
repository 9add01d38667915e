/// A limit on how often something happens: a bucket of tokens that fills at a steady rate.
///
/// ```swift
/// var control = TokenBucket(rate: 10, burst: 30)
/// guard control.take(at: now) else { return }
/// ```
/// Every operation takes constant time, and a bucket stores four numbers.
public struct TokenBucket: Equatable, Sendable {
  /// Tokens a second.
  public let rate: Double
  /// The most tokens that may be saved up.
  public let burst: Double

  private var tokens: Double
  private var time = -Double.infinity

  /// Creates a full bucket.
  /// - Precondition: `rate` and `burst` are positive and finite.
  public init(rate: Double, burst: Double) {
    precondition(rate > 0 && rate.isFinite && burst > 0 && burst.isFinite)
    self.rate = rate
    self.burst = burst
    tokens = burst
  }

  /// Takes tokens if there are enough.
  /// - Parameters:
  ///   - amount: The number of tokens, not negative; a message costs one.
  ///   - now: An instant in seconds; one before the last call counts as the last.
  /// - Returns: Whether the tokens were taken. A refusal costs nothing.
  public mutating func take(_ amount: Double = 1, at now: Double) -> Bool {
    if now > time {
      tokens = min(burst, tokens + (now - time) * rate)
      time = now
    }
    guard tokens >= amount else { return false }
    tokens -= amount
    return true
  }

  /// The instant of the next whole token, in seconds; in the past if there is one now.
  public var nextTime: Double {
    guard tokens < 1, time > -.infinity else { return -.infinity }
    // Rounding must not give an instant a moment too early, at which there is no token yet.
    var next = time + (1 - tokens) / rate
    while tokens + (next - time) * rate < 1 { next = next.nextUp }
    return next
  }
}
