internal import Glibc
internal import Motion

/// What the fingers on the stage hold.
enum Gesture: Equatable, Sendable {
  /// The list, by a drag up or down.
  case list(Grab)
  /// The carousel, by a drag sideways.
  case carousel(Grab)
  /// The slide between shelf and list, by a drag from the left edge or in mid-flight.
  case slide(Grab)
  /// The leaves of the open book; `start` is the spread that the drag began from.
  case leaves(Grab, start: Int)
  /// The openness of a closing book, by a drag: leftwards opens.
  case cover(Grab)
  /// The openness or the pose of the book, by two fingers.
  case pinch(PinchGrab)
}

/// A pinch, before and after it is known which way it goes.
struct PinchGrab: Equatable, Sendable {
  /// A pinch within this fraction of its first scale has no direction yet.
  static let deadZone = 0.02

  /// The scale at the beginning; later ones are relative to it.
  var scaleStart: Double
  /// The fingers hold the pose of the open book, not its openness.
  var holdsPose = false
  /// The hold on the openness or the pose; nil until the direction is known, or when nothing was in
  /// the air and the direction means nothing here.
  var grab: Grab?

  /// The pose for a scale: twice the size lays the book flat, half of it stands it up.
  static func pose(_ scale: Double) -> Double { log2(scale) }

  /// The change of openness for a scale relative to the beginning: fingers apart open,
  /// together they close.
  static func change(_ scale: Double) -> Double {
    scale >= 1 ? Pinch.openingProgress(scale: scale) : -Pinch.closingProgress(scale: scale)
  }
}

/// The state of a wheel: what it has gathered towards the next step, and the zoom it holds.
struct Wheel: Equatable, Sendable {
  /// CSS pixels of wheel for one leaf, book or key step: one notch of a common mouse.
  static let stepPixels = 100.0
  /// Seconds of silence after which the gathered pixels are forgotten.
  static let memorySeconds = 0.25
  /// Seconds of silence after which a zooming wheel has let go: a wheel has no end of its own.
  static let zoomEndSeconds = 0.18
  /// The most of one zoom event that counts, in CSS pixels, so that a notch is not a leap.
  static let zoomPixelsMax = 50.0
  /// The furthest a wheel zooms: more than any book needs, and a wheel that is turned on and on
  /// does not come to a scale of 0.
  static let zoomScaleMax = 100.0
  /// The greatest event that is believed, in CSS pixels.
  static let pixelsMax = 2000.0

  var gathered = 0.0
  var lastTime = -Double.infinity
  var zoomScale = 1.0
  /// The instant at which the zoom lets go, if one is held.
  var deadline: Double?
}
