extension Transform3D {
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
