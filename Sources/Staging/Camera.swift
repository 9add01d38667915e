package import Motion
package import Scene

/// A member's view of the stage: the whole stage, centred and as large as fits, then framed for the
/// window, and magnified by the member's zoom.
package struct Camera: Equatable, Sendable {
  /// The number of CSS pixels per stage point, without the framing and the zoom.
  package let scale: Double
  /// The part of the stage that the window shows without the zoom.
  package let framing: ZoomTransform
  /// The zoom and pan of the member.
  package let view: ZoomTransform
  /// The centre of the window, in CSS pixels from its upper left corner.
  private let middle: Point

  /// Creates a camera.
  /// - Parameters:
  ///   - viewport: The member's window.
  ///   - framing: The part of the stage that the window shows without the zoom.
  ///   - view: The member's zoom and pan.
  package init(viewport: Viewport, framing: ZoomTransform = .whole, view: ZoomTransform = .whole) {
    let size = viewport.size
    scale = max(min(size.width / Stage.size.width, size.height / Stage.size.height), Self.scaleMin)
    self.framing = framing
    self.view = view
    middle = Point(x: size.width / 2, y: size.height / 2)
  }

  /// The minimum scale, which prevents infinite points in a window without a size.
  private static let scaleMin = 0.01

  /// The matrix of the stage's root about its centre, which the page places at the centre of the
  /// window.
  package var transform: Transform3D {
    let whole = framing.then(view)
    var transform = Transform3D.scale(x: scale * whole.zoom, y: scale * whole.zoom, z: 1)
    transform.m41 = scale * whole.x
    transform.m42 = scale * whole.y
    return transform
  }

  /// Returns the point of the stage under a point of the window.
  /// - Parameter pixels: CSS pixels from the upper left corner of the window.
  /// - Returns: Stage points from the centre of the stage.
  package func stagePoint(_ pixels: Point) -> Point {
    framing.inverse(view.inverse(viewPoint(pixels)))
  }

  /// Returns the point that would be under a point of the window without the framing and the zoom.
  package func viewPoint(_ pixels: Point) -> Point {
    Point(x: (pixels.x - middle.x) / scale, y: (pixels.y - middle.y) / scale)
  }
}

/// A zoom and pan: a point p of the stage appears at zoom · p + (x, y), in stage points.
package struct ZoomTransform: Equatable, Sendable {
  /// The magnification.
  package var zoom: Double
  /// The shift of the stage's centre to the right, in stage points of the window.
  package var x: Double
  /// The shift of the stage's centre downwards, in stage points of the window.
  package var y: Double

  /// Creates a zoom and pan.
  package init(zoom: Double, x: Double, y: Double) {
    self.zoom = zoom
    self.x = x
    self.y = y
  }

  /// Returns this transform followed by another one.
  func then(_ next: ZoomTransform) -> ZoomTransform {
    ZoomTransform(zoom: next.zoom * zoom, x: next.zoom * x + next.x, y: next.zoom * y + next.y)
  }

  /// Returns the point that appears at a point.
  package func inverse(_ point: Point) -> Point {
    Point(x: (point.x - x) / zoom, y: (point.y - y) / zoom)
  }

  /// The stage without zoom and pan.
  package static let whole = ZoomTransform(zoom: 1, x: 0, y: 0)
}
