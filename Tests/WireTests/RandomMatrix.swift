import Motion
import TestVectors

/// Random matrices that follow the rules of derived entries in all, some or no entries.
enum RandomMatrix {
  /// Returns a turn about the y axis under the perspective, moved and scaled like a leaf.
  static func turn(_ numbers: inout SplitMix64) -> Transform3D {
    let angle = Double.random(in: -0.8...0.8, using: &numbers)
    var matrix = Samples.turn(angle, x: Bool.random(using: &numbers) ? 0 : 100 * angle)
    let scale: Double = [1, 1, 1, 0.7, 1.112].randomElement(using: &numbers) ?? 1
    (matrix.m11, matrix.m22, matrix.m13) = (scale * matrix.m11, scale, scale * matrix.m13)
    matrix.m14 = matrix.m13 * Perspective.m34
    return matrix
  }

  /// Returns a strip of a bent leaf, whose third row is that of the identity.
  static func strip(_ numbers: inout SplitMix64) -> Transform3D {
    var matrix = any(kind: 2, &numbers)
    for row in 0..<4 {
      let unit: Double = row == 3 ? 1 : 0
      matrix[4 * row + 3] = unit + matrix[4 * row + 2] * Perspective.m34
    }
    (matrix.m31, matrix.m32, matrix.m33, matrix.m34) = (0, 0, 1, 0)
    return matrix
  }

  /// Returns a matrix of any kind, sometimes with a wrong entry, or with one that is wrong by its
  /// last bits.
  static func any(_ numbers: inout SplitMix64) -> Transform3D {
    var matrix = any(kind: .random(in: 0..<4, using: &numbers), &numbers)
    if Int.random(in: 0..<4, using: &numbers) == 0 {
      let entry = Int.random(in: 0..<16, using: &numbers)
      let others: [Double] = [
        0, -0.0, 1, matrix[entry] * (1 + 0x1p-23), matrix[entry] * (1 - 0x1p-24), 1e-42, -1e-42,
        Double.random(in: -1000...1000, using: &numbers),
      ]
      matrix[entry] = others.randomElement(using: &numbers) ?? 0
    }
    return Bool.random(using: &numbers) ? matrix : matrix.mirrored
  }

  private static func any(kind: Int, _ numbers: inout SplitMix64) -> Transform3D {
    switch kind {
    case 0: return turn(&numbers)
    case 1: return strip(&numbers)
    case 2:
      var matrix = Transform3D.identity
      for entry in 0..<16 { matrix[entry] = .random(in: -1000...1000, using: &numbers) }
      return matrix
    default: return .identity
    }
  }
}
