/// A number on its way, as a closed form of absolute time.
///
/// Reading it at any moment gives the same answer whatever was read before, so dropped frames cost
/// nothing and every reader sees the same numbers.
public struct Animation: Equatable, Sendable {
  private enum Shape: Equatable, Sendable {
    case rest
    case held
    case spring(Spring, displacement: Double, velocity: Double)
    case eased(CubicBezier, from: Double, duration: Double)
  }

  private let shape: Shape
  private let start: Double
  /// Where the course ends, or for one that does not move where it is.
  public let target: Double
  /// When the course ends: always over at rest, never under a finger.
  public let endTime: Double

  /// A value that does not change.
  public static func rest(_ value: Double) -> Animation {
    Animation(shape: .rest, start: 0, target: value, endTime: -.infinity)
  }

  /// A value under a finger: it stands where it was put, and has not settled.
  public static func held(_ value: Double) -> Animation {
    Animation(shape: .held, start: 0, target: value, endTime: .infinity)
  }

  /// A spring's way from a value and a velocity (per second) to a target.
  ///
  /// It ends after `duration`, or without one as soon as it stays within `tolerance` of its target.
  /// From its end on it has its target exactly.
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

  /// A timing curve's way from one value to another.
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

  /// The value at `t`; before its start, that at its start.
  public func value(at t: Double) -> Double {
    if isSettled(at: t) { return target }
    let elapsed = max(t - start, 0)
    switch shape {
    case .rest, .held:
      return target
    case .spring(let spring, let displacement, let velocity):
      let state = spring.state(displacement: displacement, velocity: velocity, after: elapsed)
      return target + state.displacement
    case .eased(let curve, let from, let duration):
      return from + (target - from) * curve(elapsed / duration)
    }
  }

  /// The velocity at `t`, per second.
  public func velocity(at t: Double) -> Double {
    if isSettled(at: t) { return 0 }
    let elapsed = max(t - start, 0)
    switch shape {
    case .rest, .held:
      return 0
    case .spring(let spring, let displacement, let velocity):
      return spring.state(displacement: displacement, velocity: velocity, after: elapsed).velocity
    case .eased(let curve, let from, let duration):
      return (target - from) * curve.slope(at: elapsed / duration) / duration
    }
  }

  /// Whether the course has ended at `t`.
  public func isSettled(at t: Double) -> Bool { t >= endTime }

  /// Whether a finger holds the value.
  public var isHeld: Bool { shape == .held }
}
