import Bytes
import Foundation
import PressProtocol
import Scene
import SharedStore
import TestDocuments
import TestStores
import Testing

@testable import Library

@Suite("Rooms and readers in a store", .timeLimit(.minutes(5)))
struct SharedRecordTests {
  private func room(_ name: String, _ book: String, at time: Double) -> RoomRecord {
    RoomRecord(
      name: name,
      owner: .named(name),
      book: book,
      keys: [RoomRecord.Key(digest: Secrets.digest(of: name), grant: .follow, expires: 2e9)],
      lastUsed: time
    )
  }

  @Test("rooms travel, the newer change holds, and deleted rooms stay deleted")
  func rooms() throws {
    let libraries = SharedLibraries(try TestStore(.folder))
    let (one, two) = (try libraries.library(1), try libraries.library(2))
    let now = Date().timeIntervalSince1970
    try one.saveRoom(room("Amber-1", "a", at: now))
    try one.saveRoom(room("amber-1", "b", at: now))
    #expect(libraries.wait { (try? two.rooms().count) == 2 })
    #expect(try two.rooms() == one.rooms())
    try two.saveRoom(room("Amber-1", "c", at: now + 1))
    #expect(libraries.wait { (try? one.freshRoom(named: "Amber-1")?.book) == "c" })
    try one.forgetRoom(named: "amber-1")
    #expect(libraries.wait { (try? two.rooms().map(\.name)) == ["Amber-1"] })
    let three = try libraries.library(3)
    #expect(libraries.wait { (try? three.rooms().map(\.book)) == ["c"] })
  }

  @Test("the bookmarks of a reader are combined, the newer in each book")
  func readers() throws {
    let libraries = SharedLibraries(try TestStore(.folder))
    let folder = TemporaryFolder()
    let (one, two) = (try libraries.library(1), try libraries.library(2))
    var books: [String] = []
    for name in ["a", "b"] {
      let file = try folder.write("\(name).pdf", FakeDocument(name, pages: 9))
      books.append(try one.importFile(file, name: "\(name).pdf").id)
    }
    #expect(libraries.wait { two.bookCount == 2 })
    let ann = ReaderID.named("ann")
    for library in [one, two] { try library.saveReader(ann, room: "ann-1") }
    try one.saveBookmarks([ann: [.now(book: books[0], spread: 1)]])
    #expect(one.flushStore(atMost: 30))
    try two.saveBookmarks([ann: [.now(book: books[0], spread: 2, isFlat: true)]])
    try two.saveBookmarks([ann: [.now(book: books[1], spread: 3)]])
    let expected = [
      Bookmark(book: books[0], spread: 2, isFlat: true), Bookmark(book: books[1], spread: 3),
    ]
    func left(_ library: BookLibrary) -> [Bookmark] {
      ((try? library.readers().first?.bookmarks) ?? []).map(\.untimed)
    }
    for library in [one, two] {
      #expect(libraries.wait { (try? library.freshReader(ann)?.bookmarks.count) == 2 })
      #expect(libraries.wait { Set(left(library)) == Set(expected) })
    }
  }

  @Test("a record that is not one of this version is skipped, and the rest is read")
  func strange() throws {
    let store = try TestStore(.folder)
    for name in ["a", "b"] {
      let key = try #require(BlobKey.room(name))
      try store.store.put(Array("{\"x\": \(name)".utf8), at: key)
    }
    let hash = Secrets.digest(of: "x")
    for (key, text) in [
      (BlobKey.meta(hash), "[]"), (BlobKey.bookmarks(hash), "{}"),
      (BlobKey("rooms/c.json"), #"{"updatedAt": 5, "room": {"name": "d"}}"#),
    ] { try store.store.put(Array(text.utf8), at: #require(key)) }
    let libraries = SharedLibraries(store, announces: false)
    let one = try libraries.library(1)
    let two = try libraries.library(2)
    try one.saveRoom(room("good", "g", at: 5))
    #expect(libraries.wait { (try? two.rooms().map(\.name)) == ["good"] })
    #expect(two.bookCount == 0)
    #expect(try two.readers() == [])
    #expect((two.sharingFigures?.failures ?? 0) >= 5)
    #expect(two.sharingFigures?.isUnreachable == false)
  }

  @Test("a book whose version cannot grow is skipped", arguments: [Int.max, -1])
  func versions(_ version: Int) throws {
    let bytes = try SharedCoding.bytes(SharedBook(version: version, writer: "w", written: 0))
    #expect(throws: SharingFault.self) { try SharedCoding.record(SharedBook.self, bytes) }
  }

  @Test("a book with a text of pages that it does not have is shown without this text")
  func otherPages() throws {
    let store = try TestStore(.folder)
    let hash = Secrets.digest(of: "x")
    var row = Book()
    (row.id, row.file.hash) = ("id", hash)
    let facts = SharedBook.Contents(
      row: row,
      shelf: "dir:",
      pages: [PageRow(width: 1, height: 1)],
      outline: [],
      texts: [SharedBook.Text(page: .max, count: 1, digest: Hexadecimal.text(hash))]
    )
    let shared = SharedBook(version: 1, writer: "w", written: 0, book: facts)
    try store.store.put(SharedCoding.bytes(shared), at: #require(BlobKey.meta(hash)))
    let libraries = SharedLibraries(store, announces: false)
    let one = try libraries.library(1)
    #expect(libraries.wait { one.bookCount == 1 && (one.sharingFigures?.failures ?? 0) > 0 })
  }

  @Test("hostile facts about a book stay within the limits of the catalogue")
  func hostile() throws {
    let store = try TestStore(.folder)
    let hash = Secrets.digest(of: "x")
    var row = Book()
    row.id = "id"
    row.file.hash = hash
    row.metadata.title = String(repeating: "t", count: 5000)
    (row.shape.wide, row.shape.revision) = ([-1, 7], -5)
    (row.added, row.correction.cover, row.status.hasText) = (1e300, 99, true)
    let label = String(repeating: "l", count: 500)
    let facts = SharedBook.Contents(
      row: row,
      shelf: "nonsense",
      pages: [PageRow(width: -1, height: 1e300, label: label)],
      outline: [OutlineEntry(depth: -3, title: "o", page: -1)],
      texts: [SharedBook.Text(page: -1, count: .max, digest: "zz")]
    )
    let shared = SharedBook(version: 1, writer: "w", written: 0, book: facts)
    try store.store.put(SharedCoding.bytes(shared), at: #require(BlobKey.meta(hash)))
    let libraries = SharedLibraries(store, announces: false)
    let one = try libraries.library(1)
    #expect(libraries.wait { one.bookCount == 1 })
    let book = try #require(one.books().first)
    #expect(book.title.utf8.count <= TextLimits.title && book.pages == 1 && book.cover == 0)
    #expect(one.catalogue().collections.map(\.title) == ["Imported"])
  }
}
