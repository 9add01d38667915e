import Motion
import Scene
import Testing

@testable import Staging

/// Returns a library of shelves with books of these ids.
private func named(_ shelves: [[String]] = [["a", "b", "c"], ["d", "e"], []]) -> LibraryOutline {
  LibraryOutline(
    collections: shelves.enumerated().map { index, ids in
      CollectionOutline(
        id: "shelf \(index)",
        books: ids.map { BookOutline(id: $0, pageCount: 30, pageSize: referencePage) }
      )
    }
  )
}

@Suite("Going to a book")
struct NavigationTests {
  private func go(_ stage: inout Stage, _ id: String, opens: Bool = true, page: Int? = nil) {
    stage.apply(.go(book: id, opens: opens, page: page), at: 10)
  }

  @Test("a navigation from any state of the stage ends in the open book at its page")
  func everywhere() {
    for start in Screen.allCases {
      for id in ["a", "c", "e"] {
        var stage = Stage(library: named(), start: start)
        go(&stage, id, page: 21)
        let frame = stage.frame(at: 30)
        stage.advance(to: 30)
        #expect(frame.isSettled && stage.openBook == id && stage.firstPage == 21, "\(start) \(id)")
        #expect(frame == stage.frame(at: 30))
      }
    }
  }

  @Test("a navigation that does not open its book brings it into the middle and closes another")
  func shown() {
    var stage = Stage(library: named(), start: .book)
    go(&stage, "e", opens: false)
    stage.advance(to: 30)
    #expect(stage.screen == .shelf && stage.collection == 1 && stage.centreBook(at: 30) == 1)
    #expect(stage.isSettled(at: 30))
  }

  @Test("a book on two shelves is opened from the one that is shown, and is another element there")
  func copies() {
    var outline = named([["a", "b"], ["c", "b"]])
    outline.collections[1].books[1].copy = 1
    let library = LibraryLayout(outline)
    for shelf in [0, 1] {
      var stage = Stage(library: library)
      go(&stage, shelf == 0 ? "a" : "c", opens: false)
      stage.advance(to: 30)
      stage.apply(.go(book: "b", opens: true, page: nil), at: 30)
      stage.advance(to: 60)
      #expect(stage.openBook == "b" && stage.collection == shelf)
      let place = BookIndex(collection: shelf, book: 1)
      let frame = stage.frame(at: 60)
      #expect(frame.placements.contains { library.index(of: $0.key) == place }, "\(shelf)")
    }
  }

  @Test(
    "any other input cancels a navigation",
    arguments: [10.05, 10.3, 10.9, 11.5, 12.4]
  )
  func caught(time: Double) {
    var stage = Stage(library: named(), start: .book)
    go(&stage, "e")
    let before = stage.frame(at: time)
    stage.apply(.pan(.began, Point(x: 0, y: 0)), at: time)
    #expect(difference(before, stage.frame(at: time)) < 1e-6 && stage.navigation == nil)
    stage.apply(.pan(.cancelled, Point(x: 0, y: 0)), at: time + 0.1)
    #expect(stage.frame(at: time + 9).isSettled)
  }

  @Test("a book that is not in the library causes no move")
  func unknown() {
    for id in ["", "z"] {
      var stage = Stage(library: named(), start: .shelf)
      go(&stage, id)
      #expect(stage.isSettled(at: 10))
    }
  }
}

@Suite("A library that changes")
struct ChangingLibraryTests {
  @Test("books and shelves keep their identity by their ids")
  func mapped() {
    var stage = Stage(library: named(), start: .shelf)
    stage.apply(.go(book: "e", opens: true, page: 9), at: 0)
    let page = stage.frame(at: 20).placements.map(\.transform)
    stage.replace(library: LibraryLayout(named([["x"], ["a", "c"], ["y", "e", "d"]])), at: 20)
    // The shelf with that id no longer has the book; another shelf does.
    #expect(stage.openBook == "e" && stage.firstPage == 9 && stage.collection == 2)
    let moved = stage.frame(at: 20)
    #expect(moved.placements.map(\.transform) == page)
    let pages = moved.placements.filter { $0.key.kind == .page }
    let place = BookIndex(collection: 2, book: 1)
    #expect(!pages.isEmpty && pages.allSatisfy { stage.library.index(of: $0.key) == place })
    stage.press(.escape, at: 20)
    #expect(stage.centreBook(at: 24) == 1 && stage.frame(at: 24).screen == .shelf)
  }

  @Test(
    "a missing book leads to its shelf and a missing shelf to the list, and both are remembered"
  )
  func gone() {
    var stage = Stage(library: named(), start: .shelf)
    stage.apply(.go(book: "b", opens: true, page: 9), at: 0)
    stage.advance(to: 20)
    let without = LibraryLayout(named([["a", "c"], ["d"]]))
    #expect(!stage.hasOpenBook(in: without) && stage.hasOpenBook(in: LibraryLayout(named())))
    stage.replace(library: without, at: 20)
    #expect(stage.screen == .shelf && stage.isSettled(at: 20) && stage.openBook == nil)
    stage.replace(library: LibraryLayout(shelves: []), at: 21)
    #expect(stage.screen == .collections && stage.frame(at: 21).placements.isEmpty)
    stage.replace(library: LibraryLayout(named()), at: 22)
    #expect(stage.bookmarks == [Bookmark(book: "b", spread: 4)])
    stage.apply(.go(book: "b", opens: true, page: nil), at: 23)
    stage.advance(to: 40)
    #expect(stage.firstPage == 9)
  }

  @Test(
    "the book in the middle of the present shelf stays there, even the first one and in mid-flight",
    arguments: [0.0, 0.1, 0.7, 9]
  )
  func middle(delay: Double) {
    // A filter leaves one book; the reader goes to it, and the filter is removed.
    var stage = Stage(library: named([["e"]]))
    stage.apply(.go(book: "e", opens: false, page: nil), at: 0)
    stage.replace(library: LibraryLayout(named([["c", "d", "e"]])), at: delay)
    #expect(stage.screen == .shelf && stage.centreBook(at: delay + 9) == 2)
    stage.replace(library: LibraryLayout(named([["e", "c", "d"]])), at: delay + 10)
    #expect(stage.centreBook(at: delay + 10) == 0)
    stage.press(.enter, at: delay + 11)
    stage.advance(to: delay + 20)
    #expect(stage.openBook == "e")
  }

  @Test("everything that moves is put at its target")
  func settles() {
    var stage = Stage(library: named(), start: .book)
    stage.press(.arrowRight, at: 0)
    stage.pinch(.began, 1, at: 0.1)
    stage.pinch(.changed, 2, at: 0.2)
    stage.replace(library: LibraryLayout(named()), at: 0.3)
    #expect(stage.isSettled(at: 0.3) && !stage.isDriven && stage.spread == 1)
    #expect(stage.frame(at: 0.3).isSettled)
  }

  @Test("Escape while a book goes back to its shelf leads to the list once the book is there")
  func escapeWhileClosing() {
    for delay in [0.0, 0.1, 0.4, 0.8] {
      var stage = Stage(library: named(), start: .book)
      stage.press(.escape, at: 10)
      stage.press(.escape, at: 10 + delay)
      #expect(!stage.isSettled(at: 10 + delay))
      stage.advance(to: 30)
      #expect(stage.screen == .collections && stage.isSettled(at: 30), "after \(delay) s")
    }
  }

  @Test("an arrow key while a shelf slides out of sight chooses the next collection afterwards")
  func arrowWhileSliding() {
    for delay in [0.0, 0.1, 0.3] {
      var stage = Stage(library: named(), start: .shelf)
      stage.press(.escape, at: 10)
      stage.press(.arrowDown, at: 10 + delay)
      stage.advance(to: 30)
      #expect(stage.screen == .collections && stage.collection == 1, "after \(delay) s")
    }
  }

  @Test("a stage that settles has what it would come to rest with, at once")
  func settlesAsItWouldRest() {
    let inputs: [[Input]] = [
      [.key(.escape)], [.key(.escape), .key(.escape)], [.key(.arrowRight)], [.key(.keyF)],
      [.go(book: "e", opens: true, page: 21)], [.jump(page: 17)],
    ]
    for input in inputs {
      var one = Stage(library: named(), start: .book)
      for each in input { one.apply(each, at: 10) }
      var other = one
      one.apply(.settle, at: 10.1)
      #expect(one.isSettled(at: 10.1))
      other.advance(to: 100)
      #expect(difference(one.frame(at: 10.1), other.frame(at: 100)) < 1e-9, "\(input)")
    }
  }

  @Test("a stage does not settle while a finger holds it")
  func heldStageDoesNotSettle() {
    var stage = Stage(library: named(), start: .book)
    stage.apply(.pan(.began, Point(x: 300, y: 0)), at: 10)
    stage.apply(.pan(.changed, Point(x: 100, y: 0)), at: 10.2)
    let before = stage
    stage.apply(.settle, at: 10.2)
    #expect(stage == before)
  }
}
