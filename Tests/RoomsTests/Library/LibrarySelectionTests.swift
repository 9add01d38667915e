import Scene
import Staging
import Testing

@testable import Rooms

private let library = ShownLibrary(.varied)
private let other = ShownLibrary(.sample([[12], [3]]))
private let filter = Arrangement(filter: "Book 1")

/// A selection over a stage, and the outcome of changes.
private struct Shelf {
  var selection = LibrarySelection(library)
  var stage = Stage(library: library.layout)

  mutating func step(
    _ now: Double,
    rests: Bool = true,
    isTouched: Bool = false
  ) -> LibrarySelection.Step {
    selection.step(at: now, over: stage, rests: rests, isTouched: isTouched)
  }

  /// Opens the first book, at rest.
  mutating func openBook(_ id: String = "0/0") {
    stage.apply(.go(book: id, opens: true, page: nil), at: 0)
    stage.advance(to: 9)
  }
}

extension LibrarySelection.Step {
  fileprivate var waits: Bool { if case .wait = self { true } else { false } }
  fileprivate var shows: ShownLibrary? { if case .show(let next) = self { next } else { nil } }
  fileprivate var asks: ArrangementRequest? {
    if case .ask(let request) = self { request } else { nil }
  }
}

@Suite("The part of the library that a stage shows")
struct LibrarySelectionTests {
  @Test("nothing waits initially")
  func rest() {
    var shelf = Shelf()
    let waits = shelf.step(10).waits
    #expect(waits && !shelf.selection.isWaiting && shelf.selection.wakeTime == nil)
  }

  @Test("a change is shown at once on a stage at rest, and ends the wait")
  func change() {
    var shelf = Shelf()
    let waits = shelf.selection.replace(other, waits: true, at: 10)
    let next = shelf.step(10).shows
    #expect(waits && next == other && shelf.selection.isWaiting)
    shelf.selection.endWait(at: 10)
    let isOther = shelf.selection.show(other)
    #expect(isOther && shelf.selection.shown == other && !shelf.selection.isWaiting)
    let isAgain = shelf.selection.show(other)
    #expect(!isAgain)
  }

  @Test("a change that does not wait is shown with the next one")
  func silentChange() {
    var shelf = Shelf()
    let waits = shelf.selection.replace(other, waits: false, at: 10)
    #expect(!waits && !shelf.selection.isWaiting && shelf.selection.shown == library)
    #expect(shelf.selection.arranged(keeping: nil) == other)
  }

  @Test("a change waits for a moving stage for at most two seconds")
  func moving() {
    var shelf = Shelf()
    _ = shelf.selection.replace(other, waits: true, at: 10)
    var waits = shelf.step(10, rests: false).waits
    #expect(waits && shelf.selection.wakeTime == 12)
    waits = shelf.step(11.9, rests: false).waits
    #expect(waits)
    let next = shelf.step(12, rests: false).shows
    #expect(next == other)
  }

  @Test("a finger delays a change for at most half a minute")
  func touched() {
    var shelf = Shelf()
    _ = shelf.selection.replace(other, waits: true, at: 10)
    for now in stride(from: 10.0, to: 40, by: 2) {
      let waits = shelf.step(now, isTouched: true).waits
      #expect(waits, "\(now)")
    }
    let next = shelf.step(40, isTouched: true).shows
    #expect(next == other)
  }

  @Test("two changes are shown at least 0.2 s apart, and the last of several counts")
  func rate() {
    var shelf = Shelf()
    _ = shelf.selection.replace(other, waits: true, at: 10)
    shelf.selection.endWait(at: 10)
    _ = shelf.selection.replace(other, waits: true, at: 10.1)
    _ = shelf.selection.replace(library, waits: true, at: 10.15)
    let waits = shelf.step(10.15).waits
    #expect(waits && shelf.selection.wakeTime == 10.2)
    let next = shelf.step(10.2).shows
    #expect(next == library)
  }

  @Test("an open book that the next library lacks is closed first, unless that takes too long")
  func closing() {
    var shelf = Shelf()
    shelf.openBook("0/4")
    _ = shelf.selection.replace(other, waits: true, at: 10)
    guard case .closeBook(let next) = shelf.step(10) else {
      Issue.record("the book stays open")
      return
    }
    #expect(next == other && shelf.selection.isWaiting)
    let late = shelf.step(12).shows
    #expect(late == other)
  }

  @Test("an open book whose file is gone stays until it is closed, and the change waits for it")
  func missing() {
    var shelf = Shelf()
    shelf.openBook("0/4")
    var catalogue = other.catalogue
    catalogue.missing = ["0/4"]
    let next = ShownLibrary(catalogue)
    _ = shelf.selection.replace(next, waits: true, at: 10)
    for now in [10.0, 12, 100] {
      let waits = shelf.step(now).waits
      #expect(waits && shelf.selection.isWaiting && shelf.selection.wakeTime == nil, "\(now)")
    }
    // Another change in the meantime wakes nobody.
    _ = shelf.selection.replace(next, waits: true, at: 200)
    #expect(shelf.selection.wakeTime?.isFinite != true)
    shelf.stage.apply(.key(.escape), at: 300)
    let waits = shelf.step(300, rests: false).waits
    #expect(waits && shelf.selection.wakeTime == 302)
    let shown = shelf.step(301).shows
    #expect(shown == next)
  }

  @Test("an open book that the next library has stays open")
  func keeping() {
    var shelf = Shelf()
    shelf.openBook("0/0")
    _ = shelf.selection.replace(other, waits: true, at: 10)
    let next = shelf.step(10).shows
    #expect(next == other)
  }

  @Test("an arrangement is requested once, and shown when it has been computed")
  func arranging() throws {
    var shelf = Shelf()
    let changes = shelf.selection.arrange(filter, at: 10)
    let request = try #require(shelf.step(10).asks)
    #expect(changes && request.arrangement == filter && shelf.selection.wakeTime == nil)
    let waits = shelf.step(10.1).waits
    #expect(waits && shelf.selection.isWaiting)
    let arranged = request.arranged()
    let isTaken = shelf.selection.take(arranged, for: request)
    let next = shelf.step(10.5).shows
    #expect(isTaken && next == arranged)
    let isTakenAgain = shelf.selection.take(arranged, for: request)
    #expect(!isTakenAgain)
  }

  @Test("an arrangement of a library that has changed since is ignored and requested again")
  func outdated() throws {
    var shelf = Shelf()
    _ = shelf.selection.arrange(filter, at: 10)
    let request = try #require(shelf.step(10).asks)
    _ = shelf.selection.replace(other, waits: true, at: 10.1)
    let newer = try #require(shelf.step(10.1).asks)
    let isTaken = shelf.selection.take(request.arranged(), for: request)
    #expect(!isTaken)
    _ = shelf.selection.take(newer.arranged(), for: newer)
    let next = shelf.step(10.5).shows
    #expect(next?.catalogue == newer.arranged().catalogue)
  }

  @Test("a repeated arrangement changes nothing, except that the order by reading is updated")
  func again() {
    var shelf = Shelf()
    var changes = shelf.selection.arrange(Arrangement(), at: 10)
    #expect(!changes)
    changes = shelf.selection.arrange(Arrangement(order: .lastRead), at: 10)
    #expect(changes)
    _ = shelf.step(10)
    changes = shelf.selection.arrange(Arrangement(order: .lastRead), at: 11)
    #expect(changes)
  }

  @Test("a list in the order of reading is sorted when it is shown, if books were read since")
  func list() {
    var shelf = Shelf()
    shelf.selection.openList(at: 10)
    #expect(!shelf.selection.isWaiting, "in another order nothing has changed")
    _ = shelf.selection.arrange(Arrangement(order: .lastRead), at: 10)
    _ = shelf.step(10)
    shelf.selection.endWait(at: 10)
    shelf.selection.openList(at: 11)
    #expect(!shelf.selection.isWaiting, "nothing was read")
    _ = shelf.selection.replace(other, waits: false, at: 12)
    shelf.selection.openList(at: 12)
    #expect(shelf.selection.isWaiting)
  }

  @Test("an exchange of the library ends the wait and the arrangement")
  func exchange() {
    var shelf = Shelf()
    _ = shelf.selection.arrange(filter, at: 10)
    shelf.selection.exchange(other)
    #expect(shelf.selection.arrangement == Arrangement() && !shelf.selection.isWaiting)
    #expect(shelf.selection.arranged(keeping: nil) == other)
  }
}
