import Geometry
import TestVectors
import Testing

@testable import Bookwork

@Suite("The shadow of a turning leaf")
struct LeafShadowTests {
  /// A shadow as it is drawn.
  private struct Cast {
    let opacity: Double
    /// The length as a fraction of its page.
    let length: Double
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
      return Cast(opacity: 0, length: 0)
    }
    let whole = book.layout.transform(ofPage: page, in: book.pose)
    let along = [shadow.transform, whole].map { ($0.m11 * $0.m11 + $0.m13 * $0.m13).squareRoot() }
    return Cast(opacity: shadow.opacity, length: along[0] / along[1])
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

  /// Expects that a shadow covers the part of its page from the spine to a parallel of it.
  private func expectOnPage(_ shadow: VisiblePart, _ page: VisiblePart, _ book: BentBook) {
    guard let cast = cast(on: shadow.page, of: book) else { return }
    #expect(cast.length > 0 && cast.length <= 1 + 1e-9, "\(book)")
    let side =
      page.page.isMultiple(of: 2) ? book.layout.box.size.width : -book.layout.box.size.width
    for (x, y) in [(0.0, -100.0), (0.4, 200), (1, -284), (1, 284)] {
      let dark = shadow.transform.applied(x: x * side, y: y)
      let paper = page.transform.applied(x: x * cast.length * side, y: y)
      #expect((dark - paper).magnitude < 1e-9, "\(book)")
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
            let growth = isSeen ? abs(now.length - last.length) : 0
            #expect(growth <= 0.05, "step \(step), page \(page), \(book)")
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
