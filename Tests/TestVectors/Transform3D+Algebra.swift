internal import Glibc
package import Motion

/// The matrices from which the closed forms of the stage are derived, and a distance of matrices.
extension Transform3D {
  /// Returns self·b, which applies self to a point first and then `b`.
  package func concatenating(_ b: Transform3D) -> Transform3D {
    var product = Transform3D.identity
    for row in 0..<4 {
      for column in 0..<4 {
        product[4 * row + column] = (0..<4).reduce(0) { sum, index in
          sum + self[4 * row + index] * b[4 * index + column]
        }
      }
    }
    return product
  }

  /// Returns a rotation about the spine's axis; a positive angle moves the right side away from the
  /// eye.
  package static func rotationY(_ angle: Double) -> Transform3D {
    let (s, c) = (sin(angle), cos(angle))
    return Transform3D(c, 0, -s, 0, 0, 1, 0, 0, s, 0, c, 0, 0, 0, 0, 1)
  }

  /// Returns a perspective projection; `m34` is -1 divided by the distance of the eye.
  package static func perspective(m34: Double = Perspective.m34) -> Transform3D {
    Transform3D(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, m34, 0, 0, 0, 1)
  }

  /// Returns the largest difference between corresponding entries; NaN if any difference is NaN.
  package func maximumDifference(from other: Transform3D) -> Double {
    var largest = 0.0
    for index in 0..<16 {
      let difference = abs(self[index] - other[index])
      // A comparison would lose a NaN.
      if difference.isNaN { return .nan }
      largest = max(largest, difference)
    }
    return largest
  }
}
