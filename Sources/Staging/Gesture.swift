internal import Glibc
internal import Motion

/// The gesture of the fingers on the stage.
enum Gesture: Equatable, Sendable {
  /// Scrolls the list by a vertical drag.
  case list(Grab)
  /// Moves the carousel by a horizontal drag.
  case carousel(Grab)
  /// Moves the slide between shelf and list by a drag from the left edge or in mid-flight.
  case slide(Grab)
  /// Turns the leaves of the open book; `start` is the spread where the drag began.
  case leaves(Grab, start: Int)
  /// Moves the openness of a closing book by a drag; leftwards opens.
  case cover(Grab)
  /// Moves the openness or the pose of the book by a pinch.
  case pinch(PinchGrab)
}

/// A pinch, before and after its direction is known.
struct PinchGrab: Equatable, Sendable {
  /// A pinch within this fraction of its first scale has no direction yet.
  static let deadZone = 0.02

  /// The initial scale, to which later ones are relative.
  var scaleStart: Double
  /// Whether the pinch moves the pose of the open book, not its openness.
  var holdsPose = false
  /// The grab of the openness or the pose; nil until the direction is known, or if nothing was
  /// moving and the direction has no meaning here.
  var grab: Grab?

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
  /// CSS pixels of wheel for one leaf, book or key step: one notch of a common mouse.
  static let stepPixels = 100.0
  /// Seconds of silence after which the accumulated pixels are discarded.
  static let memorySeconds = 0.25
  /// Seconds of silence after which a zooming wheel releases the zoom, because a wheel has no end
  /// event.
  static let zoomEndSeconds = 0.18
  /// The maximum of one zoom event in CSS pixels, so that a notch does not jump.
  static let zoomPixelsMax = 50.0
  /// The maximum scale of a wheel's zoom: more than any book needs, and a bound for a wheel that
  /// never stops.
  static let zoomScaleMax = 100.0
  /// The maximum of one event in CSS pixels.
  static let pixelsMax = 2000.0

  /// Returns the factor of a zoom for a step of the wheel: 10 px of a trackpad are a tenth.
  static func zoomFactor(pixels dy: Double) -> Double { exp(-dy / 100) }

  var gathered = 0.0
  var lastTime = -Double.infinity
  var zoomScale = 1.0
  /// The time at which the zoom is released, if one is held.
  var deadline: Double?
}
