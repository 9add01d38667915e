internal import Motion

/// A scalar under a finger: where both were when the finger took hold, and how fast it goes.
///
/// The scalar follows the finger by `gain` and yields at the ends of `track`. Taking hold in
/// mid-air keeps the position; letting go hands on the position and the measured velocity.
struct Grab: Equatable, Sendable {
  private let track: Track
  private let rawStart: Double
  private let fingerStart: Double
  private let gain: Double
  private var tracker = VelocityTracker()
  /// Where the scalar was going, or rested, before it was taken.
  let targetBefore: Double
  /// Where the scalar is now.
  private(set) var value: Double
  /// Where the scalar would be if its track had no ends.
  private(set) var raw: Double

  /// Takes hold of an animation.
  /// - Parameters:
  ///   - animation: What is taken.
  ///   - track: Its ends.
  ///   - finger: Where the finger is, in its own unit.
  ///   - gain: Units of the scalar for one unit of the finger.
  ///   - time: Now, in seconds.
  ///   - goal: Where it was going, if not to the end of its animation.
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

  /// Follows the finger.
  mutating func move(to finger: Double, at time: Double) {
    raw = rawStart + gain * (finger - fingerStart)
    value = track.value(of: raw, grabbedAt: rawStart)
    tracker.add(value, at: time)
  }

  /// The velocity on letting go, in units a second.
  func velocity(at time: Double) -> Double {
    tracker.slope(at: time, limit: track.velocityLimit)
  }

  /// The course on letting go: from where the finger left the scalar, on to where it comes to rest.
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
}

/// The range of a scalar and what happens at its ends.
struct Track: Equatable, Sendable {
  /// The resting range.
  let range: ClosedRange<Double>
  /// The length that the rubber band yields by, in the scalar's unit; nil for hard ends.
  let bandLength: Double?
  /// The fastest that a finger's velocity is believed, in units a second.
  let velocityLimit: Double
  /// How near its target the scalar has landed.
  let tolerance: Double

  /// The furthest that a finger is followed, in the scalar's unit: beyond any library's end.
  private static let rawMax = 1e12

  /// The unbent position that shows as `value`.
  func raw(of value: Double) -> Double {
    let bandLength = self.bandLength ?? 1
    if value < range.lowerBound {
      // The band never yields its whole length, so a value beyond is taken as just short.
      let over = max(value - range.lowerBound, -0.999 * bandLength)
      return range.lowerBound + Scrolling.rubberBandInverse(over, dimension: bandLength)
    }
    if value > range.upperBound {
      let over = min(value - range.upperBound, 0.999 * bandLength)
      return range.upperBound + Scrolling.rubberBandInverse(over, dimension: bandLength)
    }
    return value
  }

  /// Where an unbent position shows; `grabbedAt` lets hard ends accept an overshoot
  /// caught in the air.
  func value(of raw: Double, grabbedAt start: Double) -> Double {
    // A finger a Double's greatest number away would make the band infinite over infinite.
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
