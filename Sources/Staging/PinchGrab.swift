internal import Glibc
internal import Motion
internal import Scene

/// A pinch, before and after its direction is known.
struct PinchGrab: Equatable, Sendable {
  /// The fraction of its initial scale within which a pinch has no direction yet.
  static let deadZone = 0.02

  /// The initial scale, to which later ones are relative.
  var scaleStart: Double
  /// What the pinch moves, once ``grab`` exists.
  private(set) var scalar = Scalar.opening
  /// The grab of the scalar; nil before the direction is known, and if nothing was
  /// moving and the direction has no meaning here.
  private(set) var grab: Grab?

  /// Begins a pinch that holds nothing yet.
  init(scaleStart: Double) { self.scaleStart = scaleStart }

  /// A scalar that a pinch moves.
  enum Scalar: Equatable, Sendable {
    /// The openness of a book, its pose, or the arrangement of the covers.
    case opening, pose, wall
  }

  /// Returns the arrangement of the covers for a scale: halving makes them a wall, doubling a
  /// carousel.
  private static func wall(_ scale: Double) -> Double { -log2(scale) }

  /// Returns the pose for a scale: doubling lays the book flat, halving stands it up.
  private static func pose(_ scale: Double) -> Double { log2(scale) }

  /// Returns the change of openness for a scale relative to the initial one: moving the fingers
  /// apart opens, moving them together closes.
  private static func change(_ scale: Double) -> Double {
    scale >= 1 ? Pinch.openingProgress(scale: scale) : -Pinch.closingProgress(scale: scale)
  }
}

extension PinchGrab {
  /// Takes hold of a scalar at a scale, which has no effect on the openness.
  mutating func take(
    _ scalar: Scalar,
    scale: Double = 1,
    _ position: inout LibraryPosition,
    _ book: inout TakenBook,
    at time: Double
  ) {
    func hold(_ animation: inout Animation, from finger: Double, _ tolerance: Double) -> Grab {
      let track = Track.progress(tolerance: tolerance)
      let grab = Grab(animation, on: track, finger: finger, gain: 1, at: time)
      animation = .held(grab.value)
      return grab
    }
    self.scalar = scalar
    grab =
      switch scalar {
      case .opening: hold(&book.opening, from: 0, TakenBook.openingTolerance)
      case .pose: hold(&book.lay, from: Self.pose(scale), TakenBook.openingTolerance)
      case .wall: hold(&position.wall, from: Self.wall(scale), LibraryPosition.wallTolerance)
      }
  }

  /// Moves what the pinch holds; the scale is relative to the initial one.
  mutating func move(
    to scale: Double,
    _ position: inout LibraryPosition,
    _ book: inout TakenBook,
    at time: Double
  ) {
    guard var grab else { return }
    switch scalar {
    case .opening:
      grab.move(to: Self.change(scale), at: time)
      book.opening = .held(grab.value)
    case .pose:
      grab.move(to: Self.pose(scale), at: time)
      book.lay = .held(grab.value)
    case .wall:
      grab.move(to: Self.wall(scale), at: time)
      position.wall = .held(grab.value)
    }
    self.grab = grab
  }

  /// Lets go of what the pinch holds; `origin` is the screen that the fingers leave.
  func letGo(
    _ position: inout LibraryPosition,
    _ book: inout TakenBook,
    cancelled: Bool,
    from origin: Screen,
    at time: Double
  ) {
    guard let grab else { return }
    switch scalar {
    case .opening: book.letGoOpening(grab, cancelled: cancelled, from: origin, at: time)
    case .pose: book.letGoPose(grab, cancelled: cancelled, at: time)
    case .wall:
      let isFromWall = grab.targetBefore == 1
      position.wall = grab.released(
        on: .closing,
        cancelled: cancelled,
        from: isFromWall,
        at: time
      )
    }
  }

  /// How far beyond flat the fingers have pinched the book, as a factor; 1 if not beyond flat.
  var beyondFlat: Double {
    guard scalar == .pose, let grab else { return 1 }
    return exp2(max(0, grab.raw - 1))
  }
}
