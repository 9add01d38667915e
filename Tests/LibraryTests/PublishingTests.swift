import Foundation
import Scene
import Synchronization
import TestDocuments
import Testing

@testable import Library

/// A library of many books, with what it has published.
private struct Stocked {
  static let count = 3000
  let data = TemporaryFolder()
  let changes = Published()
  let library: BookLibrary

  final class Published: Sendable {
    private let list = Mutex<[CatalogueChange]>([])
    func add(_ change: CatalogueChange) { list.withLock { $0.append(change) } }
    var all: [CatalogueChange] { list.withLock { $0 } }
  }

  init() throws {
    let folder = try BookLibrary.opened(data.path)
    let store = try Store(path: folder.database)
    try store.write { rows in
      for number in 0..<Self.count {
        var book = Book()
        book.id = "book\(number)"
        book.file.hash = Secrets.digest(of: "\(number)")
        book.file.name = "\(number).pdf"
        book.metadata.title = "Book \(number)"
        (book.shape.count, book.file.isImages) = (12, true)
        let location = FileLocation(
          path: "originals/\(number)",
          book: try rows.books.save(book),
          shelf: Shelf.own(number.isMultiple(of: 2) ? "Even" : "Odd"),
          isStored: true,
          stamp: 0
        )
        try rows.books.put(location)
      }
    }
    var options = BookLibrary.Options(data: data.path, press: "", watches: false)
    options.worksAhead = false
    library = try BookLibrary(
      options,
      folder: folder,
      printing: FakePress(),
      pressroom: nil,
      settle: 0
    ) { [changes] in changes.add($0) }
    #expect(library.settle(atMost: 60) && library.bookCount == Self.count)
  }

  /// Returns the number of rows of the catalogue that are read for an action.
  func rowsRead(for act: () throws -> Void) rethrows -> Int {
    let before = library.storage.store.rowsRead
    try act()
    return library.storage.store.rowsRead - before
  }

  /// Returns a book as the catalogue shows it.
  func shown(_ id: String) -> CatalogueBook? {
    library.catalogue().collections.flatMap(\.books).first { $0.id == id }
  }
}

@Suite("Publishing changes of a library", .timeLimit(.minutes(2)))
struct PublishingTests {
  @Test("opening one of thousands of books reads one row and publishes one book")
  func opening() throws {
    let stocked = try Stocked()
    let before = stocked.library.catalogue()
    let rows = try stocked.rowsRead { try stocked.library.noteRead("book77", at: 1234.5) }
    #expect(rows == 1)
    let book = try #require(stocked.shown("book77"))
    #expect(book.lastRead == 1234.5 && stocked.library.book("book77")?.lastRead == 1234.5)
    #expect(stocked.changes.all == [.books([book])])
    let others = stocked.library.catalogue().collections.flatMap(\.books).filter { $0 != book }
    #expect(others == before.collections.flatMap(\.books).filter { $0.id != "book77" })
    let again = try stocked.rowsRead { try stocked.library.noteRead("book77", at: 1234.5) }
    #expect(again == 1 && stocked.changes.all.count == 1, "nothing has changed")
  }

  @Test("what was published by books is what a new start reads from the whole catalogue")
  func same() throws {
    let stocked = try Stocked()
    try stocked.library.noteRead("book0", at: 7)
    try stocked.library.edit("book2998", Correction(title: "Zebra", stock: .board, cover: 3))
    try stocked.library.edit("book1", Correction(title: "On the ledge", hasSpreads: false))
    try stocked.library.noteRead("book1", at: 8)
    let (catalogue, books) = (stocked.library.catalogue(), stocked.library.books())
    let spines = stocked.library.view.spines
    stocked.library.publisher.publishNow()
    #expect(stocked.library.catalogue() == catalogue && stocked.library.books() == books)
    #expect(stocked.library.view.spines == spines)
  }

  @Test("a spine that changes also changes the ledge, and a book that leaves is gone at once")
  func ledge() throws {
    let stocked = try Stocked()
    func ledges() -> [String] { stocked.library.catalogue().collections.map(\.ledgeURL) }
    let before = ledges()
    try stocked.library.edit("book0", Correction(title: "Another"))
    #expect(ledges()[0] != before[0] && ledges()[1] == before[1])
    #expect(stocked.changes.all == [.any])
    try stocked.library.remove("book0")
    #expect(stocked.shown("book0") == nil && stocked.library.bookCount == Stocked.count - 1)
    try stocked.library.restore("book0")
    #expect(stocked.shown("book0")?.title == "Another")
  }
}
