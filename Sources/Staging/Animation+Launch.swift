internal import Motion

// The transitions between animations.
extension Animation {
  /// Returns the spring that moves this animation on to a target, with its present position and
  /// velocity; nil if it rests there already.
  func relaunched(
    to target: Double,
    spring: Spring = .landing,
    tolerance: Double,
    at time: Double
  ) -> Animation? {
    if isSettled(at: time), self.target == target { return nil }
    return .spring(
      spring,
      from: value(at: time),
      velocity: velocity(at: time),
      to: target,
      at: time,
      tolerance: tolerance
    )
  }

  /// Moves on to a target with the present position and velocity, unless it rests there already.
  mutating func launch(
    to target: Double,
    spring: Spring = .landing,
    tolerance: Double,
    at time: Double
  ) {
    let next = relaunched(to: target, spring: spring, tolerance: tolerance, at: time)
    if let next { self = next }
  }

  /// Returns whether it moves on its own.
  func isFlying(at time: Double) -> Bool { !isHeld && !isSettled(at: time) }
}
