import Motion
import TestVectors
import Testing

@Suite("Matrices")
struct TransformTests {
  private let numbered = Transform3D(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16)

  @Test("entries are in row-major order")
  func rowMajorOrder() {
    var matrix = Transform3D.identity
    for index in 0..<16 {
      #expect(numbered[index] == Double(index + 1))
      matrix[index] = Double(index + 1)
    }
    #expect(matrix == numbered)
  }

  @Test("the first factor is applied to a point first")
  func factorOrder() {
    let moved = Transform3D.translation(x: 10, y: 20, z: 0)
    let doubled = Transform3D.scale(x: 2, y: 2, z: 1)
    #expect(moved.concatenating(doubled).transformed(Point(x: 1, y: 1)) == Point(x: 22, y: 42))
    #expect(doubled.concatenating(moved).transformed(Point(x: 1, y: 1)) == Point(x: 12, y: 22))
  }

  @Test("entries of a product are rows times columns")
  func product() {
    let other = Transform3D(2, 0, 1, 3, 1, 4, 0, 2, 5, 1, 1, 0, 0, 2, 3, 1)
    let product = numbered.concatenating(other)
    for row in 0..<4 {
      for column in 0..<4 {
        let sum = (0..<4).reduce(0) { $0 + numbered[4 * row + $1] * other[4 * $1 + column] }
        #expect(product[4 * row + column] == sum)
      }
    }
  }

  @Test("multiplying by the identity changes nothing")
  func identity() {
    #expect(numbered.concatenating(.identity) == numbered)
    #expect(Transform3D.identity.concatenating(numbered) == numbered)
  }

  @Test("a positive rotation moves the right side away and makes it look smaller")
  func rotationSign() {
    let turned = Transform3D.rotationY(0.5).concatenating(.perspective())
    let corner = turned.transformed(Point(x: 100, y: 100))
    #expect(corner.x < 100 && corner.y < 100)
    #expect(turned.m13 < 0)
    let lifted = Transform3D.rotationY(-0.5).concatenating(.perspective())
    #expect(lifted.transformed(Point(x: 100, y: 100)).y > 100)
  }

  @Test("perspective doubles the size halfway to the eye")
  func perspective() {
    let near = Transform3D.translation(x: 0, y: 0, z: Perspective.distance / 2)
      .concatenating(.perspective(m34: Perspective.m34))
    #expect(near.transformed(Point(x: 3, y: -4)) == Point(x: 6, y: -8))
  }

  @Test("the largest difference is found at every index, even if it is NaN")
  func largestDifference() {
    for index in 0..<16 {
      var other = numbered
      other[index] += 0.25
      #expect(numbered.maximumDifference(from: other) == 0.25)
      #expect(other.isFinite)
      other[index] = .nan
      #expect(numbered.maximumDifference(from: other).isNaN)
      #expect(!other.isFinite)
    }
    #expect(numbered.maximumDifference(from: numbered) == 0)
  }
}
