import Motion
import Scene

@testable import Staging

/// The reference's pages: 362 x 568 points.
let referencePage = Size(width: 362, height: 568)
let referenceBox = PageBox(fitting: referencePage)

func library(collections: Int = 1, books: Int = 5, pages: Int = 14) -> LibraryOutline {
  let book = BookOutline(pageCount: pages, pageSize: referencePage)
  let shelf = CollectionOutline(books: Array(repeating: book, count: books))
  return LibraryOutline(collections: Array(repeating: shelf, count: collections))
}

extension Stage {
  /// Applies a list of inputs.
  mutating func play(_ inputs: [(Double, Input)]) {
    for (time, input) in inputs { apply(input, at: time) }
  }

  mutating func tap(_ x: Double, _ y: Double, at time: Double) {
    apply(.tap(Point(x: x, y: y)), at: time)
  }

  mutating func press(_ key: Key, at time: Double) { apply(.key(key), at: time) }

  mutating func pan(_ phase: GesturePhase, _ x: Double, _ y: Double, at time: Double) {
    apply(.pan(phase, Point(x: x, y: y)), at: time)
  }

  mutating func pinch(_ phase: GesturePhase, _ scale: Double, at time: Double) {
    apply(.pinch(phase, scale: scale, Point(x: 0, y: 0)), at: time)
  }

  /// Drags at constant speed from one point to another, with one sample per 10 ms, and releases at
  /// the end.
  mutating func drag(
    from start: Point,
    to end: Point,
    at time: Double,
    seconds: Double,
    letGo: Bool = true
  ) {
    apply(.pan(.began, start), at: time)
    let count = max(1, Int((seconds * 100).rounded()))
    for step in 1...count {
      let part = Double(step) / Double(count)
      let place = Point(
        x: start.x + (end.x - start.x) * part,
        y: start.y + (end.y - start.y) * part
      )
      apply(.pan(.changed, place), at: time + seconds * part)
    }
    if letGo { apply(.pan(.ended, end), at: time + seconds) }
  }

  /// Pinches at constant speed to a scale, with one sample per 10 ms.
  mutating func pinch(to scale: Double, at time: Double, seconds: Double, letGo: Bool = true) {
    pinch(.began, 1, at: time)
    let count = max(1, Int((seconds * 100).rounded()))
    for step in 1...count {
      let part = Double(step) / Double(count)
      pinch(.changed, 1 + (scale - 1) * part, at: time + seconds * part)
    }
    if letGo { pinch(.ended, scale, at: time + seconds) }
  }
}

extension Frame {
  /// Returns the page with an index.
  subscript(_ kind: ElementKind, _ page: Int) -> Placement? {
    placements.first { $0.key.kind == kind && $0.key.page == page }
  }

  /// Returns the ledge or cover with an index in a library.
  subscript(_ kind: ElementKind, _ index: Int, in library: LibraryLayout) -> Placement? {
    placements.first { $0.key.kind == kind && library.index(of: $0.key) == index }
  }

  func indices(of kind: ElementKind, in library: LibraryLayout) -> [Int] {
    placements.filter { $0.key.kind == kind }.map { library.index(of: $0.key) }
  }

  /// The indices of the pages in the frame, without shadows; a bent page is listed once per strip.
  var pages: [Int] {
    placements.filter { $0.key.kind == .page && $0.key.part != .shadow }.map(\.key.page)
  }
}

extension Transform3D {
  var entries: [Double] { (0..<16).map { self[$0] } }

  func isNear(_ other: [Double], _ tolerance: Double = 1e-12) -> Bool {
    other.count == 16 && (0..<16).allSatisfy { abs(self[$0] - other[$0]) <= tolerance }
  }
}
