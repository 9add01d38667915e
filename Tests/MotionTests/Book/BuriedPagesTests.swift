import Motion
import Testing

/// Computes the visible pages independently: from the visible corners of every leaf, not from the
/// formulas of the layout.
@Suite("Buried pages")
struct BuriedPagesTests {
  private struct Face {
    let page: Int
    let isRecto: Bool
    let extent, rise: Double
  }

  private func faces(of book: BookLayout, at moment: Moment) -> [Face] {
    (0..<book.leafCount).map { leaf in
      let transform = book.transform(ofPage: 2 * leaf, in: moment.pose)
      let inner = transform.transformed(Point(x: 0, y: 100))
      let outer = transform.transformed(Point(x: book.box.size.width, y: 100))
      let isRecto = outer.x - inner.x >= -1e-9
      let extent = abs(outer.x - inner.x)
      return Face(
        page: 2 * leaf + (isRecto ? 0 : 1),
        isRecto: isRecto,
        extent: extent,
        rise: (outer.y - inner.y) / extent
      )
    }
  }

  private func seen(of book: BookLayout, at moment: Moment) -> [Int] {
    let faces = faces(of: book, at: moment)
    return faces.filter { face in
      !faces.contains { other in
        let isAbove = book.z(ofPage: other.page) > book.z(ofPage: face.page)
        return other.isRecto == face.isRecto && isAbove
          && other.extent >= face.extent - 1e-9 && other.rise >= face.rise - 1e-9
      }
    }.map(\.page)
  }

  @Test(
    "a page is hidden exactly when another page covers all of it",
    arguments: [1, 2, 3, 7, 8, 24, 47]
  )
  func hiddenPages(pageCount: Int) {
    let book = BookLayout(pageCount: pageCount, box: pageBox)
    for moment in Moment.all(upTo: book.maximumOffset) {
      #expect(
        moment.pages(of: book).map(\.page) == seen(of: book, at: moment),
        "\(moment)"
      )
    }
  }

  @Test("wide pages stay visible as far as they extend")
  func widePages() {
    let box = PageBox(fitting: Size(width: 460, height: 300))
    let book = BookLayout(pageCount: 30, box: box)
    for moment in Moment.all(upTo: book.maximumOffset) {
      #expect(
        moment.pages(of: book).map(\.page) == seen(of: book, at: moment),
        "\(moment)"
      )
    }
  }
}
