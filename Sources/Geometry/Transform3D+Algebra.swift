extension Transform3D {
  /// Returns a translation by a distance in stage points.
  public static func translation(x: Double, y: Double, z: Double) -> Transform3D {
    Transform3D(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, x, y, z, 1)
  }

  /// Returns a scaling of each axis about the origin.
  public static func scale(x: Double, y: Double, z: Double) -> Transform3D {
    Transform3D(x, 0, 0, 0, 0, y, 0, 0, 0, 0, z, 0, 0, 0, 0, 1)
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
