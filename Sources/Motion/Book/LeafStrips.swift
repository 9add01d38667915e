internal import Glibc

/// A bent leaf as a chain of flat strips that are hinged to each other.
///
/// The hinges are the rulings of the bent surface. They are parallel to the spine, or they meet in
/// an apex on the line of the spine, so that the corner next to the apex leads. Strip i lies
/// between the hinges that cross the edge far from the apex at i/N and (i + 1)/N of the leaf's
/// width; the last one ends at the outer edge. Each strip has the elevation of its middle and
/// begins exactly where the one before it ends.
struct LeafStrips {
  /// The number of strips.
  static let count = 10
  /// The value of ``LeafProfile``'s g in the middle of each strip.
  private static let curves = InlineArray<10, Double> { index in
    LeafProfile.curve(at: (Double(index) + 0.5) / Double(count))
  }

  /// A strip, as one side of the leaf shows it: the plane of the whole leaf if it lay like the
  /// strip.
  ///
  /// The axes are those of the stage, in stage points from its centre: to the right, downwards and
  /// towards the eye.
  struct Strip {
    /// The elevation, in radians.
    var elevation = 0.0
    /// The middle of the spine edge.
    var origin = SIMD3<Double>()
    /// The unit vectors from the spine to the outer edge and from the upper to the lower edge.
    var across = SIMD3<Double>(1, 0, 0)
    var down = SIMD3<Double>(0, 1, 0)

    /// The direction of the face: positive if the recto is visible, negative if the verso is.
    var facing: Double { dot(cross(across, down), SIMD3(0, 0, Perspective.distance) - origin) }

    /// Returns the position of a point.
    /// - Parameters:
    ///   - x: The distance from the spine, in stage points.
    ///   - y: The distance below the middle, in stage points.
    /// - Returns: The position, in stage points.
    func position(_ x: Double, _ y: Double) -> SIMD3<Double> { origin + x * across + y * down }
  }

  private let profile: LeafProfile
  private let pose: Pose
  private let tilt: Double
  private let size: Size
  private let rulings: Rulings
  private var next = 0
  private var strip = Strip()

  /// Creates the chain of a leaf.
  /// - Parameters:
  ///   - profile: The curve of the leaf.
  ///   - rulings: The lines about which it bends.
  ///   - pose: The pose of the book.
  ///   - tilt: The tilt about the spine, in radians: that of the pose for the verso, which is in
  ///     front of its recto, and 0 for the recto.
  init(_ profile: LeafProfile, _ rulings: Rulings, in pose: Pose, tilt: Double = 0) {
    self.profile = profile
    self.rulings = rulings
    self.tilt = tilt
    self.pose = pose
    size = Size(width: pose.width, height: pose.height)
    strip.origin.x = pose.spine
  }

  /// Advances to the next strip, from the spine outwards; nil after the last.
  mutating func advance() -> Strip? {
    guard next < Self.count else { return nil }
    let elevation = pose.presentElevation(profile.elevation(curve: Self.curves[next]))
    if let apex = rulings.apex, next > 0 {
      bend(by: elevation - strip.elevation, about: apex)
    } else {
      turn(to: elevation - tilt)
    }
    strip.elevation = elevation
    next += 1
    return strip
  }

  /// Turns a strip about its inner edge, which is parallel to the spine, to an angle.
  private mutating func turn(to angle: Double) {
    let inner = size.width * Double(next) / Double(Self.count)
    let hinge = strip.origin + inner * strip.across
    let (sine, cosine) = sineAndCosine(angle)
    strip.across = SIMD3(cosine, 0, sine)
    strip.origin = hinge - inner * strip.across
  }

  /// Turns a strip about its inner edge, which leads through the apex, by an angle.
  private mutating func bend(by angle: Double, about apex: Double) {
    let below: Double = apex > 0 ? 1 : -1
    let reach = (abs(apex) + 0.5) * size.height
    let tangent = Double(next) / Double(Self.count) * size.width / reach
    let c = 1 / (1 + tangent * tangent).squareRoot()
    let s = tangent * c
    // The directions of the ruling and of the paper beyond it.
    let ruling = s * strip.across - below * c * strip.down
    let outwards = c * strip.across + below * s * strip.down
    let (sine, cosine) = sineAndCosine(angle)
    let turned = cosine * outwards + sine * cross(strip.across, strip.down)
    let fixed = strip.origin + apex * size.height * strip.down
    strip.across = s * ruling + c * turned
    strip.down = below * (s * turned - c * ruling)
    strip.origin = fixed - apex * size.height * strip.down
  }
}

extension Pose {
  /// Returns the transform of one strip of a leaf, for a page whose spine edge is the origin.
  ///
  /// It places the whole page so that the strip lies where it belongs. The third row, which has no
  /// effect on a page, is that of the identity.
  func transform(_ strip: LeafStrips.Strip, isVerso: Bool) -> Transform3D {
    // Adding 0 turns -0 into 0, which is an equal number with different bytes.
    let across = (isVerso ? -scale : scale) * strip.across + SIMD3()
    let down = scale * strip.down + SIMD3()
    let origin = strip.origin + SIMD3()
    // swift-format-ignore
    return Transform3D(
      across.x, across.y, across.z, across.z * Perspective.m34 + 0,
      down.x, down.y, down.z, down.z * Perspective.m34 + 0,
      0, 0, 1, 0,
      origin.x, origin.y, origin.z, 1 + origin.z * Perspective.m34)
  }
}

private func dot(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> Double { (a * b).sum() }

private func cross(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> SIMD3<Double> {
  SIMD3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x)
}
