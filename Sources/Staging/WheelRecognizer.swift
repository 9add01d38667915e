internal import Glibc

/// One member's wheel made into steps: a notch of a mouse is one, and so is a fling of a trackpad,
/// however long it runs on by itself.
///
/// A mouse says its whole notch at once, and the same again for each further one. A trackpad begins
/// small, and when the fingers have left it goes on by events that only fade. So one step is taken
/// of a stream of events, and another when more comes than a fading stream can bring, when it turns
/// round, after a silence, or when it goes on and on as strongly as ever.
public struct WheelRecognizer: Equatable, Sendable {
  /// What a stream must come to for a step, in CSS pixels: one notch of a common mouse.
  public static let stepPixels = 100.0
  /// What a stream must come to for each further book of a shelf, in CSS pixels: as far as they are
  /// apart.
  public static let bookPixels = 372.0
  /// Seconds of silence after which events belong to another gesture.
  static let silence = 0.25
  /// The least first event that is a notch, in CSS pixels.
  static let notchMin = 45.0
  /// The most notches that one event can be.
  static let notchesMax = 4.0
  /// The greatest event that is believed, in CSS pixels.
  static let pixelsMax = 2000.0
  /// Seconds after a step from which on a stream that does not fade makes another.
  static let steadySeconds = 0.6
  /// How many events are looked at together, since single ones come unevenly.
  static let window = 8
  /// The least time that these have to take to say how fast the stream is, in seconds.
  static let spanMin = 0.04
  /// A stream has faded when it is below this part of its peak.
  static let faded = 0.5
  /// What a faded stream may still come to, as a multiple of the least that it was.
  static let slack = 1.6
  /// What has to come beyond that for another step, in CSS pixels.
  static let excessPixels = 150.0
  /// For how long a bad line may hold events back, in seconds.
  static let heldBack = 0.15

  private var lastTime = -Double.infinity
  /// The size of a notch, while all events are of notches.
  private var notch: Double?
  private var gathered = (x: 0.0, y: 0.0)
  /// The direction that the last step came of.
  private var heading = (x: 0.0, y: 0.0)
  /// When a step was taken of the stream; nil while it has not come to one.
  private var stepTime: Double?
  private var hasFaded = false
  /// The greatest and the least speed since the step, in CSS pixels a second.
  private var peak = 0.0
  private var least = Double.infinity
  /// What came beyond that which a fading stream can come to, in CSS pixels.
  private var excess = 0.0
  /// The last events, the newest at the end.
  private var recent: [Event] = []

  private struct Event: Equatable, Sendable {
    var time: Double
    var size: Double
  }

  /// Creates a recogniser of a wheel that stands still.
  public init() {}

  /// Compares what they have heard.
  public static func == (a: WheelRecognizer, b: WheelRecognizer) -> Bool {
    a.lastTime == b.lastTime && a.notch == b.notch && a.gathered == b.gathered
      && a.heading == b.heading && a.stepTime == b.stepTime && a.hasFaded == b.hasFaded
      && a.peak == b.peak && a.least == b.least && a.excess == b.excess && a.recent == b.recent
  }

  /// Hears of one event.
  /// - Parameters:
  ///   - dx: CSS pixels to the right.
  ///   - dy: CSS pixels down.
  ///   - time: When, in seconds.
  ///   - onward: What each further step of the same stream takes, in CSS pixels; nil: no further.
  /// - Returns: How many steps it makes, forwards or, below 0, backwards.
  public mutating func hear(
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

  /// Whether an event goes against the step that its stream made.
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

  /// Each further book that a stream has come by.
  private mutating func further(_ event: (x: Double, y: Double), _ onward: Double) -> Int {
    gathered = (gathered.x + event.x, gathered.y + event.y)
    let far = abs(gathered.x) > abs(gathered.y) ? gathered.x : gathered.y
    let steps = (far / onward).rounded(.towardZero)
    let left = far - steps * onward
    if steps != 0 { gathered = abs(gathered.x) > abs(gathered.y) ? (left, 0) : (0, left) }
    return Int(steps)
  }

  /// Looks whether a stream that has made its step is still the same; what it can come to while it
  /// fades makes no other.
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
      // Fingers that drag on and on, or a wheel without notches.
      if let stepTime, time - stepTime >= Self.steadySeconds { self.stepTime = nil }
      return 0
    }
    let credit = Self.slack * least
    excess = max(excess + size - credit * pause, -credit * Self.heldBack)
    guard excess >= Self.excessPixels else { return 0 }
    // Fingers have come down again.
    recent = [Event(time: time, size: size)]
    return step(event, at: time)
  }

  /// How fast the stream is, in CSS pixels a second; nil while that cannot be said.
  private var speed: Double? {
    guard let first = recent.first, let last = recent.last, recent.count >= Self.window / 2,
      last.time - first.time >= Self.spanMin
    else { return nil }
    return recent.dropFirst().reduce(0) { $0 + $1.size } / (last.time - first.time)
  }
}
