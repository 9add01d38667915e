import Foundation
import Notices
import PressProtocol
import Pressroom
import Scene
import Synchronization
import TestDocuments
import TestVectors
import Testing

@testable import Library

@Suite("The bin")
struct BinTests {
  let data = TemporaryFolder()
  let folder = TemporaryFolder()

  private func imported(_ library: BookLibrary, _ name: String) throws -> Book {
    let file = try folder.write("\(name).pdf", FakeDocument(texts: ["the \(name) text", "end"]))
    return try library.importFile(file, name: "\(name).pdf")
  }

  private func original(_ library: BookLibrary, _ id: String) throws -> String {
    library.storage.files.path(.originals, try library.known(id).file.hash)
  }

  @Test("a deleted book is nowhere but in the bin, and comes back as it was")
  func undo() throws {
    let library = try Shelves.open(data: data, worksAhead: true)
    let (one, two) = (try imported(library, "one"), try imported(library, "two"))
    try library.edit(one.id, Correction(title: "First", stock: .board))
    library.finishWork(atMost: 60)
    let (before, shelf) = (try #require(library.book(one.id)), library.catalogue())
    #expect(before.source == .imported && before.deleted == nil)
    let removed = try library.remove(one.id)
    #expect(removed.deleted != nil && removed.title == "First")
    #expect(library.titles == [["two"]] && library.books().map(\.id) == [two.id])
    #expect(library.binnedBooks().map(\.id) == [one.id])
    #expect(try library.search("text").map(\.book) == [two.id])
    #expect(library.ledge(book: one.id) == nil)
    #expect(library.cachedPicture(PageRequest(book: one.id, page: 0, size: .screen)) == nil)
    #expect(FileManager.default.fileExists(atPath: try original(library, one.id)))
    #expect(try library.restore(one.id) == before)
    #expect(library.catalogue() == shelf && library.binnedBooks().isEmpty)
    #expect(try Set(library.search("text").map(\.book)) == [one.id, two.id])
  }

  @Test("an import brings a deleted book back with its corrections")
  func importedAgain() throws {
    let library = try Shelves.open(data: data)
    let book = try imported(library, "one")
    try library.edit(book.id, Correction(title: "First"))
    try library.remove(book.id)
    let again = try imported(library, "one")
    #expect(again.id == book.id && again.title == "First" && again.deleted == nil)
    #expect(library.titles == [["First"]] && library.binnedBooks().isEmpty)
  }

  @Test("the emptied bin keeps nothing of a book, and other books keep what they share with it")
  func emptied() throws {
    let library = try Shelves.open(data: data, worksAhead: true)
    let (one, two) = (try imported(library, "one"), try imported(library, "two"))
    library.finishWork(atMost: 60)
    let (gone, kept) = (try original(library, one.id), try original(library, two.id))
    try library.remove(one.id)
    #expect(try library.emptyBin() == 1)
    #expect(library.book(one.id) == nil && library.binnedBooks().isEmpty)
    #expect(!FileManager.default.fileExists(atPath: gone))
    #expect(FileManager.default.fileExists(atPath: kept) && library.titles == [["two"]])
    #expect(try library.search("text").map(\.book) == [two.id])
    #expect(try imported(library, "one").id == one.id && library.titles == [["one", "two"]])
    #expect(throws: LibraryFault.noSuchBook(two.id)) { try library.emptyBin(only: two.id) }
  }

  @Test("a book is erased after 30 days, not before")
  func expired() throws {
    var library = try Shelves.open(data: data)
    let (one, two) = (try imported(library, "one"), try imported(library, "two"))
    let now = Date().timeIntervalSince1970
    for (book, days) in [(one, 30.01), (two, 29.99)] {
      let key = try library.known(book.id).key
      try library.storage.store.write { rows in
        try rows.books.putIntoBin(key, deletesFile: false, at: now - days * 86_400)
      }
    }
    let gone = try original(library, one.id)
    library.stop()
    library = try Shelves.open(data: data)
    #expect(library.binnedBooks().map(\.id) == [two.id])
    #expect(!FileManager.default.fileExists(atPath: gone))
    #expect(try library.restore(two.id).title == "two" && library.titles == [["two"]])
  }

  @Test("a book whose imported file is gone says so, until its file is imported again")
  func missing() throws {
    var library = try Shelves.open(data: data)
    let book = try imported(library, "one")
    try FileManager.default.removeItem(atPath: try original(library, book.id))
    library.stop()
    library = try Shelves.open(data: data)
    let found = try #require(library.book(book.id))
    #expect(found.state == .failed && found.failure == Notice(.importGone) && !found.mayRetry)
    #expect(library.catalogue().collections[0].books[0].outline.isReadable == false)
    #expect(throws: LibraryFault.notReadable(Notice(.importGone))) {
      try picture(of: book.id, in: library)
    }
    #expect(try imported(library, "one").state == .ready)
    #expect(library.catalogue().collections[0].books[0].isReadable)
  }

  private func picture(of id: String, in library: BookLibrary) throws {
    let answer = Mutex<Result<PagePicture, LibraryFault>?>(nil)
    library.picture(PageRequest(book: id, page: 1, size: .screen)) { result in
      answer.withLock { $0 = result }
    }
    _ = try answer.withLock { $0 }?.get()
  }

  @Test("a file of the library's folder is hidden, wherever it is moved, and its file stays")
  func hidden() throws {
    try folder.write("a.pdf", FakeDocument("a", pages: 1))
    try folder.write("b.pdf", FakeDocument("b", pages: 1))
    var library = try Shelves.open(folder, data: data)
    let book = try #require(library.named("a"))
    #expect(book.source == .folder)
    #expect(throws: LibraryFault.self) { try library.remove(book.id, deletesFile: true) }
    try library.remove(book.id)
    #expect(library.titles == [["b"]])
    #expect(try library.emptyBin() == 0)
    library.stop()
    try folder.move("a.pdf", to: "c.pdf")
    library = try Shelves.open(folder, data: data)
    #expect(library.titles == [["b"]] && library.binnedBooks().map(\.id) == [book.id])
    #expect(FileManager.default.fileExists(atPath: folder.path + "/c.pdf"))
    try library.restore(book.id)
    #expect(library.titles == [["b", "c"]])
  }

  @Test("a file of the library's folder is deleted when it was asked for and the bin lets it go")
  func fileDeleted() throws {
    try folder.write("a.pdf", FakeDocument("a", pages: 1))
    try folder.write("b.pdf", FakeDocument("b", pages: 1))
    let library = try Shelves.open(folder, data: data, mayDeleteFiles: true)
    let books = library.books()
    for book in books { try library.remove(book.id, deletesFile: true) }
    #expect(FileManager.default.fileExists(atPath: folder.path + "/a.pdf"))
    // A file that has changed is another book.
    try folder.write("b.pdf", FakeDocument("other", pages: 2))
    #expect(try library.emptyBin() == 1)
    #expect(!FileManager.default.fileExists(atPath: folder.path + "/a.pdf"))
    #expect(FileManager.default.fileExists(atPath: folder.path + "/b.pdf"))
  }

  @Test("whatever is deleted, brought back, imported and erased, each book is in one place")
  func property() throws {
    for seed in UInt64(0)..<8 {
      var random = SplitMix64(seed: seed)
      let data = TemporaryFolder()
      let library = try Shelves.open(data: data)
      var known: [String: Bool] = [:]
      for _ in 0..<40 {
        let name = "book \(Int.random(in: 0..<4, using: &random))"
        let id =
          library.books().first { $0.title == name }?.id
          ?? library.binnedBooks().first { $0.title == name }?.id
        switch (Int.random(in: 0..<4, using: &random), id) {
        case (0, let id?): known[name] = try library.remove(id).deleted == nil
        case (1, let id?): known[name] = try library.restore(id).deleted == nil
        case (2, _):
          try library.emptyBin()
          known = known.filter(\.value)
        default: known[try imported(library, name).title] = true
        }
        #expect(Set(library.titles.joined()) == Set(known.filter(\.value).keys), "seed \(seed)")
        #expect(
          Set(library.binnedBooks().map(\.title)) == Set(known.filter { !$0.value }.keys),
          "seed \(seed)"
        )
        for book in library.books() + library.binnedBooks() {
          #expect(FileManager.default.fileExists(atPath: try original(library, book.id)))
        }
      }
      library.stop()
    }
  }
}
