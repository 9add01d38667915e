import TestVectors
import Testing

@testable import Motion

/// Computes what covers a page from the points at which its corners are seen, not from the formulas
/// of the layout.
@Suite("Pages and their edges")
struct EdgeTests {
  /// The visible quadrilateral of a page, whose spine is upright.
  private struct Sheet {
    let part: VisiblePart
    let isRecto: Bool
    /// The visible point of the spine, and the distance to the outer edge.
    let spine, extent: Double
    /// The visible heights above the middle at the spine and at the outer edge.
    let inner, outer: Double
    let transform: Transform3D
    let width: Double

    init(_ part: VisiblePart, of layout: BookLayout) {
      self.part = part
      transform = part.transform
      width = layout.box.size.width
      isRecto = part.page.isMultiple(of: 2)
      let half = layout.box.size.height / 2
      let side = isRecto ? width : -width
      let near = part.transform.applied(x: 0, y: half).seen
      let far = part.transform.applied(x: side, y: half).seen
      (spine, extent) = (near.x, abs(far.x - near.x))
      (inner, outer) = (near.y, far.y)
    }

    /// Returns where a point is seen; `y` is -1 at the upper edge and 1 at the lower.
    func position(arc: Double, y: Double) -> Point {
      let x = (isRecto ? arc : -arc) * width
      return transform.applied(x: x, y: y * inner / transform.m22).seen
    }

    /// Returns whether what is drawn of the sheet covers a point.
    func covers(_ point: Point) -> Bool {
      let x = isRecto ? point.x - spine : spine - point.x
      guard x >= -1e-9, x <= extent + 1e-9, extent > 0 else { return false }
      guard abs(point.y) <= inner + (outer - inner) * x / extent + 1e-9 else { return false }
      guard let edge = part.edge else { return true }
      return x >= abs(position(arc: 1 - edge, y: 0).x - spine) - 1e-9
    }
  }

  /// Expects that every point of a page that is not drawn is under a drawn part of another page
  /// that is painted later.
  /// - Returns: The number of edges.
  private func expectCovered(_ layout: BookLayout, _ pose: BookPose, _ what: String) -> Int {
    let parts = layout.parts(in: pose)
    let sheets = parts.filter { $0.part == .whole || $0.edge != nil }
      .map { Sheet($0, of: layout) }
    let edges = sheets.filter { $0.part.edge != nil }
    for sheet in edges {
      let others = sheets.filter { $0.isRecto == sheet.isRecto && $0.part.z > sheet.part.z }
      for column in 0...12 {
        for y in [-1.0, -0.99, -0.4, 0, 0.7, 1] {
          let arc = (1 - (sheet.part.edge ?? 1)) * Double(column) / 12
          let place = sheet.position(arc: arc, y: y)
          #expect(
            others.contains { $0.covers(place) },
            "page \(sheet.part.page) at \(arc), \(y), \(what)"
          )
        }
      }
    }
    return edges.count
  }

  @Test("what is not drawn of an edge is under other pages, also under none that is bent")
  func edgesOfBentBooks() {
    var edges = 0
    for seed in seeds(0..<400) {
      var dice = SplitMix64(seed: seed)
      let book = BentBook(&dice)
      edges += expectCovered(book.layout, book.pose, "\(book)")
      var rigid = book
      rigid.pose.bend = 0
      edges += expectCovered(rigid.layout, rigid.pose, "\(rigid)")
    }
    #expect(replaysOneSeed || edges > 1000)
  }

  @Test("what is not drawn of an edge is under other pages, in any pose of a rigid book")
  func edgesOfRigidBooks() {
    var edges = 0
    let layout = BookLayout(pageCount: 24, box: pageBox)
    for moment in Moment.all(upTo: layout.maximumOffset) {
      edges += expectCovered(layout, moment.pose, "\(moment)")
    }
    #expect(replaysOneSeed || edges > 1000)
  }

  @Test("an open book at rest draws its spread whole, and the edges of its stacks")
  func rest() {
    let parts = BookLayout(pageCount: 24, box: pageBox).parts(in: BookPose(offset: 6))
    #expect(parts.allSatisfy { ($0.part == .whole) == [13, 14].contains($0.page) })
    #expect(parts.count == 10 && parts.allSatisfy { $0.part == .whole || $0.edge != nil })
  }

  @Test("the pages next to a bent leaf are drawn whole")
  func besideBentLeaf() {
    for seed in seeds(0..<400) {
      var dice = SplitMix64(seed: seed)
      let book = BentBook(&dice, isOpen: true)
      for page in [book.recto + 2, book.verso - 2] {
        let parts = book.parts.filter { $0.page == page && $0.part != .shadow }
        #expect(parts.map(\.part) == [.whole], "page \(page), \(book)")
        let transform = book.layout.transform(ofPage: page, in: book.pose)
        #expect(parts.first?.transform == transform, "page \(page), \(book)")
      }
    }
  }
}

extension VisiblePart {
  /// The fraction of the page that its edge shows; nil for other parts.
  fileprivate var edge: Double? {
    guard case .edge(let index) = part else { return nil }
    return BookLayout.edgeFractions[index]
  }
}
