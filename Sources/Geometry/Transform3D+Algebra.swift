import Glibc

extension Transform3D {
  /// Returns self·b, which applies self to a point first and then `b`.
  public func concatenating(_ b: Transform3D) -> Transform3D {
    let row1 = b.row(m11, m12, m13, m14)
    let row2 = b.row(m21, m22, m23, m24)
    let row3 = b.row(m31, m32, m33, m34)
    let row4 = b.row(m41, m42, m43, m44)
    // swift-format-ignore
    return Transform3D(
      row1.x, row1.y, row1.z, row1.w,
      row2.x, row2.y, row2.z, row2.w,
      row3.x, row3.y, row3.z, row3.w,
      row4.x, row4.y, row4.z, row4.w)
  }

  /// Returns the product of a row vector and this matrix.
  private func row(_ x: Double, _ y: Double, _ z: Double, _ w: Double) -> SIMD4<Double> {
    x * SIMD4(m11, m12, m13, m14) + y * SIMD4(m21, m22, m23, m24)
      + z * SIMD4(m31, m32, m33, m34) + w * SIMD4(m41, m42, m43, m44)
  }

  /// Returns a translation by a distance in stage points.
  public static func translation(x: Double, y: Double, z: Double) -> Transform3D {
    Transform3D(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, x, y, z, 1)
  }

  /// Returns a scaling of each axis about the origin.
  public static func scale(x: Double, y: Double, z: Double) -> Transform3D {
    Transform3D(x, 0, 0, 0, 0, y, 0, 0, 0, 0, z, 0, 0, 0, 0, 1)
  }

  /// Returns a rotation about the spine's axis; a positive angle moves the right side away from the
  /// eye.
  public static func rotationY(_ angle: Double) -> Transform3D {
    let (s, c) = (sin(angle), cos(angle))
    return Transform3D(c, 0, -s, 0, 0, 1, 0, 0, s, 0, c, 0, 0, 0, 0, 1)
  }

  /// Returns a perspective projection; `m34` is -1 divided by the distance of the eye.
  public static func perspective(m34: Double = Perspective.m34) -> Transform3D {
    Transform3D(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, m34, 0, 0, 0, 1)
  }

  /// Returns the point at which a point of the plane z = 0 is seen.
  public func transformed(_ point: Point) -> Point {
    let seen = row(point.x, point.y, 0, 1)
    return Point(x: seen.x / seen.w, y: seen.y / seen.w)
  }
}
