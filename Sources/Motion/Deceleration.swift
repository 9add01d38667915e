import Glibc

/// A scroll let go: its velocity shrinks by the same factor every millisecond.
public struct Deceleration: Equatable, Sendable {
  /// Where it was let go.
  public let position: Double
  /// How fast it was then, per second.
  public let velocity: Double
  /// What is left of the velocity after a millisecond.
  public let rate: Double

  /// Creates a deceleration.
  public init(from position: Double, velocity: Double, rate: Double = Scrolling.normalRate) {
    self.position = position
    self.velocity = velocity
    self.rate = rate
  }

  /// Where it is `t` seconds after it was let go.
  public func position(after t: Double) -> Double {
    position + velocity / 1000 * (pow(rate, 1000 * t) - 1) / log(rate)
  }

  /// How fast it is `t` seconds after it was let go, per second.
  public func velocity(after t: Double) -> Double {
    velocity * pow(rate, 1000 * t)
  }

  /// Where it comes to rest.
  public var limit: Double { position - velocity / 1000 / log(rate) }

  /// When it is within `tolerance` of its rest.
  public func duration(tolerance: Double) -> Double {
    guard velocity != 0 else { return 0 }
    let decay = -1000 * log(rate)
    return max(0, log(abs(velocity) / (decay * tolerance)) / decay)
  }
}
