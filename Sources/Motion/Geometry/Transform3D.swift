/// A 4x4 matrix for row vectors, p' = p·M, in the order of CATransform3D.
///
/// The sixteen numbers m11, m12 ... m44 in this order are the arguments of CSS `matrix3d()`.
public struct Transform3D: Equatable, Sendable {
  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  public var m11, m12, m13, m14: Double
  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  public var m21, m22, m23, m24: Double
  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  public var m31, m32, m33, m34: Double
  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  public var m41, m42, m43, m44: Double

  /// Creates a matrix from its sixteen entries, row by row.
  // swift-format-ignore
  public init(
    _ m11: Double, _ m12: Double, _ m13: Double, _ m14: Double,
    _ m21: Double, _ m22: Double, _ m23: Double, _ m24: Double,
    _ m31: Double, _ m32: Double, _ m33: Double, _ m34: Double,
    _ m41: Double, _ m42: Double, _ m43: Double, _ m44: Double
  ) {
    (self.m11, self.m12, self.m13, self.m14) = (m11, m12, m13, m14)
    (self.m21, self.m22, self.m23, self.m24) = (m21, m22, m23, m24)
    (self.m31, self.m32, self.m33, self.m34) = (m31, m32, m33, m34)
    (self.m41, self.m42, self.m43, self.m44) = (m41, m42, m43, m44)
  }

  /// The identity matrix.
  public static let identity = Transform3D(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1)
}
