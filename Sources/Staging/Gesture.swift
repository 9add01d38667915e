internal import Glibc
internal import Motion

/// A gesture in progress on the stage.
enum Gesture: Equatable, Sendable {
  /// A drag that moves what the stage shows of the library.
  case library(LibraryDrag)
  /// A drag that turns a leaf of the open book.
  case leaf(HeldLeaf)
  /// A drag past an end of the open book, which begins to close onto its front or back cover.
  case pull(EndPull)
  /// A drag that scrolls the leaves of the open book; `start` is
  /// the spread where the drag began.
  case leaves(Grab, start: Int)
  /// A drag that moves the openness of a closing book.
  case cover(Grab)
  /// A pinch that moves the openness or the pose of the book, or makes the carousel a wall.
  case pinch(PinchGrab)
}

/// A leaf under a finger, before and after it is known which one.
enum HeldLeaf: Equatable, Sendable {
  /// The finger was put down at a point and has not moved; the target offset of the leaves is that
  /// before.
  case undecided(Point, targetBefore: Double)
  /// The finger holds a leaf.
  case held(LeafGrab)
}

/// A pinch, before and after its direction is known.
struct PinchGrab: Equatable, Sendable {
  /// The fraction of its initial scale within which a pinch has no direction yet.
  static let deadZone = 0.02

  /// The initial scale, to which later ones are relative.
  var scaleStart: Double
  /// What the pinch moves, once ``grab`` exists.
  var scalar = Scalar.opening
  /// The grab of the scalar; nil before the direction is known, and if nothing was
  /// moving and the direction has no meaning here.
  var grab: Grab?

  /// A scalar that a pinch moves.
  enum Scalar: Equatable, Sendable {
    /// The openness of a book, its pose, or the arrangement of the covers.
    case opening, pose, wall
  }

  /// Returns the arrangement of the covers for a scale: halving makes them a wall, doubling a
  /// carousel.
  static func wall(_ scale: Double) -> Double { -log2(scale) }

  /// Returns the pose for a scale: doubling lays the book flat, halving stands it up.
  static func pose(_ scale: Double) -> Double { log2(scale) }

  /// Returns the change of openness for a scale relative to the initial one: moving the fingers
  /// apart opens, moving them together closes.
  static func change(_ scale: Double) -> Double {
    scale >= 1 ? Pinch.openingProgress(scale: scale) : -Pinch.closingProgress(scale: scale)
  }
}

/// The state of a wheel: the pixels accumulated towards the next step, and the zoom that it holds.
struct Wheel: Equatable, Sendable {
  /// The CSS pixels of wheel for one leaf, book or key step, which are one notch of a common mouse.
  static let stepPixels = 100.0
  /// The silence after which the accumulated pixels are discarded, in seconds.
  static let memorySeconds = 0.25
  /// The silence after which a zooming wheel releases the zoom, in seconds; a wheel has no end
  /// event.
  static let zoomEndSeconds = 0.18
  /// The maximum size of one zoom event, in CSS pixels, so that a notch does not jump.
  static let zoomPixelsMax = 50.0
  /// The maximum scale of a wheel's zoom, which is more than any book needs and bounds a wheel that
  /// never stops.
  static let zoomScaleMax = 100.0
  /// The maximum size of one event, in CSS pixels.
  static let pixelsMax = 2000.0

  /// Returns the zoom factor for a step of the wheel; 10 px of a trackpad change the scale by a
  /// tenth.
  static func zoomFactor(pixels dy: Double) -> Double { exp(-dy / 100) }

  var gathered = 0.0
  var lastTime = -Double.infinity
  var zoomScale = 1.0
  /// The time at which the zoom is released, in seconds; nil if none is held.
  var deadline: Double?
}
