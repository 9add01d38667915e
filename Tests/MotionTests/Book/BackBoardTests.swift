import Motion
import TestVectors
import Testing

@Suite("The back board")
struct BackBoardTests {
  private func book(_ pages: Int) -> BookLayout {
    BookLayout(pageCount: pages, box: PageBox(fitting: Size(width: 362, height: 568)))
  }

  private func board(
    _ book: BookLayout,
    _ offset: Double,
    open: Double = 1,
    flat: Double = 0
  ) -> VisiblePart? {
    book.backBoard(in: BookPose(offset: offset, openness: open, flatness: flat))
  }

  @Test("lies under the last page like one more leaf", arguments: [2, 3, 4, 8, 9, 33, 200])
  func underTheLast(pages: Int) throws {
    let book = book(pages)
    let longer = self.book(2 * book.leafCount + 2)
    for flat in [0, 0.3, 1] {
      guard let found = board(book, book.maximumOffset, flat: flat) else {
        // Flat on the table the last leaf covers it, if there is one on that side.
        #expect(flat == 1 && !pages.isMultiple(of: 2), "\(pages) pages, flat \(flat)")
        continue
      }
      let one = longer.transform(
        ofPage: 2 * book.leafCount,
        in: BookPose(offset: book.maximumOffset, flatness: flat)
      )
      #expect(found.transform == one, "\(pages) pages, flat \(flat)")
    }
  }

  @Test("is all that is visible on the right of the last spread of an even book")
  func alone() throws {
    for pages in stride(from: 2, through: 40, by: 2) {
      let book = book(pages)
      for flat in [0.0, 1] {
        var rectos = 0
        let pose = BookPose(offset: book.maximumOffset, flatness: flat)
        book.forEachVisiblePart(in: pose) { rectos += $0.page.isMultiple(of: 2) ? 1 : 0 }
        #expect(rectos == 0)
        #expect(board(book, book.maximumOffset, flat: flat) != nil, "\(pages) pages")
      }
    }
  }

  @Test("is not visible in a closed book, far before the end, or beyond the last offset")
  func hidden() {
    for pages in 1...60 {
      let book = book(pages)
      for offset in stride(from: 0, through: book.maximumOffset, by: 1) {
        #expect(board(book, offset, open: 0) == nil, "\(pages) pages at \(offset)")
        if Double(book.leafCount) - offset > 7 { #expect(board(book, offset) == nil) }
      }
      for offset: Double in [-Double.infinity, Double.infinity, Double.nan] {
        #expect(board(book, offset) == nil)
      }
    }
    #expect(board(book(0), 0) == nil)
  }

  @Test("is never lifted, even by a finger that pulls beyond the end")
  func lies() {
    for pages in [2, 8, 9, 31] {
      let book = book(pages)
      let rest = board(book, Double(book.leafCount - 1))?.transform
      for beyond in [0.1, 0.5, 2, 1e9] {
        #expect(
          board(book, Double(book.leafCount - 1) + beyond)?.transform == rest,
          "\(pages) pages"
        )
      }
    }
  }

  @Test("moves continuously while leaves turn onto it and off it")
  func continuous() throws {
    let book = book(12)
    var last: Double?
    for step in 0...500 {
      let offset = book.maximumOffset * Double(step) / 500
      guard let now = board(book, offset)?.transform.m11 else { continue }
      if let last { #expect(abs(now - last) < 0.02, "at \(offset)") }
      last = now
    }
    #expect(last != nil)
  }
}
