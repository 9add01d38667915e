import Foundation
import Motion
import TestVectors
import Testing

/// The sixteen numbers in order are the arguments of CSS matrix3d().
///
/// The texts of the reference have ten decimals, and its exact ones ten digits.
@Suite("Matrices compared with the reference")
struct StyleVectorTests {
  private func numbers(_ text: String) -> [Double] {
    text.dropFirst("matrix3d(".count).dropLast().components(separatedBy: ", ").compactMap(
      Double.init
    )
  }

  private func expect(_ matrix: Transform3D, is text: String?) throws {
    let entries = numbers(try #require(text))
    try #require(entries.count == 16)
    for (index, entry) in entries.enumerated() {
      #expect(abs(matrix[index] - entry) <= max(5.1e-11, abs(entry) * 5.1e-10), "entry \(index)")
    }
  }

  private func turned(_ angle: Double) -> Transform3D {
    .rotationY(angle).concatenating(.perspective())
  }

  @Test("a turning page matches the reference")
  func turningPage() throws {
    let texts = try vectors("css", as: [String: String].self)
    let page = turned(-0.75 * .pi / 2)
    try expect(page, is: texts["item2_offset0.25"])
    try expect(page, is: texts["item2_offset0.25_exact"])
  }

  @Test("a closed book matches the reference")
  func closedBook() throws {
    let texts = try vectors("css", as: [String: String].self)
    let cover = Transform3D.scale(x: 0.7, y: 0.7, z: 1)
      .concatenating(.translation(x: -0.35 * 362, y: 0, z: 0))
      .concatenating(.perspective())
    try expect(cover, is: texts["closed_right"])
    let back = Transform3D.scale(x: 0.7, y: 0.7, z: 1)
      .concatenating(.rotationY(.pi))
      .concatenating(.translation(x: -0.35 * 362, y: 0, z: 0))
      .concatenating(.perspective())
    try expect(back, is: texts["closed_left"])
  }

  @Test("an origin translates back and forth around the matrix")
  func origin() throws {
    let texts = try vectors("css", as: [String: String].self)
    let page = Transform3D.translation(x: -362, y: -284, z: 0)
      .concatenating(turned(.pi / 4 + 0.001))
      .concatenating(.translation(x: 362, y: 284, z: 0))
    try expect(page, is: texts["with_origin_item1_offset0"])
  }
}
