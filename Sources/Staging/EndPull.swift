internal import Motion

/// A pull past an end of the open book: the farther the finger has pulled, the less the book
/// follows.
struct EndPull: Equatable, Sendable {
  /// How far a pull closes the book at most, as a fraction of its way.
  static let band = 0.15
  /// The pull, with what its momentum adds, that closes the book, in page widths.
  private static let closingLength = 1.0
  /// How much of the momentum counts: an ordinary swipe, also one across half a phone, does not
  /// close the book.
  private static let momentumShare = 0.5
  /// The velocity against the pull above which a finger takes it back, in page widths per second.
  private static let takenBack = 0.5
  private static let speedMax = 55.0
  private static let track = Track(
    range: 1...1,
    bandLength: band,
    velocityLimit: 10,
    tolerance: TakenBook.openingTolerance
  )

  /// Whether the end is the back cover.
  let onBack: Bool
  /// The openness of the book under the finger.
  private(set) var grab: Grab
  private var tracker = VelocityTracker()

  /// Returns whether the openness of a book is one that a pull can reach.
  static func reaches(_ openness: Double) -> Bool { openness <= 1 && openness > 1 - band }

  /// Begins a pull.
  /// - Parameters:
  ///   - opening: The openness of the book.
  ///   - onBack: Whether the end is the back cover.
  ///   - finger: The place of the finger, in stage points to the right.
  ///   - width: The width of a page, in stage points.
  ///   - time: The present time, in seconds.
  init(_ opening: Animation, onBack: Bool, from finger: Double, width: Double, at time: Double) {
    self.onBack = onBack
    let gain = (onBack ? 1 : -1) / max(width, 1)
    grab = Grab(opening, on: Self.track, finger: finger, gain: gain, at: time)
    tracker.add(length, at: time)
  }

  /// How far the finger has pulled, in page widths.
  var length: Double { 1 - grab.raw }

  /// Moves the book with the finger.
  mutating func move(to finger: Double, at time: Double) {
    grab.move(to: finger, at: time)
    tracker.add(length, at: time)
  }

  /// Returns whether the book closes if the finger lets it go.
  func closes(at time: Double) -> Bool {
    let speed = tracker.slope(at: time, limit: Self.speedMax)
    let momentum = Scrolling.project(velocityPerSecond: speed, rate: Scrolling.fastRate)
    return speed > -Self.takenBack
      && length + Self.momentumShare * momentum >= Self.closingLength
  }

  /// Returns whether the finger would have turned a leaf.
  func turns(at time: Double) -> Bool {
    let speed = tracker.slope(at: time, limit: Self.speedMax)
    return PercentDriven.finishes(progress: length, velocity: speed)
  }
}
