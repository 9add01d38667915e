import Motion
import Scene
import Testing

@testable import Staging

@Suite("A taken book")
struct TakenBookTests {
  private let shelves = LibraryLayout(library(collections: 2, books: 3, pages: 40))
  private let place = BookIndex(collection: 1, book: 2)

  private func taken(spread: Int = 3, isFlat: Bool = true) -> TakenBook {
    var book = TakenBook()
    book.take(place, in: shelves, left: Bookmark(book: "b", spread: spread, isFlat: isFlat))
    return book
  }

  @Test("a book is taken at the spread and in the pose in which it was left")
  func left() {
    #expect(taken().leaves.spread == 3 && taken().isFlat && taken().restedFlat)
    var book = taken()
    book.take(place, in: shelves, left: nil)
    #expect(book.leaves.spread == 0 && !book.isFlat && !book.restedFlat)
  }

  @Test("a book is off its shelf from the first moment until it has landed")
  func out() {
    var book = taken()
    #expect(!book.isOut(at: 0))
    book.open(at: 0)
    #expect(book.isOut(at: 0) && book.isOut(at: 50) && book.isFlying(at: 0.5))
    book.close(at: 50)
    #expect(book.isOut(at: 50.9) && !book.isOut(at: book.endTime) && book.index == place)
  }

  @Test("opening and closing reverse at their position")
  func reverses() {
    var book = taken()
    book.open(at: 0)
    let before = book.opening.value(at: 0.3)
    book.close(at: 0.3)
    #expect(abs(book.opening.value(at: 0.3) - before) < 1e-12 && book.opening.target == 0)
  }

  @Test("closing lets a waiting leaf continue")
  func closes() {
    var book = taken(spread: 0)
    book.leaves.showImages([1, 2], at: 0)
    book.opening = .rest(1)
    book.leaves.turn(by: 1, at: 0)
    #expect(book.leaves.waitDeadline != nil)
    book.close(at: 0.5)
    #expect(book.leaves.waitDeadline == nil && book.leaves.turn.target == 1)
  }

  @Test("the pose in which a book rested changes only at rest")
  func pose() {
    var book = taken(isFlat: false)
    book.lay(isFlat: true, at: 0)
    book.notePose(at: 0.05)
    #expect(book.isFlat && !book.restedFlat)
    book.notePose(at: book.endTime)
    #expect(book.restedFlat)
  }

  @Test("a removed book leaves no state behind")
  func removed() {
    var book = taken()
    book.remove()
    #expect(book.index == nil && book.leaves.spread == 0 && !book.isFlat)
  }

  @Test("a book moved to a shorter edition opens at its end")
  func moved() {
    var book = taken(spread: 15)
    let shorter = LibraryLayout(library(pages: 8))
    book.move(to: BookIndex(collection: 0, book: 0), in: shorter)
    #expect(book.leaves.spread == 3 && book.index?.collection == 0 && book.isFlat)
  }
}
