internal import Motion

// Transitions from one animation to the next.
extension Animation {
  /// Returns the spring that moves this animation on to a target from its present position and
  /// velocity; nil if it already rests there.
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

  /// Moves on to a target from the present position and velocity, unless it already rests there.
  mutating func launch(
    to target: Double,
    spring: Spring = .landing,
    tolerance: Double,
    at time: Double
  ) {
    let next = relaunched(to: target, spring: spring, tolerance: tolerance, at: time)
    if let next { self = next }
  }

  /// Returns whether the scalar moves without a finger.
  func isFlying(at time: Double) -> Bool { !isHeld && !isSettled(at: time) }
}
