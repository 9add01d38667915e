/// A scalar over time, in closed form.
///
/// Its value at any time does not depend on earlier reads, so dropped frames cost nothing and every
/// reader sees the same values.
public struct Animation: Equatable, Sendable {
  private enum Shape: Equatable, Sendable {
    case rest
    case held
    case spring(Spring, displacement: Double, velocity: Double)
    case eased(CubicBezier, from: Double, duration: Double)
  }

  private let shape: Shape
  private let start: Double
  /// The final value, or the present value of a scalar that does not move.
  public let target: Double
  /// The time at which the animation ends, in seconds; -infinity for a value at rest, +infinity for
  /// a held one.
  public let endTime: Double

  /// Creates a constant value.
  public static func rest(_ value: Double) -> Animation {
    Animation(shape: .rest, start: 0, target: value, endTime: -.infinity)
  }

  /// Creates a value that a finger holds, which is constant but not settled.
  public static func held(_ value: Double) -> Animation {
    Animation(shape: .held, start: 0, target: value, endTime: .infinity)
  }

  /// Creates a spring from a value and a velocity (per second) to a target.
  ///
  /// The spring ends after `duration`; without a duration, as soon as it stays within `tolerance`
  /// of its target. From its end on it equals its target exactly.
  public static func spring(
    _ spring: Spring,
    from: Double,
    velocity: Double,
    to: Double,
    at start: Double,
    duration: Double? = nil,
    tolerance: Double
  ) -> Animation {
    let displacement = from - to
    let duration =
      duration
      ?? spring.settlingTime(displacement: displacement, velocity: velocity, tolerance: tolerance)
    return Animation(
      shape: .spring(spring, displacement: displacement, velocity: velocity),
      start: start,
      target: to,
      endTime: start + duration
    )
  }

  /// Creates an animation from one value to another with a timing curve.
  public static func eased(
    _ curve: CubicBezier,
    from: Double,
    to: Double,
    at start: Double,
    duration: Double
  ) -> Animation {
    Animation(
      shape: .eased(curve, from: from, duration: duration),
      start: start,
      target: to,
      endTime: start + duration
    )
  }

  /// Returns the value at `t`; before the start, this is the initial value.
  public func value(at t: Double) -> Double {
    if isSettled(at: t) { return target }
    let elapsed = max(t - start, 0)
    switch shape {
    case .rest, .held: return target
    case .spring(let spring, let displacement, let velocity):
      let state = spring.state(displacement: displacement, velocity: velocity, after: elapsed)
      return target + state.displacement
    case .eased(let curve, let from, let duration):
      return from + (target - from) * curve(elapsed / duration)
    }
  }

  /// Returns the velocity at `t`, per second.
  public func velocity(at t: Double) -> Double {
    if isSettled(at: t) { return 0 }
    let elapsed = max(t - start, 0)
    switch shape {
    case .rest, .held: return 0
    case .spring(let spring, let displacement, let velocity):
      return spring.state(displacement: displacement, velocity: velocity, after: elapsed).velocity
    case .eased(let curve, let from, let duration):
      return (target - from) * curve.slope(at: elapsed / duration) / duration
    }
  }

  /// Returns the acceleration of a spring at `t`, per second squared; 0 for other animations.
  public func acceleration(at t: Double) -> Double {
    guard !isSettled(at: t), case .spring(let spring, let displacement, let velocity) = shape else {
      return 0
    }
    let elapsed = max(t - start, 0)
    let state = spring.state(displacement: displacement, velocity: velocity, after: elapsed)
    // The equation of motion of a damped oscillator.
    return -spring.omega
      * (spring.omega * state.displacement + 2 * spring.dampingRatio * state.velocity)
  }

  /// Returns whether the animation has ended at `t`.
  public func isSettled(at t: Double) -> Bool { t >= endTime }

  /// Whether a finger holds the value.
  public var isHeld: Bool { shape == .held }
}
