import Motion
import Scene
import Testing

@testable import Staging

@Suite("A book that cannot be opened")
struct UnreadableBookTests {
  /// A shelf of three books, of which the second cannot be opened.
  private static func library(isReadable: Bool = false) -> LibraryLayout {
    let books = ["a", "b", "c"].map { id in
      BookOutline(
        id: id,
        pageCount: id == "b" ? 1 : 30,
        pageSize: Size(width: 362, height: 568),
        isReadable: isReadable || id != "b"
      )
    }
    return LibraryLayout(LibraryOutline(collections: [CollectionOutline(id: "s", books: books)]))
  }

  /// Returns a stage in front of the shelf with that book in the middle.
  private func stage() -> Stage {
    var stage = Stage(library: Self.library(), start: .shelf)
    stage.apply(.go(book: "b", opens: false, page: nil), at: 10)
    stage.advance(to: 20)
    return stage
  }

  @Test(
    "stays on its shelf, whatever the reader does",
    arguments: [
      [Input.key(.enter)], [.tap(Point(x: 0, y: 0))], [.go(book: "b", opens: true, page: nil)],
      [.go(book: "b", opens: true, page: 3)], [.jump(page: 1)], [.lay(.flat)],
      [
        .pinch(.began, scale: 1, Point(x: 0, y: 0)), .pinch(.changed, scale: 3, Point(x: 0, y: 0)),
        .pinch(.ended, scale: 3, Point(x: 0, y: 0)),
      ],
    ]
  )
  func opens(_ inputs: [Input]) {
    var stage = stage()
    for (index, input) in inputs.enumerated() {
      stage.apply(input, at: 20 + 0.1 * Double(index))
      #expect(stage.openBook == nil, "\(input)")
    }
    stage.advance(to: 40)
    #expect(stage.screen == .shelf && stage.openBook == nil && stage.centreBook(at: 40) == 1)
    #expect(stage.frame(at: 40).isSettled)
    // The others open as before.
    stage.apply(.go(book: "c", opens: true, page: nil), at: 41)
    stage.advance(to: 60)
    #expect(stage.openBook == "c")
  }

  @Test(
    "closes if it is open when it is found to be unreadable, and opens again once it is readable"
  )
  func replaced() {
    var stage = Stage(library: Self.library(isReadable: true), start: .shelf)
    stage.apply(.go(book: "b", opens: true, page: nil), at: 10)
    stage.advance(to: 20)
    #expect(stage.openBook == "b" && !stage.hasOpenBook(in: Self.library()))
    stage.replace(library: Self.library(), at: 21)
    stage.advance(to: 30)
    #expect(stage.screen == .shelf && stage.openBook == nil)
    stage.replace(library: Self.library(isReadable: true), at: 31)
    stage.apply(.go(book: "b", opens: true, page: nil), at: 32)
    stage.advance(to: 50)
    #expect(stage.openBook == "b")
  }
}
