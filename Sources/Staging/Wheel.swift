internal import Glibc

/// The state of a wheel: the pixels accumulated towards the next step, and the zoom that it holds.
struct Wheel: Equatable, Sendable {
  /// The CSS pixels of wheel for one leaf, book or key step, which are one notch of a common mouse.
  private static let stepPixels = 100.0
  /// The silence after which the accumulated pixels are discarded, in seconds.
  private static let memorySeconds = 0.25
  /// The silence after which a zooming wheel releases the zoom, in seconds; a wheel has no end
  /// event.
  static let zoomEndSeconds = 0.18
  /// The maximum size of one zoom event, in CSS pixels, so that a notch does not jump.
  private static let zoomPixelsMax = 50.0
  /// The maximum scale of a wheel's zoom, which is more than any book needs and bounds a wheel that
  /// never stops.
  private static let zoomScaleMax = 100.0
  /// The maximum size of one event, in CSS pixels.
  private static let pixelsMax = 2000.0

  private var gathered = 0.0
  private var lastTime = -Double.infinity
  private var zoomScale = 1.0
  /// The time at which the zoom is released, in seconds; nil if none is held.
  private(set) var deadline: Double?

  /// Returns the pixels of an event that count: those of its greater direction.
  static func pixels(_ dx: Double, _ dy: Double) -> Double {
    min(max(abs(dx) > abs(dy) ? dx : dy, -pixelsMax), pixelsMax)
  }

  /// Gathers the pixels of an event.
  /// - Returns: The number of steps that they complete, negative for backwards.
  mutating func steps(gathering pixels: Double, at time: Double) -> Int {
    if time - lastTime > Self.memorySeconds { gathered = 0 }
    lastTime = time
    gathered += pixels
    let steps = Int((gathered / Self.stepPixels).rounded(.towardZero))
    gathered -= Double(steps) * Self.stepPixels
    return steps
  }

  /// Zooms by the pixels of an event, and holds the zoom.
  /// - Returns: The scale; 10 px of a trackpad change it by a tenth.
  mutating func zoom(by pixels: Double, at time: Double) -> Double {
    if deadline == nil { zoomScale = 1 }
    let step = min(max(pixels, -Self.zoomPixelsMax), Self.zoomPixelsMax)
    let scale = zoomScale * exp(-step / 100)
    zoomScale = min(max(scale, 1 / Self.zoomScaleMax), Self.zoomScaleMax)
    deadline = time + Self.zoomEndSeconds
    return zoomScale
  }

  /// Releases the zoom.
  mutating func letGo() { deadline = nil }
}
