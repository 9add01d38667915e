import Glibc

/// A released scroll, whose velocity shrinks by the same factor every millisecond.
public struct Deceleration: Equatable, Sendable {
  /// The position at the release.
  public let position: Double
  /// The velocity at the release, per second.
  public let velocity: Double
  /// The factor by which the velocity shrinks in a millisecond.
  public let rate: Double

  /// Creates a deceleration.
  public init(from position: Double, velocity: Double, rate: Double = Scrolling.normalRate) {
    self.position = position
    self.velocity = velocity
    self.rate = rate
  }

  /// Returns the position `t` seconds after the release.
  public func position(after t: Double) -> Double {
    position + velocity / 1000 * (pow(rate, 1000 * t) - 1) / log(rate)
  }

  /// Returns the velocity `t` seconds after the release, per second.
  public func velocity(after t: Double) -> Double {
    velocity * pow(rate, 1000 * t)
  }

  /// The position at rest.
  public var limit: Double { position - velocity / 1000 / log(rate) }

  /// Returns when it is within `tolerance` of rest, in seconds.
  public func duration(tolerance: Double) -> Double {
    guard velocity != 0 else { return 0 }
    let decay = -1000 * log(rate)
    return max(0, log(abs(velocity) / (decay * tolerance)) / decay)
  }
}
