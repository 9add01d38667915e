import TestVectors

@testable import Motion

/// A random open or opening book with a bent leaf on its way.
struct BentBook: CustomStringConvertible {
  let layout: BookLayout
  /// The index of the turning leaf.
  let leaf: Int
  var pose: BookPose

  var description: String { "leaf \(leaf), \(pose)" }

  init(_ dice: inout SplitMix64, isOpen: Bool = false) {
    let size = Size(
      width: .random(in: 200...600, using: &dice),
      height: .random(in: 300...600, using: &dice)
    )
    layout = BookLayout(pageCount: 40, box: PageBox(fitting: size))
    leaf = .random(in: 3...16, using: &dice)
    let progress = Double.random(in: 0.001...0.999, using: &dice)
    let isOpen = isOpen || dice.happens(0.6)
    let openness = isOpen ? 1 : Double.random(in: 0.02...1, using: &dice)
    let between = Double.random(in: 0...1, using: &dice)
    pose = BookPose(
      offset: Double(leaf - 1) + progress,
      openness: openness,
      shift: isOpen ? 0 : .random(in: -372...372, using: &dice) * (1 - openness),
      closedScale: isOpen ? 0.7 : .random(in: 0.5...0.7, using: &dice),
      flatness: [0, 1, between].randomElement(using: &dice) ?? 0,
      bend: .random(in: 0.02...1, using: &dice) * (dice.happens(0.5) ? 1 : -1),
      rulings: .random(using: &dice)
    )
  }

  /// The pages of the turning leaf.
  var recto: Int { 2 * leaf }
  var verso: Int { 2 * leaf + 1 }

  /// The parts of the book, in the order in which they are drawn.
  var parts: [VisiblePart] { layout.parts(in: pose) }

  /// The parts of the turning leaf.
  var strips: [VisiblePart] { parts.filter { $0.strip != nil } }

  /// Returns the chain of one side of the turning leaf, whether it is visible or not.
  func chain(isVerso: Bool) -> [Transform3D] {
    guard let turning = layout.turningLeaf(in: pose) else { return [] }
    let shared = Pose(box: layout.box, pose)
    var strips = LeafStrips(
      turning.profile,
      turning.rulings,
      in: shared,
      tilt: isVerso ? shared.tilt : 0
    )
    var chain: [Transform3D] = []
    while let strip = strips.advance() {
      chain.append(shared.transform(strip, isVerso: isVerso))
    }
    return chain
  }

  /// Returns where an inner hinge of the turning leaf is, at a height below the middle in page
  /// heights.
  /// - Parameters:
  ///   - index: The index of the strip.
  ///   - height: The height.
  /// - Returns: The arc; above 1 where the hinge has left the page.
  func hinge(_ index: Int, height: Double) -> Double {
    let crossing = Double(index) / Double(BookLayout.stripCount)
    guard let apex = pose.rulings.apex else { return crossing }
    return crossing * abs(apex - height) / (abs(apex) + 0.5)
  }

  /// Returns the index of the strip that shows a point.
  func strip(of point: PaperPoint) -> Int {
    let crossing = pose.rulings.position(arc: point.arc, height: point.height)
    return min(Int(crossing * Double(BookLayout.stripCount)), BookLayout.stripCount - 1)
  }

  /// Returns the place of a point of the leaf according to one of its strips, before the division
  /// by the last component.
  func position(
    arc: Double,
    y: Double = 0,
    by transform: Transform3D,
    isVerso: Bool
  ) -> SIMD4<Double> {
    let width = layout.box.size.width
    return transform.applied(x: isVerso ? -arc * width : arc * width, y: y)
  }
}

extension BookLayout {
  /// Returns the visible parts of the book, in the order in which they are drawn.
  func parts(in pose: BookPose) -> [VisiblePart] {
    var parts: [VisiblePart] = []
    forEachVisiblePart(in: pose) { parts.append($0) }
    return parts
  }
}

extension Rulings {
  /// Returns parallel rulings, or some that meet above or below the page.
  static func random(using dice: inout SplitMix64) -> Rulings {
    if dice.happens(0.4) { return .parallel }
    let distance = [0.75, 1, 2.5, .random(in: 0.75...8, using: &dice), 900]
    return Rulings(apex: (distance.randomElement(using: &dice) ?? 1) * (dice.happens(0.5) ? 1 : -1))
  }
}

extension VisiblePart {
  /// The index of the strip; nil for other parts.
  var strip: Int? {
    guard case .strip(let index) = part else { return nil }
    return index
  }
}

extension Transform3D {
  /// Returns the product of a point in the plane z = 0 with the matrix.
  func applied(x: Double, y: Double) -> SIMD4<Double> {
    SIMD4(
      x * m11 + y * m21 + m41,
      x * m12 + y * m22 + m42,
      x * m13 + y * m23 + m43,
      x * m14 + y * m24 + m44
    )
  }

  /// Returns the largest difference of the entries that have an effect on a page, which has no
  /// depth.
  func pageDifference(from other: Transform3D) -> Double {
    (0..<16).filter { !(8..<12).contains($0) }.map { abs(self[$0] - other[$0]) }.max() ?? 0
  }
}

extension SIMD4<Double> {
  /// The largest amount of a component.
  var magnitude: Double { Swift.max(abs(x), abs(y), abs(z), abs(w)) }
  /// The point that is seen, in stage points.
  var seen: Point { Point(x: x / w, y: y / w) }
}
