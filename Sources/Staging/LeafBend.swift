internal import Glibc
internal import Motion
internal import Scene

/// The bend of the turning leaf over time, in closed form.
///
/// In flight the free edge lags behind, the more the faster the leaf turns. What a finger or an
/// earlier motion has left of the bend decays on its own, so that the bend and its velocity never
/// jump:
///
///     bend(t) = lag(velocity(t)) + rest(t),  lag(v) = -0.5 tanh(v / 2.5)
struct LeafBend: Equatable, Sendable {
  private static let lagMax = 0.5
  /// The velocity at which the lag is three quarters of its limit, in leaves per second.
  private static let lagVelocity = 2.5
  private static let decay = Spring(omega: 18, dampingRatio: 1)
  private static let tolerance = 1e-3

  /// The bend that a finger holds, or the decaying rest.
  private var rest = Animation.rest(0)

  /// Returns the bend at a time.
  /// - Parameters:
  ///   - turn: The leaf offset, as an animation.
  ///   - time: The time, in seconds.
  /// - Returns: The bend, for the most flexible paper.
  func value(during turn: Animation, at time: Double) -> Double {
    if turn.isHeld { return rest.target }
    return Self.lag(turn.velocity(at: time)) + rest.value(at: time)
  }

  /// Holds the bend under a finger.
  mutating func hold(at bend: Double) { rest = .held(bend) }

  /// Continues with another animation of the leaf, with the present bend and its velocity.
  mutating func follow(from old: Animation, to new: Animation, at time: Double) {
    let bend = value(during: old, at: time)
    let slope = old.isHeld ? 0 : velocity(during: old, at: time)
    let lag = Self.lag(new.velocity(at: time))
    rest = .spring(
      Self.decay,
      from: bend - lag,
      velocity: slope - Self.lagVelocity(during: new, at: time),
      to: 0,
      at: time,
      tolerance: Self.tolerance
    )
  }

  /// Makes the leaf rigid, because no leaf turns.
  mutating func straighten() { rest = .rest(0) }

  private func velocity(during turn: Animation, at time: Double) -> Double {
    Self.lagVelocity(during: turn, at: time) + rest.velocity(at: time)
  }

  private static func lag(_ velocity: Double) -> Double { -lagMax * tanh(velocity / lagVelocity) }

  private static func lagVelocity(during turn: Animation, at time: Double) -> Double {
    let hyperbolic = tanh(turn.velocity(at: time) / lagVelocity)
    let slope = -lagMax / lagVelocity * (1 - hyperbolic * hyperbolic)
    return slope * turn.acceleration(at: time)
  }
}

extension PaperStock {
  /// How far a leaf bends: 1 for paper, 0 for a rigid leaf.
  var flexibility: Double {
    switch self {
    case .paper: 1
    case .card: 0.45
    case .board: 0
    }
  }
}
