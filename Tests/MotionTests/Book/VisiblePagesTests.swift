import Motion
import TestVectors
import Testing

/// A visible page as the layout describes it.
struct Shown: Equatable {
  let page: Int
  let transform: Transform3D
  let shade: Double
  let z: Int
}

/// The state of a book at one moment.
struct Moment: CustomStringConvertible {
  let offset, openness, shift, closedScale: Double
  var description: String { "offset \(offset), openness \(openness), shift \(shift)" }

  var pose: BookPose {
    BookPose(offset: offset, openness: openness, shift: shift, closedScale: closedScale)
  }

  func pages(of book: BookLayout) -> [Shown] {
    var pages: [Shown] = []
    book.forEachVisiblePart(in: pose) { part in
      guard part.part != .shadow else { return }
      pages.append(
        Shown(page: part.page, transform: part.transform, shade: part.shade, z: part.z)
      )
    }
    return pages
  }

  /// Returns many moments: at rest, turning, pulled beyond the ends, opening, overshooting, and off
  /// centre.
  static func all(upTo last: Double) -> [Moment] {
    let offsets = Array(stride(from: -0.35, through: last + 0.35, by: 0.0625)) + [0, last]
    var moments: [Moment] = []
    for openness in [-0.1, 0, 0.004, 0.1, 0.31, 0.5, 0.66, 0.75, 0.9, 1, 1.046] {
      for shift in [0.0, -372, 140] where shift == 0 || openness != 1 {
        for offset in offsets {
          moments.append(
            Moment(
              offset: offset,
              openness: openness,
              shift: shift * (1 - openness),
              closedScale: 0.7
            )
          )
        }
      }
    }
    return moments
  }
}

@Suite("Visible pages")
struct VisiblePagesTests {
  private let book = BookLayout(pageCount: 24, box: pageBox)

  @Test("only the cover of a closed book is visible")
  func closedBook() {
    for shift in [-372.0, 0, 55] {
      for offset in [0.0, 0.5, 4, 11] {
        let closed = Moment(offset: offset, openness: 0, shift: shift, closedScale: 0.6)
        let pages = closed.pages(of: book)
        #expect(pages.map(\.page) == [0])
        #expect(pages.first?.shade == 0)
        #expect(pages.first?.transform.m11 == 0.6)
        #expect(agrees(pages.first?.transform.m41 ?? 0, shift - 0.3 * 362))
      }
    }
  }

  @Test("an open book at rest shows its spread and the edges of the stacks")
  func openBook() {
    let middle = Moment(offset: 6, openness: 1, shift: 0, closedScale: 0.7)
    // Four leaves beyond the top one still stick out; the flat ones lie under them.
    #expect(middle.pages(of: book).map(\.page) == [5, 7, 9, 11, 13, 14, 16, 18, 20, 22])
    let first = Moment(offset: 0, openness: 1, shift: 0, closedScale: 0.7)
    #expect(first.pages(of: book).map(\.page) == [1, 2, 4, 6, 8, 10])
  }

  @Test("no leaf shows both faces, and every visible face faces the reader, in order")
  func facesInOrder() {
    for pageCount in [1, 2, 3, 8, 9, 24, 61] {
      let book = BookLayout(pageCount: pageCount, box: pageBox)
      for moment in Moment.all(upTo: min(book.maximumOffset, 6)) {
        let pages = moment.pages(of: book)
        #expect(!pages.isEmpty, "\(moment)")
        let leaves = pages.map { $0.page / 2 }
        #expect(zip(leaves, leaves.dropFirst()).allSatisfy { $0 < $1 }, "\(moment)")
        for shown in pages {
          let isRecto = book.isRectoFacing(leaf: shown.page / 2, in: moment.pose)
          #expect(shown.page.isMultiple(of: 2) == isRecto)
          #expect((0...2 * book.leafCount).contains(shown.page))
          #expect(shown.transform.isFinite)
          #expect((0...1).contains(shown.shade))
          #expect(shown.z == book.z(ofPage: shown.page))
        }
      }
    }
  }

  @Test("a visible page lies exactly where its transform puts it")
  func transforms() {
    for moment in Moment.all(upTo: 11) {
      for shown in moment.pages(of: book) {
        let transform = book.transform(ofPage: shown.page, in: moment.pose)
        #expect(shown.transform == transform, "\(moment)")
        let shade = book.shade(
          ofPage: shown.page,
          offset: moment.offset,
          openness: moment.openness
        )
        #expect(shown.shade == shade)
      }
    }
  }

  @Test("no matrix contains a negative zero")
  func noNegativeZero() {
    for moment in Moment.all(upTo: 11) {
      for shown in moment.pages(of: book) {
        for index in 0..<16 where shown.transform[index] == 0 {
          #expect(shown.transform[index].sign == .plus, "entry \(index), \(moment)")
        }
      }
    }
  }

  @Test("right of the spine lower pages are on top, left of it higher ones")
  func paintOrder() {
    for moment in Moment.all(upTo: 11) {
      let pages = moment.pages(of: book)
      let rectos = pages.filter { $0.page.isMultiple(of: 2) }.map(\.z)
      let versos = pages.filter { !$0.page.isMultiple(of: 2) }.map(\.z)
      #expect(zip(rectos, rectos.dropFirst()).allSatisfy { $0 > $1 })
      #expect(zip(versos, versos.dropFirst()).allSatisfy { $0 < $1 })
    }
  }

  @Test("a thousand leaves show no more faces than ten")
  func thousandLeaves() {
    let thick = BookLayout(pageCount: 2000, box: pageBox)
    var most = 0
    for step in 0...400 {
      for openness in [0.0, 0.05, 0.3, 0.6, 0.95, 1, 1.046] {
        let offset = -0.4 + 999.8 * Double(step) / 400
        let moment = Moment(offset: offset, openness: openness, shift: 0, closedScale: 0.7)
        most = max(most, moment.pages(of: thick).count)
      }
    }
    #expect((10...16).contains(most), "\(most)")
  }

  @Test("the middle of a book looks the same for any number of pages", .timeLimit(.minutes(10)))
  func middleOfLongBook() {
    let thin = BookLayout(pageCount: 100, box: pageBox)
    let thick = BookLayout(pageCount: 2_000_000_000, box: pageBox)
    for step in 0...64 {
      let turned = Double(step) / 64
      let few = Moment(offset: 20 + turned, openness: 1, shift: 0, closedScale: 0.7)
      let many = Moment(offset: 500_000_020 + turned, openness: 1, shift: 0, closedScale: 0.7)
      let (a, b) = (few.pages(of: thin), many.pages(of: thick))
      #expect(a.map { $0.page + 1_000_000_000 } == b.map(\.page))
      for (one, other) in zip(a, b) {
        #expect(one.transform.maximumDifference(from: other.transform) < 1e-12)
      }
    }
  }

  @Test("extreme offsets show the last stack, and NaN shows nothing")
  func extremeOffsets() {
    for (offset, page) in [(1e300, 23), (50, 23), (-50, 0), (-1e300, 0)] {
      let moment = Moment(offset: offset, openness: 1, shift: 0, closedScale: 0.7)
      #expect(moment.pages(of: book).map(\.page) == [page])
    }
    for offset in [Double.nan, .infinity, -.infinity] {
      let moment = Moment(offset: offset, openness: 1, shift: 0, closedScale: 0.7)
      #expect(moment.pages(of: book).isEmpty)
    }
  }

  @Test("a book without pages shows no page, and a book of one page shows its blank back")
  func fewPages() {
    let moment = Moment(offset: 0, openness: 1, shift: 0, closedScale: 0.7)
    #expect(moment.pages(of: BookLayout(pageCount: 0, box: pageBox)).isEmpty)
    #expect(moment.pages(of: BookLayout(pageCount: -1, box: pageBox)).isEmpty)
    #expect(moment.pages(of: BookLayout(pageCount: 1, box: pageBox)).map(\.page) == [1])
  }
}
