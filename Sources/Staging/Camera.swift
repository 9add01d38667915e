public import Geometry
public import Scene

/// How a member's window looks at the stage: the whole stage, as large as fits, in the middle.
public struct Camera: Equatable, Sendable {
  /// CSS pixels for a stage point.
  public let scale: Double
  /// The window's middle, in CSS pixels from its top left.
  private let middle: Point

  /// Points a camera.
  /// - Parameter viewport: The member's window.
  public init(viewport: Viewport) {
    let size = viewport.size
    scale = max(
      min(size.width / Stage.size.width, size.height / Stage.size.height),
      Self.scaleMin
    )
    middle = Point(x: size.width / 2, y: size.height / 2)
  }

  /// A window of no size shall not make points infinite.
  private static let scaleMin = 0.01

  /// The matrix of the stage's root about its own centre, which the page puts in the
  /// window's middle.
  public var transform: Transform3D { .scale(x: scale, y: scale, z: 1) }

  /// The point of the stage under a point of the window.
  /// - Parameter pixels: CSS pixels from the window's top left.
  /// - Returns: Stage points from the stage's centre.
  public func stagePoint(_ pixels: Point) -> Point {
    Point(x: (pixels.x - middle.x) / scale, y: (pixels.y - middle.y) / scale)
  }
}
