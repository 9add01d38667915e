internal import Motion

/// A scalar that a finger holds, with the positions of both at the start and the velocity.
///
/// The scalar follows the finger with the factor `gain` and stretches beyond the ends of `track`.
/// Grabbing the scalar in mid-flight keeps its position; releasing it passes on its position and
/// the measured velocity.
struct Grab: Equatable, Sendable {
  private let track: Track
  private let rawStart: Double
  private let fingerStart: Double
  private let gain: Double
  private var tracker = VelocityTracker()
  /// The target or rest position of the scalar before it was grabbed.
  let targetBefore: Double
  /// The present value of the scalar.
  private(set) var value: Double
  /// The value that the scalar would have if its track had no ends.
  private(set) var raw: Double

  /// Grabs an animation.
  /// - Parameters:
  ///   - animation: The animation.
  ///   - track: The range of the scalar.
  ///   - finger: The position of the finger, in its own unit.
  ///   - gain: Units of the scalar per unit of the finger.
  ///   - time: The present time, in seconds.
  ///   - goal: The target, if it differs from that of the animation.
  init(
    _ animation: Animation,
    on track: Track,
    finger: Double,
    gain: Double,
    at time: Double,
    goal: Double? = nil
  ) {
    self.track = track
    self.gain = gain
    fingerStart = finger
    targetBefore = goal ?? animation.target
    value = animation.value(at: time)
    rawStart = track.raw(of: value)
    raw = rawStart
    tracker.add(value, at: time)
  }

  /// Moves the scalar with the finger.
  mutating func move(to finger: Double, at time: Double) {
    raw = rawStart + gain * (finger - fingerStart)
    value = track.value(of: raw, grabbedAt: rawStart)
    tracker.add(value, at: time)
  }

  /// Returns the velocity at a release, in units per second.
  func velocity(at time: Double) -> Double { tracker.slope(at: time, limit: track.velocityLimit) }

  /// Returns the animation after a release, from the position and velocity of the finger to rest.
  func flight(
    on spring: Spring = .landing,
    to target: Double,
    velocity: Double,
    at time: Double
  ) -> Animation {
    .spring(
      spring,
      from: value,
      velocity: velocity,
      to: target,
      at: time,
      tolerance: track.tolerance
    )
  }

  /// Returns how a progress that has left 1, or else 0, continues after a release; one that is
  /// cancelled continues to its previous target.
  func released(
    on spring: Spring = .landing,
    cancelled: Bool,
    from isFromEnd: Bool,
    at time: Double
  ) -> Animation {
    let velocity = cancelled ? 0 : velocity(at: time)
    let target = end(velocity: velocity, cancelled: cancelled, from: isFromEnd)
    return flight(on: spring, to: target, velocity: velocity, at: time)
  }

  /// Returns where a progress that has left 1, or else 0, comes to rest after a release; one that
  /// is cancelled continues to its previous target.
  func end(velocity: Double, cancelled: Bool, from isFromEnd: Bool) -> Double {
    if cancelled { return targetBefore }
    let finishes = PercentDriven.finishes(
      progress: isFromEnd ? 1 - value : value,
      velocity: isFromEnd ? -velocity : velocity
    )
    return finishes == isFromEnd ? 0 : 1
  }
}

/// The range of a scalar and its behaviour at the ends.
struct Track: Equatable, Sendable {
  /// The resting range.
  let range: ClosedRange<Double>
  /// The dimension of the rubber band, in the scalar's unit; nil for hard ends.
  let bandLength: Double?
  /// The maximum velocity of a finger, in units per second.
  let velocityLimit: Double
  /// The distance from its target at which the scalar has landed.
  let tolerance: Double

  /// The maximum position of a finger in the scalar's unit, beyond the end of any library.
  private static let rawMax = 1e12
  /// The maximum velocity of a fling, in stage points per second.
  static let flingMax = 20_000.0

  /// Returns the track of a progress from 0 to 1, with hard ends.
  static func progress(tolerance: Double) -> Track {
    Track(range: 0...1, bandLength: nil, velocityLimit: 10, tolerance: tolerance)
  }

  /// Returns the unclamped position that is shown as `value`.
  func raw(of value: Double) -> Double {
    let bandLength = self.bandLength ?? 1
    if value < range.lowerBound {
      // The band never stretches by its whole length, so a value beyond that is treated as slightly
      // less.
      let over = max(value - range.lowerBound, -0.999 * bandLength)
      return range.lowerBound + Scrolling.rubberBandInverse(over, dimension: bandLength)
    }
    if value > range.upperBound {
      let over = min(value - range.upperBound, 0.999 * bandLength)
      return range.upperBound + Scrolling.rubberBandInverse(over, dimension: bandLength)
    }
    return value
  }

  /// Returns the value that is shown for an unclamped position; with `grabbedAt`, hard ends accept
  /// an overshoot that was caught in mid-flight.
  func value(of raw: Double, grabbedAt start: Double) -> Double {
    // A finger at the greatest Double would make the band calculate infinity divided by infinity.
    let raw = min(max(raw, -Self.rawMax), Self.rawMax)
    let overshootCaught = !range.contains(start)
    guard let length = bandLength ?? (overshootCaught ? 1 : nil) else {
      return min(max(raw, range.lowerBound), range.upperBound)
    }
    if raw < range.lowerBound {
      return range.lowerBound + Scrolling.rubberBand(raw - range.lowerBound, dimension: length)
    }
    if raw > range.upperBound {
      return range.upperBound + Scrolling.rubberBand(raw - range.upperBound, dimension: length)
    }
    return raw
  }
}

/// Clamps a fraction to 0...1, so that the overshoot of a spring never leaves the range of an
/// opacity.
func clamp(_ fraction: Double) -> Double { min(max(fraction, 0), 1) }
