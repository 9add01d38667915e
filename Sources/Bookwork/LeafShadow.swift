internal import Geometry

/// The shadow of a turning leaf on the pages below it.
///
/// It begins at the spine. On the right it ends where the light, which comes from the upper left,
/// passes the leaf's edge; on the left, which the leaf keeps between itself and the light, it is
/// the soft shadow below the edge. It fades where the leaf leaves or joins its stack, because
/// resting leaves cast no shadow on each other.
struct LeafShadow {
  /// The direction of the light: to the right, and away from the eye.
  private static let light = (x: 0.3, z: -0.954)
  /// The softness of the end, as a fraction of the edge's height above the page.
  private static let softness = 0.12
  /// The greatest opacities on either side.
  private static let opacityMax = (right: 0.5, left: 0.4)
  /// The length up to which a short shadow grows to its strength, as a fraction of a page.
  private static let shortest = 0.2

  /// The progress from or to a stack over which the shadow fades.
  private static let fading = 0.15

  /// The position of the leaf's edge relative to the spine, in stage points.
  private let edge: (x: Double, z: Double)
  private let width: Double
  /// The strength, 0...1.
  private let strength: Double

  /// Creates the shadow of a leaf.
  /// - Parameters:
  ///   - leaf: The turning leaf.
  ///   - pose: The pose of the book.
  init(of leaf: TurningLeaf, in pose: Pose) {
    edge = leaf.edge(in: pose)
    width = pose.width
    let progress = leaf.profile.progress
    strength = min(min(progress, 1 - progress) / Self.fading, 1)
  }

  /// Returns the shadow on a page.
  /// - Parameters:
  ///   - elevation: The elevation of the page, 0...pi.
  ///   - isRight: Whether the page lies on the right.
  /// - Returns: The length as a fraction of the page, and the opacity; nil without a shadow.
  func onPage(elevation: Double, isRight: Bool) -> (length: Double, opacity: Double)? {
    guard width > 0 else { return nil }
    let (sine, cosine) = sineAndCosine(elevation)
    let side: Double = isRight ? 1 : -1
    // The unit vectors along the page and away from it.
    let height = side * (edge.z * cosine - edge.x * sine)
    guard height > 0 else { return nil }
    var along = edge.x * cosine + edge.z * sine
    if isRight {
      let descent = Self.light.x * sine - Self.light.z * cosine
      guard descent > 0 else { return nil }
      along += height / descent * (Self.light.x * cosine + Self.light.z * sine)
    }
    let length = min((along + Self.softness * height) / width, 1)
    guard length > 0 else { return nil }
    let near = max(0, 1 - height / width * (isRight ? 0.5 : 1))
    let opacity = (isRight ? Self.opacityMax.right : Self.opacityMax.left) * near * strength
    let isShort = min(length / Self.shortest, 1)
    guard opacity * isShort > 0 else { return nil }
    return (length, opacity * isShort)
  }
}
