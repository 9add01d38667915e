/// The lengths of a leaf's shadow along the upper and the lower edge of a page, as fractions of the
/// page's width.
struct ShadowLengths {
  var upper: Double
  var lower: Double
}

/// The shadow of a turning leaf on the pages below it.
///
/// It begins at the spine. On the right it ends where the light, which comes from the upper left,
/// passes the leaf's edge; on the left, which the leaf keeps between itself and the light, it is
/// the soft shadow below the edge. In a book that is seen in a mirror, the light comes from the
/// upper right, and the sides change places. The shadow fades where the leaf leaves or joins its
/// stack, because resting leaves cast no shadow on each other.
struct LeafShadow {
  /// The direction of the light: away from its side, and away from the eye.
  fileprivate static let light = (x: 0.3, z: -0.954)
  /// The softness of the end, as a fraction of the edge's height above the page.
  private static let softness = 0.12
  /// The greatest opacities on the side far from the light and on the one near it.
  private static let opacityMax = (far: 0.5, near: 0.4)
  /// The length up to which a short shadow grows to its strength, as a fraction of a page.
  private static let shortest = 0.2
  /// The least length at one end, as a fraction of that at the other.
  private static let narrowest = 0.3
  /// The least length, below which a shadow is too faint to be seen.
  private static let least = 0.08
  /// The progress from or to a stack over which the shadow fades.
  private static let fading = 0.15

  /// The positions of the ends of the leaf's edge relative to the spine: to the right and towards
  /// the eye, in stage points.
  private let edge: (upper: SIMD2<Double>, lower: SIMD2<Double>)
  private let width: Double
  /// The strength, 0...1.
  private let strength: Double
  private let isMirrored: Bool

  /// Creates the shadow of a leaf.
  /// - Parameters:
  ///   - leaf: The turning leaf.
  ///   - pose: The pose of the book.
  ///   - isMirrored: Whether the book is seen in a mirror.
  init(of leaf: TurningLeaf, in pose: Pose, isMirrored: Bool) {
    self.isMirrored = isMirrored
    edge = leaf.edge(in: pose)
    width = pose.width
    let progress = leaf.profile.progress
    strength = min(min(progress, 1 - progress) / Self.fading, 1)
  }

  /// Returns the shadow on a page.
  /// - Parameters:
  ///   - elevation: The elevation of the page, 0...pi.
  ///   - isRight: Whether the page lies on the right.
  /// - Returns: The lengths, and the opacity; nil without a shadow.
  func onPage(elevation: Double, isRight: Bool) -> (lengths: ShadowLengths, opacity: Double)? {
    guard width > 0 else { return nil }
    let isFar = isRight != isMirrored
    let page = Page(sineAndCosine(elevation), isRight: isRight, isFar: isFar)
    let ends = (upper: page.foot(of: edge.upper), lower: page.foot(of: edge.lower))
    let height = (ends.upper.height + ends.lower.height) / 2
    guard height > 0 else { return nil }
    let upper = ends.upper.length(softness: Self.softness) / width
    let lower = ends.lower.length(softness: Self.softness) / width
    let longer = max(upper, lower)
    guard longer > 0 else { return nil }
    let least = max(Self.narrowest * longer, Self.least)
    let lengths = ShadowLengths(upper: min(max(upper, least), 1), lower: min(max(lower, least), 1))
    let near = max(0, 1 - height / width * (isFar ? 0.5 : 1))
    let opacity = (isFar ? Self.opacityMax.far : Self.opacityMax.near) * near * strength
    let isShort = min(longer / Self.shortest, 1)
    guard opacity * isShort > 0 else { return nil }
    return (lengths, opacity * isShort)
  }

  /// A page that a shadow falls on.
  private struct Page {
    let sine, cosine: Double
    let isRight: Bool
    /// Whether the leaf stands between the light and the page.
    let isFar: Bool

    init(_ elevation: (sine: Double, cosine: Double), isRight: Bool, isFar: Bool) {
      (sine, cosine) = elevation
      (self.isRight, self.isFar) = (isRight, isFar)
    }

    /// Returns where the light that passes a point meets the page.
    func foot(of point: SIMD2<Double>) -> Foot {
      let (x, z) = (point.x, point.y)
      // The unit vectors along the page and away from it.
      let sign = isRight ? 1.0 : -1
      let height = sign * (z * cosine - x * sine)
      var along = x * cosine + z * sine
      if isFar {
        let light = (x: sign * LeafShadow.light.x, z: LeafShadow.light.z)
        let descent = sign * (light.x * sine - light.z * cosine)
        let passed = light.x * cosine + light.z * sine
        along = descent > 0 ? along + height / descent * passed : 0
      }
      return Foot(height: height, along: along)
    }
  }

  /// The place on a page where the shadow of a point ends, in stage points.
  private struct Foot {
    /// The height of the point above the page.
    let height: Double
    /// The distance of the place from the spine.
    let along: Double

    func length(softness: Double) -> Double { along + softness * height }
  }
}
