/// A rate limit, implemented as a bucket of tokens that fills at a steady rate.
///
/// ```swift
/// var control = TokenBucket(rate: 10, burst: 30)
/// guard control.take(at: now) else { return }
/// ```
/// Every operation takes constant time, and a bucket stores four numbers.
package struct TokenBucket: Equatable, Sendable {
  /// The number of tokens that are added each second.
  package let rate: Double
  /// The capacity of the bucket, in tokens.
  package let burst: Double

  private var tokens: Double
  private var time = -Double.infinity

  /// Creates a full bucket.
  /// - Precondition: `rate` and `burst` are positive and finite.
  package init(rate: Double, burst: Double) {
    precondition(rate > 0 && rate.isFinite && burst > 0 && burst.isFinite)
    self.rate = rate
    self.burst = burst
    tokens = burst
  }

  /// Takes tokens if there are enough.
  /// - Parameters:
  ///   - amount: The number of tokens, at least 0; a message costs one.
  ///   - now: The time in seconds; a time before that of the last call counts as the latter.
  /// - Returns: Whether the tokens were taken; a call that returns false takes none.
  package mutating func take(_ amount: Double = 1, at now: Double) -> Bool {
    if now > time {
      tokens = min(burst, tokens + (now - time) * rate)
      time = now
    }
    guard tokens >= amount else { return false }
    tokens -= amount
    return true
  }

  /// Returns whether the bucket is full again, at a time not before that of the last call.
  package func isFull(at now: Double) -> Bool { tokens + (now - time) * rate >= burst }

  /// The time of the next whole token, in seconds; in the past if there is one now.
  package var nextTime: Double {
    guard tokens < 1, time > -.infinity else { return -.infinity }
    // Rounding must not give a time that is slightly too early, when there is no token yet.
    var next = time + (1 - tokens) / rate
    while tokens + (next - time) * rate < 1 { next = next.nextUp }
    return next
  }
}
