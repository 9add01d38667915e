internal import Glibc

/// Recognises steps in the wheel events of one member: one per notch of a mouse, and one per fling
/// of a trackpad, regardless of the duration of its momentum.
///
/// A mouse reports a whole notch at once, and the same amount for each further notch. A trackpad
/// begins with small events, and after the fingers have left, its momentum only fades. A stream of
/// events therefore makes one step. It makes another if it brings more than a fading stream can, if
/// it reverses, after a silence, or if it continues without fading.
package struct WheelRecognizer: Equatable, Sendable {
  /// The CSS pixels of a stream for one step, which are one notch of a common mouse.
  package static let stepPixels = 100.0
  /// The CSS pixels of a stream for each further book of a shelf.
  package static let bookPixels = 372.0
  /// The silence after which events belong to another gesture, in seconds.
  static let silence = 0.25
  /// The minimum size of a first event that counts as a notch, in CSS pixels.
  static let notchMin = 45.0
  /// The maximum number of notches in one event.
  static let notchesMax = 4.0
  /// The maximum size of one event, in CSS pixels.
  static let pixelsMax = 2000.0
  /// The time after a step from which a stream that does not fade makes another, in seconds.
  static let steadySeconds = 0.6
  /// The number of events that are evaluated together, because single ones arrive unevenly.
  static let window = 8
  /// The minimum duration of these events for an estimate of the speed, in seconds.
  static let spanMin = 0.04
  /// The fraction of its peak speed below which a stream has faded.
  static let faded = 0.5
  /// The bound on a faded stream, as a multiple of its minimum.
  static let slack = 1.6
  /// The excess over that bound that makes another step, in CSS pixels.
  static let excessPixels = 150.0
  /// How long a bad connection may delay events, in seconds.
  static let heldBack = 0.15

  private var lastTime = -Double.infinity
  /// The size of a notch while all events are notches; otherwise nil.
  private var notch: Double?
  private var gathered = (x: 0.0, y: 0.0)
  /// The direction of the last step.
  private var heading = (x: 0.0, y: 0.0)
  /// The time when the stream made its step, in seconds; nil before.
  private var stepTime: Double?
  private var hasFaded = false
  /// The maximum and minimum speed since the step, in CSS pixels per second.
  private var peak = 0.0
  private var least = Double.infinity
  /// The excess over what a fading stream can bring, in CSS pixels.
  private var excess = 0.0
  /// The last events, oldest first.
  private var recent: [Event] = []

  private struct Event: Equatable, Sendable {
    var time: Double
    var size: Double
  }

  /// Creates a recogniser of a wheel at rest.
  package init() {}

  /// Returns whether two recognisers have processed equivalent events.
  package static func == (a: WheelRecognizer, b: WheelRecognizer) -> Bool {
    a.lastTime == b.lastTime && a.notch == b.notch && a.gathered == b.gathered
      && a.heading == b.heading && a.stepTime == b.stepTime && a.hasFaded == b.hasFaded
      && a.peak == b.peak && a.least == b.least && a.excess == b.excess && a.recent == b.recent
  }

  /// Processes one event of the wheel.
  /// - Parameters:
  ///   - dx: The movement to the right, in CSS pixels.
  ///   - dy: The movement downwards, in CSS pixels.
  ///   - time: The time, in seconds.
  ///   - onward: The CSS pixels for each further step of the same stream; nil for no further steps.
  /// - Returns: The number of steps, forwards or, if negative, backwards.
  package mutating func handle(
    dx: Double,
    dy: Double,
    at time: Double,
    onward: Double? = nil
  ) -> Int {
    guard dx.isFinite, dy.isFinite, dx != 0 || dy != 0 else { return 0 }
    let event = (x: Self.believed(dx), y: Self.believed(dy))
    let size = max(abs(event.x), abs(event.y))
    let pause = time - lastTime
    lastTime = time
    if !(pause <= Self.silence) || turnsRound(event) {
      begin()
      if size >= Self.notchMin {
        notch = size
        return step(event, at: time)
      }
    } else if let notch {
      let count = (size / notch).rounded()
      if count >= 1, count <= Self.notchesMax, abs(size - count * notch) < 0.02 {
        return step(event, at: time) * Int(count)
      }
      self.notch = nil
    }
    recent.append(Event(time: time, size: size))
    if recent.count > Self.window { recent.removeFirst() }
    if stepTime == nil {
      gathered = (gathered.x + event.x, gathered.y + event.y)
      guard max(abs(gathered.x), abs(gathered.y)) >= Self.stepPixels else { return 0 }
      return step(gathered, at: time)
    }
    if let onward { return further(event, onward) }
    return follow(event, size, over: pause, at: time)
  }

  private static func believed(_ pixels: Double) -> Double {
    min(max(pixels, -pixelsMax), pixelsMax)
  }

  private mutating func begin() {
    let time = lastTime
    self = WheelRecognizer()
    lastTime = time
  }

  /// Returns whether an event reverses the direction of its stream.
  private func turnsRound(_ event: (x: Double, y: Double)) -> Bool {
    guard stepTime != nil else { return false }
    let along = event.x * heading.x + event.y * heading.y
    return along < 0 && 2 * along * along > event.x * event.x + event.y * event.y
  }

  private mutating func step(_ way: (x: Double, y: Double), at time: Double) -> Int {
    let length = max(hypot(way.x, way.y), .leastNonzeroMagnitude)
    heading = (way.x / length, way.y / length)
    gathered = (0, 0)
    (stepTime, hasFaded, peak, least, excess) = (time, false, 0, .infinity, 0)
    return (abs(way.x) > abs(way.y) ? way.x : way.y) > 0 ? 1 : -1
  }

  /// Returns the number of further books that a stream has passed, negative backwards.
  private mutating func further(_ event: (x: Double, y: Double), _ onward: Double) -> Int {
    gathered = (gathered.x + event.x, gathered.y + event.y)
    let far = abs(gathered.x) > abs(gathered.y) ? gathered.x : gathered.y
    let steps = (far / onward).rounded(.towardZero)
    let left = far - steps * onward
    if steps != 0 { gathered = abs(gathered.x) > abs(gathered.y) ? (left, 0) : (0, left) }
    return Int(steps)
  }

  /// Returns the next step of a stream that has made one, or 0: a fading stream makes no other
  /// step.
  private mutating func follow(
    _ event: (x: Double, y: Double),
    _ size: Double,
    over pause: Double,
    at time: Double
  ) -> Int {
    if let speed {
      peak = max(peak, speed)
      hasFaded = hasFaded || speed < Self.faded * peak
      if hasFaded { least = min(least, speed) }
    }
    guard hasFaded else {
      // This is a continuous drag of fingers, or a wheel without notches.
      if let stepTime, time - stepTime >= Self.steadySeconds { self.stepTime = nil }
      return 0
    }
    let credit = Self.slack * least
    excess = max(excess + size - credit * pause, -credit * Self.heldBack)
    guard excess >= Self.excessPixels else { return 0 }
    // The fingers have touched the trackpad again.
    recent = [Event(time: time, size: size)]
    return step(event, at: time)
  }

  /// The speed of the stream in CSS pixels per second; nil if it is unknown.
  private var speed: Double? {
    guard let first = recent.first, let last = recent.last, recent.count >= Self.window / 2,
      last.time - first.time >= Self.spanMin
    else { return nil }
    return recent.dropFirst().reduce(0) { $0 + $1.size } / (last.time - first.time)
  }
}
