import Motion
import Rooms
import Scene
import Testing

private func book(_ id: String, title: String, pages: Int = 4, read: Double? = nil) -> CatalogueBook
{
  CatalogueBook(
    id: id,
    title: title,
    author: "",
    pageURLs: PageAddresses((0..<pages).map { "/b/\(id)/\($0)" }),
    pageSize: Size(width: 3, height: 4),
    progression: .leftToRight,
    lastRead: read
  )
}

@Suite("Following a library")
struct LibraryTrackerTests {
  private let shelves = Catalogue(collections: [
    CatalogueCollection(
      id: "x",
      title: "X",
      ledgeURL: "",
      books: [book("a", title: "A"), book("b", title: "B")]
    ), CatalogueCollection(id: "y", title: "Y", ledgeURL: "", books: [book("c", title: "C")]),
  ])

  /// Tracks the shelves, and shows what follows a change without reading the catalogue.
  private func updated(_ change: CatalogueChange) -> (LibraryTracker, LibraryUpdate?) {
    var tracker = LibraryTracker(ShownLibrary(shelves))
    let update = tracker.update(change) {
      Issue.record("the catalogue was read")
      return shelves
    }
    return (tracker, update)
  }

  @Test("a book that was read changes its shelf alone, and no layout")
  func reading() throws {
    let before = LibraryTracker(ShownLibrary(shelves)).library
    let (tracker, found) = updated(.books([book("b", title: "B", read: 9)]))
    let update = try #require(found)
    #expect(update.isReadingAlone && update.library == tracker.library)
    #expect(tracker.library.catalogue.lastReadTimes == ["b": 9])
    #expect(tracker.library.catalogue.collections[1] == before.catalogue.collections[1])
  }

  @Test("a book with another title is altered, and an equal one is no change")
  func altered() {
    let (tracker, update) = updated(.books([book("c", title: "Sea"), book("a", title: "A")]))
    #expect(update?.altered == ["c"] && update?.rearranged == [] && update?.added == [])
    #expect(tracker.library.catalogue.collections.map { $0.books[0].title } == ["A", "Sea"])
    #expect(updated(.books([book("a", title: "A")])).1 == nil)
    #expect(updated(.books([])).1 == nil)
  }

  @Test("a book on two shelves changes on both, without another layout")
  func copies() {
    var twice = shelves
    twice.collections[1].books.append(book("b", title: "B"))
    twice.collections[1].copies = ["b": 1]
    var tracker = LibraryTracker(ShownLibrary(twice))
    let update = tracker.update(.books([book("b", title: "Sea")])) {
      Issue.record("the catalogue was read")
      return twice
    }
    #expect(update?.altered == ["b"])
    let shown = tracker.library.catalogue.collections.map { $0.books.map(\.title) }
    #expect(shown == [["A", "Sea"], ["C", "Sea"]])
    #expect(tracker.library.catalogue.outline.collections[1].books.map(\.copy) == [0, 1])
  }

  @Test("a book that loses its file is removed, and altered if it is deleted after that")
  func missing() {
    var next = shelves
    next.collections[0].books.removeLast()
    next.missing = ["b"]
    var tracker = LibraryTracker(ShownLibrary(shelves))
    let lost = tracker.update(to: next)
    #expect(lost?.removed == ["b"] && lost?.altered == [])
    #expect(lost?.library.catalogue.missing == ["b"])
    next.missing = []
    let deleted = tracker.update(to: next)
    #expect(deleted?.altered == ["b"] && deleted?.removed == [])
    let again = tracker.update(to: next)
    #expect(again == nil)
  }

  @Test("a book of another shape, or one that is not here, is found in the whole catalogue")
  func reshaped() {
    var other = shelves
    other.collections[0].books[1] = book("b", title: "B", pages: 8)
    var tracker = LibraryTracker(ShownLibrary(shelves))
    var update = tracker.update(.books([other.collections[0].books[1]])) { other }
    #expect(update?.altered == ["b"] && tracker.library.catalogue == other)
    other.collections[1].books.append(book("d", title: "D"))
    update = tracker.update(.books([book("d", title: "D")])) { other }
    #expect(update?.added == ["d"] && tracker.library.catalogue == other)
    #expect(tracker.update(.any) { other } == nil)
  }
}
