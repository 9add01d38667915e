internal import Geometry

/// A bent leaf as a chain of flat strips that are hinged to each other.
///
/// Strip i covers the arc from i/N to (i + 1)/N of the leaf's width, at the elevation of its
/// middle. Each strip begins exactly where the one before it ends.
struct LeafStrips {
  /// The number of strips.
  static let count = 10

  /// A strip, as one side of the leaf shows it.
  struct Strip {
    /// The elevation, in radians.
    var elevation = 0.0
    var sine = 0.0
    var cosine = 0.0
    /// The position of the inner hinge: to the right of the stage's centre and towards the eye, in
    /// stage points.
    var x = 0.0
    var z = 0.0

    /// The direction of the face: positive if the recto is visible, negative if the verso is.
    var facing: Double { x * sine + (Perspective.distance - z) * cosine }
  }

  private let profile: LeafProfile
  private let pose: Pose
  private let tilt: Double
  private var next = 0
  private var strip = Strip()

  /// Creates the chain of a leaf.
  /// - Parameters:
  ///   - profile: The curve of the leaf.
  ///   - pose: The pose of the book.
  ///   - tilt: The tilt about the spine, in radians: that of the pose for the verso, which is in
  ///     front of its recto, and 0 for the recto.
  init(_ profile: LeafProfile, in pose: Pose, tilt: Double = 0) {
    self.profile = profile
    self.pose = pose
    self.tilt = tilt
    strip.x = pose.spine
  }

  /// Advances to the next strip, from the spine outwards; nil after the last.
  mutating func advance() -> Strip? {
    guard next < Self.count else { return nil }
    if next > 0 {
      let width = pose.width / Double(Self.count)
      strip.x += width * strip.cosine
      strip.z += width * strip.sine
    }
    let arc = (Double(next) + 0.5) / Double(Self.count)
    strip.elevation = pose.openness * profile.elevation(at: arc)
    (strip.sine, strip.cosine) = sineAndCosine(strip.elevation - tilt)
    next += 1
    return strip
  }
}

extension Pose {
  /// Returns the transform of one strip of a leaf, for a page whose spine edge is the origin.
  ///
  /// It places the whole page so that the strip lies where it belongs. The third row, which has no
  /// effect on a page, is that of the identity.
  func transform(_ strip: LeafStrips.Strip, index: Int, isVerso: Bool) -> Transform3D {
    let inner = width * Double(index) / Double(LeafStrips.count)
    let depth = strip.z - inner * strip.sine + 0
    let side: Double = isVerso ? -1 : 1
    let (across, deep) = (side * scale * strip.cosine + 0, side * scale * strip.sine + 0)
    // swift-format-ignore
    return Transform3D(
      across, 0, deep, deep * Perspective.m34 + 0,
      0, scale, 0, 0,
      0, 0, 1, 0,
      strip.x - inner * strip.cosine + 0, 0, depth, 1 + depth * Perspective.m34)
  }
}
