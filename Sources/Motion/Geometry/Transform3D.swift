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

  /// The entry at an index in reading order, 0..<16.
  public subscript(index: Int) -> Double {
    get {
      switch index {
      case 0: m11
      case 1: m12
      case 2: m13
      case 3: m14
      case 4: m21
      case 5: m22
      case 6: m23
      case 7: m24
      case 8: m31
      case 9: m32
      case 10: m33
      case 11: m34
      case 12: m41
      case 13: m42
      case 14: m43
      case 15: m44
      default: preconditionFailure("a matrix has the entries 0..<16, not \(index)")
      }
    }
    set {
      switch index {
      case 0: m11 = newValue
      case 1: m12 = newValue
      case 2: m13 = newValue
      case 3: m14 = newValue
      case 4: m21 = newValue
      case 5: m22 = newValue
      case 6: m23 = newValue
      case 7: m24 = newValue
      case 8: m31 = newValue
      case 9: m32 = newValue
      case 10: m33 = newValue
      case 11: m34 = newValue
      case 12: m41 = newValue
      case 13: m42 = newValue
      case 14: m43 = newValue
      case 15: m44 = newValue
      default: preconditionFailure("a matrix has the entries 0..<16, not \(index)")
      }
    }
  }

  /// Whether all entries are finite.
  public var isFinite: Bool {
    for index in 0..<16 where !self[index].isFinite { return false }
    return true
  }

  /// Returns a translation by a distance in stage points.
  public static func translation(x: Double, y: Double, z: Double) -> Transform3D {
    Transform3D(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, x, y, z, 1)
  }

  /// Returns a scaling of each axis about the origin.
  public static func scale(x: Double, y: Double, z: Double) -> Transform3D {
    Transform3D(x, 0, 0, 0, 0, y, 0, 0, 0, 0, z, 0, 0, 0, 0, 1)
  }

  /// The transform between mirror images: it does to points left of the origin what this one does
  /// to those right of it.
  public var mirrored: Transform3D {
    var mirrored = self
    // Unlike a negation, a difference never gives a negative zero.
    (mirrored.m12, mirrored.m13, mirrored.m14) = (0 - m12, 0 - m13, 0 - m14)
    (mirrored.m21, mirrored.m31, mirrored.m41) = (0 - m21, 0 - m31, 0 - m41)
    return mirrored
  }

  /// Returns the point at which a point of the plane z = 0 is seen.
  public func transformed(_ point: Point) -> Point {
    let depth = point.x * m14 + point.y * m24 + m44
    return Point(
      x: (point.x * m11 + point.y * m21 + m41) / depth,
      y: (point.x * m12 + point.y * m22 + m42) / depth
    )
  }
}
