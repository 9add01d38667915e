public import Geometry
public import Scene

/// How a member's window looks at the stage: the whole stage, as large as fits, in the middle, and
/// nearer where a lens is held before it.
public struct Camera: Equatable, Sendable {
  /// CSS pixels for a stage point, without the lens.
  public let scale: Double
  /// What the lens makes of it.
  public let view: ZoomTransform
  /// The window's middle, in CSS pixels from its top left.
  private let middle: Point

  /// Points a camera.
  /// - Parameters:
  ///   - viewport: The member's window.
  ///   - view: What the member's lens shows.
  public init(viewport: Viewport, view: ZoomTransform = .whole) {
    let size = viewport.size
    scale = max(
      min(size.width / Stage.size.width, size.height / Stage.size.height),
      Self.scaleMin
    )
    self.view = view
    middle = Point(x: size.width / 2, y: size.height / 2)
  }

  /// A window of no size shall not make points infinite.
  private static let scaleMin = 0.01

  /// The matrix of the stage's root about its own centre, which the page puts in the
  /// window's middle.
  public var transform: Transform3D {
    var transform = Transform3D.scale(x: scale * view.zoom, y: scale * view.zoom, z: 1)
    transform.m41 = scale * view.x
    transform.m42 = scale * view.y
    return transform
  }

  /// The point of the stage under a point of the window.
  /// - Parameter pixels: CSS pixels from the window's top left.
  /// - Returns: Stage points from the stage's centre.
  public func stagePoint(_ pixels: Point) -> Point {
    let seen = viewPoint(pixels)
    return Point(x: (seen.x - view.x) / view.zoom, y: (seen.y - view.y) / view.zoom)
  }

  /// The point that would be under a point of the window without the lens.
  public func viewPoint(_ pixels: Point) -> Point {
    Point(x: (pixels.x - middle.x) / scale, y: (pixels.y - middle.y) / scale)
  }
}

/// What a lens shows: a point p of the stage appears at zoom · p + (x, y), in stage points.
public struct ZoomTransform: Equatable, Sendable {
  /// How much larger things are.
  public var zoom: Double
  /// How far right the stage's centre is seen, in stage points of the window.
  public var x: Double
  /// How far down.
  public var y: Double

  /// Creates a view.
  public init(zoom: Double, x: Double, y: Double) {
    self.zoom = zoom
    self.x = x
    self.y = y
  }

  /// The stage as it is.
  public static let whole = ZoomTransform(zoom: 1, x: 0, y: 0)
}
