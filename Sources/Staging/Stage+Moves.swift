internal import Bookwork
internal import Geometry
internal import Glibc
internal import Motion

/// Moves with an end; each keeps the position and velocity of what it interrupts.
extension Stage {
  /// A list or carousel has landed within a quarter of a stage point, less than a pixel.
  static let pointTolerance = 0.25
  /// A leaf has landed within 0.018 degrees.
  static let leafTolerance = 2e-4
  /// The slide has landed within a quarter of a stage point; its way is the width of the stage.
  static let slideTolerance = pointTolerance / size.width
  /// The book has landed within a thousandth of its way (the tolerance of UIKit).
  static let openingTolerance = 1e-3
  /// The slide between list and shelf, in seconds (the duration of a navigation bar).
  static let slideSeconds = 0.2
  /// Opening by a tap and closing by a key, in seconds.
  static let bookSeconds = 1.0
  /// The initial velocity of a tapped book, in whole ways per second.
  static let openingVelocity = 0.7

  mutating func launch(
    _ path: WritableKeyPath<Stage, Animation>,
    to target: Double,
    spring: Spring = .landing,
    tolerance: Double,
    at time: Double
  ) {
    let animation = self[keyPath: path]
    if animation.isSettled(at: time), animation.target == target { return }
    self[keyPath: path] = .spring(
      spring,
      from: animation.value(at: time),
      velocity: animation.velocity(at: time),
      to: target,
      at: time,
      tolerance: tolerance
    )
  }

  mutating func scrollList(to target: Double, at time: Double) {
    launch(
      \.scroll,
      to: min(max(target, 0), list.maximumScroll),
      tolerance: Self.pointTolerance,
      at: time
    )
  }

  mutating func scrollShelf(to index: Int, at time: Double) {
    guard let shelf, shelf.count > 0 else { return }
    let target = Double(min(max(index, 0), shelf.count - 1)) * shelf.pitch
    launch(\.carousel, to: target, tolerance: Self.pointTolerance, at: time)
  }

  mutating func turnLeaf(by count: Int, at time: Double) {
    turn(to: min(max(turnGoal + Double(count), 0), leaves.maximumOffset), at: time)
  }

  mutating func goToShelf(at time: Double) { slide(to: 1, at: time) }

  mutating func goToList(at time: Double) { slide(to: 0, at: time) }

  private mutating func slide(to end: Double, at time: Double) {
    if slide.isSettled(at: time) {
      slidesBack = end == 0
      slide = .eased(.easeInOut, from: 1 - end, to: end, at: time, duration: Self.slideSeconds)
    } else {
      launch(\.slide, to: end, spring: .closing, tolerance: Self.slideTolerance, at: time)
    }
  }

  /// Opens the book in the middle, or reverses a closing one.
  mutating func open(at time: Double) {
    guard takeCentreBook(at: time) else { return }
    if opening.isSettled(at: time) {
      opening = .spring(
        .opening,
        from: 0,
        velocity: Self.openingVelocity,
        to: 1,
        at: time,
        duration: Self.bookSeconds,
        tolerance: Self.openingTolerance
      )
    } else {
      launch(\.opening, to: 1, spring: .opening, tolerance: Self.openingTolerance, at: time)
    }
  }

  /// Closes the open book, or reverses an opening one.
  mutating func close(at time: Double) {
    endWait(at: time)
    if opening.isSettled(at: time) {
      opening = .eased(.easeInOut, from: 1, to: 0, at: time, duration: Self.bookSeconds)
    } else {
      // The spring that opens it also carries it back, with the present position and velocity.
      launch(\.opening, to: 0, spring: .opening, tolerance: Self.openingTolerance, at: time)
    }
  }

  /// Takes the book in the middle, unless a book is already taken.
  /// - Returns: False if the shelf is empty.
  mutating func takeCentreBook(at time: Double) -> Bool {
    if isBookOut(at: time) { return true }
    // For a moving carousel, the book at its target, which is the one that a tap or Enter meant.
    guard let centre = centreBook(at: time) else { return false }
    scrollShelf(to: centre, at: time)
    takeOffShelf(centre)
    return true
  }

  /// Returns the scale of a zooming wheel's step: 10 px of a trackpad are a tenth.
  func zoomFactor(wheelPixels dy: Double) -> Double { exp(-dy / 100) }
}
