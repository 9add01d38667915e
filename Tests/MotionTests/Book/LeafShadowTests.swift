import TestVectors
import Testing

@testable import Motion

@Suite("The shadow of a turning leaf")
struct LeafShadowTests {
  /// A shadow as it is drawn.
  private struct Cast {
    let opacity: Double
    /// The lengths along the upper and the lower edge, as fractions of the page.
    let upper, lower: Double
  }

  private func forEachBook(_ body: (BentBook, inout SplitMix64) -> Void) {
    for seed in seeds(0..<200) {
      var dice = SplitMix64(seed: seed)
      var book = BentBook(&dice)
      if dice.happens(0.3) { book.pose.bend = 0 }
      body(book, &dice)
    }
  }

  /// Returns the shadow on a page, with an opacity of 0 where there is none; nil if the page itself
  /// is hidden.
  private func cast(on page: Int, of book: BentBook) -> Cast? {
    let parts = book.parts.filter { $0.page == page }
    guard !parts.isEmpty else { return nil }
    guard let shadow = parts.first(where: { $0.part == .shadow }) else {
      return Cast(opacity: 0, upper: 0, lower: 0)
    }
    let whole = book.layout.transform(ofPage: page, in: book.pose)
    let size = book.layout.box.size
    let side = page.isMultiple(of: 2) ? size.width : -size.width
    func length(_ y: Double) -> Double {
      let dark = shadow.transform.applied(x: side, y: y)
      // The page is not moved up or down, so this is the divisor within it.
      let divisor = dark.y / whole.applied(x: 0, y: y).y
      let spine = whole.applied(x: 0, y: y)
      let along = dark / divisor - spine
      let page = whole.applied(x: side, y: y) - spine
      return (along * page).sum() / (page * page).sum()
    }
    return Cast(
      opacity: shadow.opacity,
      upper: length(-size.height / 2),
      lower: length(size.height / 2)
    )
  }

  @Test("falls only on the two pages next to the leaf, and lies on them from the spine outwards")
  func places() {
    var shadows = 0
    forEachBook { book, _ in
      let parts = book.parts
      for (index, shadow) in parts.enumerated() where shadow.part == .shadow {
        shadows += 1
        #expect([book.recto + 2, book.verso - 2].contains(shadow.page), "\(book)")
        // The page is drawn directly before it.
        let page = parts[max(index - 1, 0)]
        #expect(page.page == shadow.page && page.part != .shadow, "\(book)")
        #expect(shadow.z > page.z && shadow.shade == 0, "\(book)")
        let others = parts.filter { $0.part != .shadow && $0.z > page.z }
        #expect(others.allSatisfy { $0.z > shadow.z || $0.page % 2 != page.page % 2 }, "\(book)")
        #expect(shadow.opacity > 0 && shadow.opacity <= 0.5, "\(book)")
        expectOnPage(shadow, page, book)
      }
      #expect(parts.count { $0.part == .shadow } <= 2, "\(book)")
    }
    #expect(replaysOneSeed || shadows > 150)
  }

  /// Expects that a shadow covers the part of its page from the spine to a straight line.
  private func expectOnPage(_ shadow: VisiblePart, _ page: VisiblePart, _ book: BentBook) {
    guard let cast = cast(on: shadow.page, of: book) else { return }
    let lengths = [cast.upper, cast.lower]
    #expect(lengths.allSatisfy { $0 > 0 && $0 <= 1 + 1e-9 }, "\(book)")
    #expect(book.pose.rulings != .parallel || abs(cast.upper - cast.lower) < 1e-9, "\(book)")
    let size = book.layout.box.size
    let side = page.page.isMultiple(of: 2) ? size.width : -size.width
    for (end, y) in [(cast.upper, -size.height / 2), (cast.lower, size.height / 2)] {
      for x in [0, 0.4, 1] {
        let dark = shadow.transform.applied(x: x * side, y: y).seen
        let paper = page.transform.applied(x: x * end * side, y: y).seen
        #expect(abs(dark.x - paper.x) + abs(dark.y - paper.y) < 1e-9, "\(book)")
      }
    }
  }

  @Test("is none at rest, and none of a closed book")
  func rest() {
    forEachBook { book, _ in
      for (offset, openness) in [(book.pose.offset.rounded(), 1.0), (book.pose.offset, 0)] {
        var pose = book.pose
        (pose.offset, pose.openness) = (offset, openness)
        #expect(book.layout.parts(in: pose).allSatisfy { $0.part != .shadow }, "\(pose)")
      }
    }
  }

  @Test("grows, moves and fades without a jump while the leaf turns")
  func continuous() {
    forEachBook { book, _ in
      for page in [book.recto + 2, book.verso - 2] {
        var last: Cast?
        for step in 0...100 {
          var turned = book
          turned.pose.offset = Double(book.leaf - 1) + Double(step) / 100
          let now = cast(on: page, of: turned)
          if let last, let now {
            let change = abs(now.opacity - last.opacity)
            #expect(change <= 0.05, "step \(step), page \(page), \(book)")
            // The length of a shadow that begins or ends is not seen.
            let isSeen = last.opacity > 0 && now.opacity > 0
            let growth = max(abs(now.upper - last.upper), abs(now.lower - last.lower))
            #expect(!isSeen || growth <= 0.05, "step \(step), page \(page), \(book)")
          }
          last = now
        }
        #expect(last?.opacity ?? 0 == 0)
      }
    }
  }

  @Test("is darkest where the leaf is near the page, and falls on both sides of an upright leaf")
  func strength() {
    let layout = BookLayout(pageCount: 24, box: pageBox)
    for flatness in [0.0, 1] {
      let upright = BookPose(offset: 5.5, flatness: flatness)
      let shadows = layout.parts(in: upright).filter { $0.part == .shadow }
      // The light comes from the left, so the shadow of an upright leaf falls on the right.
      #expect(shadows.contains { $0.page == 14 })
      let low = BookPose(offset: 5.15, flatness: flatness)
      let near = layout.parts(in: low).first { $0.part == .shadow && $0.page == 14 }
      let far = shadows.first { $0.page == 14 }
      #expect((near?.opacity ?? 0) > (far?.opacity ?? 1))
    }
  }
}
