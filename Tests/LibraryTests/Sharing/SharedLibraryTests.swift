import Foundation
import PressProtocol
import Scene
import SharedStore
import TestDocuments
import TestStores
import Testing

@testable import Library

@Suite("Libraries with one store", .timeLimit(.minutes(5)))
struct SharedLibraryTests {
  private static let whale = FakeDocument(texts: ["Call me Ishmael", "the whale", "an end"])
    .with("title Moby").with("author Melville").with("outline 0 1 Chapter")
    .with("link 0 2").with("link 1 https://example.com")

  @Test(
    "a book that one imports is on the shelf of the other, with everything but its file",
    arguments: SharedStoreKind.allCases,
    [true, false]
  )
  func imported(_ kind: SharedStoreKind, announces: Bool) throws {
    let libraries = SharedLibraries(try TestStore(kind), announces: announces)
    let folder = TemporaryFolder()
    let file = try folder.write("moby.pdf", Self.whale)
    let (one, press) = (try libraries.library(1), FakePress())
    // The first process publishes the identity of the cluster.
    #expect(one.flushStore(atMost: 30))
    let two = try libraries.library(2, press: press)
    let book = try one.importFile(file, name: "moby.pdf", collection: "Sea")
    #expect(libraries.wait { (try? two.search("whale").count) == 1 })
    #expect(libraries.wait { two.book(book.id)?.searchable == 3 })
    let copy = try #require(two.book(book.id))
    #expect(copy.title == "Moby" && copy.author == "Melville" && copy.pages == 3)
    #expect(libraries.wait { one.book(book.id)?.searchable == 3 })
    let own = try #require(one.book(book.id))
    #expect(own.source == .imported && copy.source == .store)
    #expect(try SharedCoding.bytes(own) == SharedCoding.bytes(two.book(book.id)))
    #expect(two.catalogue() == one.catalogue() && two.titles == [["Moby"]])
    #expect(try two.outline(of: book.id) == one.outline(of: book.id))
    for page in 0..<3 {
      #expect(try two.page(page, of: book.id) == one.page(page, of: book.id))
    }
    #expect(try two.search("ishmael") == one.search("ishmael"))
    #expect(press.openedCount == 0, "the other process must not open the book")
    #expect(two.key == one.key)
  }

  @Test("corrections travel both ways, and those of different fields are combined")
  func edits() throws {
    let store = try TestStore(.folder)
    let libraries = SharedLibraries(store)
    let folder = TemporaryFolder()
    let one = try libraries.library(1)
    let two = try libraries.library(2)
    let file = try folder.write("moby.pdf", Self.whale)
    let book = try one.importFile(file, name: "moby.pdf")
    #expect(libraries.wait { two.book(book.id)?.searchable == 3 })
    try two.edit(book.id, Correction(title: "The Whale"))
    #expect(libraries.wait { one.book(book.id)?.title == "The Whale" })
    try one.edit(book.id, Correction(title: "Moby Dick", stock: .board))
    #expect(libraries.wait { two.book(book.id)?.title == "Moby Dick" })
    // Both sides change it while they do not see each other.
    #expect(one.flushStore(atMost: 30) && two.flushStore(atMost: 30))
    try store.stop()
    try one.edit(book.id, Correction(author: "H. Melville"))
    try two.edit(book.id, Correction(cover: 1))
    #expect(!one.flushStore(atMost: 30))
    try store.start()
    #expect(
      libraries.wait {
        [one, two].allSatisfy { library in
          let book = library.book(book.id)
          return book?.author == "H. Melville" && book?.cover == 1 && book?.title == "Moby Dick"
        }
      }
    )
    try two.edit(book.id, Correction(title: ""))
    #expect(libraries.wait { one.book(book.id)?.title == "Moby" })
  }

  @Test("a writer that did not know the last version does not undo it")
  func overwritten() throws {
    let store = try TestStore(.folder)
    let libraries = SharedLibraries(store, announces: false)
    let folder = TemporaryFolder()
    let one = try libraries.library(1)
    let file = try folder.write("moby.pdf", Self.whale)
    let book = try one.importFile(file, name: "moby.pdf")
    #expect(libraries.wait { one.book(book.id)?.searchable == 3 })
    #expect(one.flushStore(atMost: 30))
    let key = try #require(BlobKey.meta(one.known(book.id).file.hash))
    func stored() throws -> SharedBook {
      let bytes = try #require(try store.store.get(key, limit: SharedBook.bytesMax))
      return try SharedCoding.record(SharedBook.self, bytes)
    }
    // Another process reads this version, and writes after the first has written.
    var other = try stored()
    try one.edit(book.id, Correction(title: "Whale"))
    #expect(one.flushStore(atMost: 30))
    (other.after, other.writer, other.version) = (other.writer, "other", other.version + 1)
    other.book?.row.correction.author = "Herman"
    try store.store.put(SharedCoding.bytes(other), at: key)
    #expect(
      libraries.wait {
        let correction = try? stored().book?.row.correction
        return correction?.title == "Whale" && correction?.author == "Herman"
      }
    )
    #expect(libraries.wait { one.book(book.id)?.author == "Herman" })
    #expect(one.book(book.id)?.title == "Whale")
  }

  @Test("a deleted book leaves the other shelf, stays away, and can be added again")
  func deleted() throws {
    let libraries = SharedLibraries(try TestStore(.folder))
    let folder = TemporaryFolder()
    let file = try folder.write("moby.pdf", Self.whale)
    let one = try libraries.library(1, folder: folder, watches: true)
    let two = try libraries.library(2)
    #expect(libraries.wait { two.titles == [["Moby"]] })
    let id = try #require(two.books().first?.id)
    try FileManager.default.removeItem(atPath: file)
    #expect(libraries.wait { one.titles == [] && two.titles == [] })
    // A process that comes later, or forgets everything, does not bring it back.
    let three = try libraries.library(3)
    three.pollStore()
    try two.saveRoom(RoomRecord(name: "later", owner: .named("a"), book: id))
    #expect(libraries.wait { (try? three.rooms().count) == 1 })
    #expect(three.bookCount == 0 && two.titles == [] && one.titles == [])
    try folder.write("moby.pdf", Self.whale)
    #expect(libraries.wait { two.titles == [["Moby"]] && three.titles == [["Moby"]] })
    #expect(two.books().map(\.id) == [id] && three.books().map(\.id) == [id])
  }

  @Test("every process agrees which books are in the bin, also after an outage")
  func bin() throws {
    let store = try TestStore(.folder)
    let libraries = SharedLibraries(store)
    let folder = TemporaryFolder()
    let file = try folder.write("moby.pdf", Self.whale)
    let one = try libraries.library(1)
    let two = try libraries.library(2)
    let book = try one.importFile(file, name: "moby.pdf")
    #expect(libraries.wait { two.book(book.id)?.searchable == 3 })
    try two.remove(book.id)
    #expect(libraries.wait { one.titles == [] && one.binnedBooks().map(\.id) == [book.id] })
    #expect(one.binnedBooks().first?.deleted == two.binnedBooks().first?.deleted)
    try one.restore(book.id)
    #expect(libraries.wait { two.titles == [["Moby"]] && two.binnedBooks().isEmpty })
    // One corrects the book while the other deletes it, and they do not see each other.
    #expect(one.flushStore(atMost: 30) && two.flushStore(atMost: 30))
    try store.stop()
    try one.edit(book.id, Correction(author: "Herman"))
    try two.remove(book.id)
    #expect(!one.flushStore(atMost: 30))
    try store.start()
    #expect(
      libraries.wait {
        [one, two].allSatisfy { $0.titles == [] && $0.binnedBooks().first?.author == "Herman" }
      }
    )
    #expect(try one.emptyBin() == 1)
    #expect(libraries.wait { two.bookCount == 0 && two.binnedBooks().isEmpty })
    #expect(try one.importFile(file, name: "moby.pdf").id == book.id)
    #expect(libraries.wait { two.titles == [["Moby"]] })
  }

  @Test("a book that two processes have stays until both have lost it")
  func twoOwners() throws {
    let libraries = SharedLibraries(try TestStore(.folder))
    let folders = [TemporaryFolder(), TemporaryFolder()]
    let files = try folders.map { try $0.write("moby.pdf", Self.whale) }
    let one = try libraries.library(1, folder: folders[0], watches: true)
    let two = try libraries.library(2, folder: folders[1], watches: true)
    let three = try libraries.library(3)
    #expect(libraries.wait { three.bookCount == 1 })
    #expect(one.flushStore(atMost: 30) && two.flushStore(atMost: 30))
    try FileManager.default.removeItem(atPath: files[0])
    // The first loses its file, but keeps showing the book of the second.
    #expect(
      libraries.wait { one.sharing?.base(isDeletedOf: one) == false && one.titles == [["Moby"]] }
    )
    #expect(libraries.wait { three.titles == [["Moby"]] })
    try FileManager.default.removeItem(atPath: files[1])
    #expect(libraries.wait { [one, two, three].allSatisfy { $0.titles == [] } })
  }

  @Test("a book that cannot be read says so everywhere, and everywhere opens with its password")
  func unreadable() throws {
    let libraries = SharedLibraries(try TestStore(.folder))
    let folder = TemporaryFolder()
    try folder.write("a.pdf", FakeDocument("a", pages: 1).with("fault damaged"))
    try folder.write("b.pdf", FakeDocument("b", pages: 2).with("password sesame"))
    let one = try libraries.library(1, folder: folder)
    let two = try libraries.library(2)
    #expect(libraries.wait { two.bookCount == 2 })
    #expect(two.books().map(\.state) == [.failed, .locked])
    #expect(two.catalogue() == one.catalogue())
    let id = try #require(two.books().last?.id)
    #expect(throws: LibraryFault.self) { try two.unlock(id, password: "wrong") }
    try two.unlock(id, password: "sesame")
    #expect(libraries.wait { one.book(id)?.state == .ready && one.book(id)?.pages == 2 })
  }

  @Test(
    "a store that is gone loses nothing, and what waited arrives when it is back",
    arguments: SharedStoreKind.allCases
  )
  func outage(_ kind: SharedStoreKind) throws {
    let store = try TestStore(kind, isStoppable: true)
    let libraries = SharedLibraries(store)
    let (folder, data) = (TemporaryFolder(), TemporaryFolder())
    let first = try libraries.library(1, data: data)
    let two = try libraries.library(2)
    try store.stop()
    let file = try folder.write("moby.pdf", Self.whale)
    let book = try first.importFile(file, name: "moby.pdf")
    #expect(first.titles == [["Moby"]] && two.titles == [])
    #expect(!first.flushStore(atMost: 60))
    let figures = try #require(first.sharingFigures)
    #expect(figures.isUnreachable && figures.failures > 0 && figures.waiting > 0)
    // The queue survives a restart while the store is still gone.
    libraries.close(1)
    let one = try libraries.library(1, data: data)
    #expect(one.titles == [["Moby"]])
    try store.start()
    #expect(libraries.wait { two.book(book.id)?.searchable == 3 })
    #expect(libraries.wait { one.sharingFigures?.waiting == 0 })
    #expect(one.sharingFigures?.isUnreachable == false)
  }

  @Test("a catalogue that is lost is rebuilt from the store, with text and corrections")
  func rebuilt() throws {
    let libraries = SharedLibraries(try TestStore(.folder))
    let (folder, data) = (TemporaryFolder(), TemporaryFolder())
    let file = try folder.write("moby.pdf", Self.whale)
    let first = try libraries.library(1, data: data)
    let book = try first.importFile(file, name: "moby.pdf", collection: "Sea")
    try first.edit(book.id, Correction(title: "Whale"))
    try first.saveReader(.named("ann"), room: "ann-1")
    try first.saveBookmarks([.named("ann"): [.now(book: book.id, spread: 1)]])
    #expect(libraries.wait { first.book(book.id)?.searchable == 3 })
    #expect(first.flushStore(atMost: 30))
    let catalogue = first.catalogue()
    libraries.close(1)
    for name in try FileManager.default.contentsOfDirectory(atPath: data.path)
    where name.hasPrefix("catalogue") || name == "backups" { try data.remove(name) }
    let again = try libraries.library(1, data: data)
    #expect(libraries.wait { again.book(book.id)?.searchable == 3 })
    #expect(again.catalogue() == catalogue)
    #expect(try again.search("ishmael").count == 1)
    #expect(libraries.wait { (try? again.readers().first?.bookmarks.first?.spread) == 1 })
    #expect(data.files().contains { $0.contains("/originals/") }, "the file was thrown away")
  }

  @Test("what the store has lost is published again")
  func lostStore() throws {
    let store = try StoreFolder()
    let libraries = SharedLibraries(TestStore(store), announces: false)
    let folder = TemporaryFolder()
    let one = try libraries.library(1)
    let file = try folder.write("moby.pdf", Self.whale)
    let book = try one.importFile(file, name: "moby.pdf")
    #expect(libraries.wait { one.book(book.id)?.searchable == 3 })
    #expect(one.flushStore(atMost: 30))
    let names = ["meta", "books", "pages"].map { store.path + "/" + $0 }
    // The poll must have seen the record before it is lost.
    #expect(libraries.wait { one.sharing?.hasTag(of: one) == true })
    for name in names { try FileManager.default.removeItem(atPath: name) }
    let two = try libraries.library(2)
    #expect(libraries.wait { two.book(book.id)?.searchable == 3 })
  }
}

extension SharedLibrary {
  /// Whether the first book of a library is deleted in the store; nil if it is unknown.
  fileprivate func base(isDeletedOf library: BookLibrary) -> Bool? {
    let text = try? catalogued { rows in
      try rows.first("SELECT name FROM known_blob WHERE kind = 'meta'") { $0.text(0) }
    }
    return text.flatMap { $0 }.flatMap { try? base(of: $0)?.isDeleted }
  }

  /// Whether the first book of a library was seen in the list of the store.
  fileprivate func hasTag(of library: BookLibrary) -> Bool {
    let tags = try? catalogued { try $0.outgoing.tags(.meta) }
    return tags?.values.contains { !$0.isEmpty } == true
  }
}
