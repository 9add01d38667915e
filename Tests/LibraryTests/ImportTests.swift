import Bytes
import Foundation
import Motion
import Notices
import PressProtocol
import Pressroom
import Scene
import SharedStore
import Synchronization
import TestDocuments
import Testing

@testable import Library

@Suite("Import")
struct ImportTests {
  let data = TemporaryFolder()
  let folder = TemporaryFolder()
  let press = FakePress()

  private func open(_ press: FakePress? = nil) throws -> BookLibrary {
    try Shelves.open(data: data, press: press ?? self.press)
  }

  @Test("puts a document on the shelf with its own title and author")
  func facts() throws {
    let library = try open()
    let document = FakeDocument("a").with("title The Whale").with("author H. M.")
      .with("language en").with("direction rtl").with("page 300 400 i").with("page 300 400")
      .with("page 500 400").with("outline 0 1 Loomings").with("outline 1 2 More")
    let file = try folder.write("whale.pdf", document)
    let book = try library.importFile(file, name: "whale.pdf", collection: "Sea")
    #expect(book.title == "The Whale" && book.author == "H. M." && book.language == "en")
    #expect(
      book.direction == .rightToLeft && book.stock == .paper && book.hasSpreads == true
        && !book.isShifted && book.pages == 3 && book.format == "pdf"
    )
    #expect(book.state == .ready && book.failure == nil)
    let shelf = try #require(library.catalogue().collections.first)
    #expect(shelf.title == "Sea" && shelf.id == book.collection)
    let shown = try #require(shelf.books.first)
    #expect(shown.id == book.id && shown.pageSize == Size(width: 300, height: 400))
    let pages = (0..<3).map { "/b/\(book.id)/p/\($0)/screen?v=1" }
    // The cover, the blank inside of the cover, and the first page as a normal page. The wide page
    // takes both faces of a spread, the right one first.
    let halves = [pages[2] + "#right", pages[2] + "#left"]
    #expect(Array(shown.pageURLs) == [pages[0], "", pages[0], pages[1], ""] + halves)
    #expect(shown.pageCount == 3)
    #expect(shown.coverURL == pages[0])
    #expect(try library.outline(of: book.id).map(\.title) == ["Loomings", "More"])
    #expect(try (0..<3).map { try library.page($0, of: book.id).label } == ["i", "2", "3"])
    #expect((0..<3).map(shown.pages(ofSpread:)) == [[0], [1], [2]] && shown.spreadCount == 3)
    #expect(try library.bound(book.id).allLabels == ["i", "2", "3"])
    #expect(library.ledge(collection: shelf.id)?.hasPrefix("<svg ") == true)
    #expect(shelf.ledgeURL.hasPrefix("/ledges/\(shelf.id).svg?v="))
  }

  @Test(
    "prefers the name of the file to a title that a program gave",
    arguments: [
      "Microsoft Word - Document1", "untitled", "þÿ", "book.indb", "Untitled-3", "Slide 1",
      "PowerPoint-Präsentation",
      #"C:\Users\Ann\Desktop\book.indd"#, "/home/ann/book", "https://example.org/a?b=c",
      "www.a.org",
      "report_final.docx", "-", "...", "Document", "page 12",
    ]
  )
  func junkTitle(_ title: String) throws {
    let file = try folder.write("x", FakeDocument("a", pages: 1).with("title \(title)"))
    #expect(try open().importFile(file, name: "My good name.pdf").title == "My good name")
  }

  @Test(
    "keeps a title that says something",
    arguments: [
      "1984", "Word and Object", "The Book of Sand", "Page Turner", "Mr. Key", "3", "Düne",
    ]
  )
  func goodTitle(_ title: String) throws {
    let file = try folder.write("x", FakeDocument("a", pages: 1).with("title \(title)"))
    #expect(try open().importFile(file, name: "other.pdf").title == title)
  }

  @Test("keeps the table of contents of an archive")
  func archiveOutline() throws {
    let library = try open()
    let comic = FakeDocument("a").with("image 3 4 0 a.jpg").with("image 3 4 1 b.jpg")
      .with("outline 0 1 Sea")
    let book = try library.importFile(try folder.write("x", comic), name: "x.cbz")
    #expect(try library.outline(of: book.id).map(\.title) == ["Sea"])
  }

  @Test("uses the file name as the title of a document without one")
  func fileTitle() throws {
    let library = try open()
    let file = try folder.write("x", FakeDocument("a", pages: 1))
    #expect(try library.importFile(file, name: "war_and  peace 2.pdf").title == "war and peace 2")
  }

  @Test("uses a known digest of a file without reading it")
  func knownDigest() throws {
    let library = try open()
    let bytes = FakeDocument("known", pages: 2).bytes
    let running = ContentDigest()
    for byte in bytes { running.update([byte]) }
    let digest = running.finished()
    #expect(digest == ContentDigest.of(bytes))
    let file = try folder.write("a.pdf", bytes)
    var steps: [ImportProgress] = []
    let book = try library.importFile(file, name: "a.pdf", isMove: true, digest: digest) {
      steps.append($0)
    }
    #expect(steps == [.opening])
    #expect(try library.known(book.id).file.hash == digest)
    let again = try folder.write("b.pdf", bytes)
    #expect(try library.importFile(again, name: "b.pdf").id == book.id)
  }

  @Test("treats equal content as the same book and does nothing the second time")
  func sameContent() throws {
    let library = try open()
    let first = try folder.write("a.pdf", FakeDocument("same", pages: 2))
    let second = try folder.write("b.pdf", FakeDocument("same", pages: 2))
    var read = 0
    let book = try library.importFile(first, name: "a.pdf") { if case .reading = $0 { read += 1 } }
    #expect(read > 0)
    read = 0
    let again = try library.importFile(first, name: "a.pdf") { if case .reading = $0 { read += 1 } }
    #expect(read == 0, "a file that did not change is not read")
    let copy = try library.importFile(second, name: "b.pdf")
    #expect(again == book && copy == book)
    #expect(press.openedCount == 1)
    #expect(library.books().count == 1)
    #expect(data.files().filter { $0.contains("/originals/") }.count == 1)
  }

  @Test("stores copies under names derived from their contents and leaves no temporary files")
  func contentAddressed() throws {
    let library = try open()
    let document = FakeDocument("a", pages: 1)
    let file = try folder.write("a.pdf", document)
    _ = try library.importFile(file, name: "a.pdf", isMove: true)
    #expect(!FileManager.default.fileExists(atPath: file), "a file that may be taken is moved")
    let name = Hexadecimal.text(ContentDigest.of(document.bytes))
    #expect(data.files().contains("\(data.path)/originals/\(name.prefix(2))/\(name)"))
    #expect(data.files().filter { $0.contains("/unfinished/") } == [])
  }

  @Test("extracts the images of an archive once, in the order of its pages")
  func archive() throws {
    let library = try open()
    let document = FakeDocument("comic").with("image 300 400 1 b.jpg").with("image 600 400 2 c.jpg")
      .with("image 300 400 0 a.jpg")
    let book = try library.importFile(try folder.write("c.cbz", document), name: "c.cbz")
    #expect(book.pages == 3 && book.format == "zip" && book.searchable == 3)
    #expect(data.files().filter { $0.contains("/assets/") }.count == 3)
    let picture = try #require(self.picture(library, book.id, 0))
    let bytes = try #require(FileManager.default.contents(atPath: picture.path ?? ""))
    #expect(String(decoding: bytes, as: UTF8.self).contains("a.jpg"))
    #expect(picture.contentType == "image/jpeg")
    let shown = library.catalogue().collections[0].books[0]
    let pages = (0..<3).map { "/b/\(book.id)/p/\($0)/screen?v=1" }
    // The wide page would begin on the right if the page before it began beside the cover.
    #expect(
      Array(shown.pageURLs) == [pages[0], "", pages[1], pages[2] + "#left", pages[2] + "#right"]
    )
  }

  private func picture(_ library: BookLibrary, _ id: String, _ page: Int) -> PagePicture? {
    let bell = Bell()
    nonisolated(unsafe) var found: Result<PagePicture, LibraryFault>?
    library.picture(PageRequest(book: id, page: page, size: .screen)) { result in
      found = result
      bell.ring()
    }
    _ = bell.wait { bell.count > 0 }
    return try? found?.get()
  }

  @Test("says why a document cannot be read, and stores nothing of it")
  func damaged() throws {
    let library = try open()
    let file = try folder.write("a.pdf", FakeDocument("a", pages: 1).with("fault damaged"))
    let error = #expect(throws: ImportFault.self) { try library.importFile(file, name: "a.pdf") }
    #expect(error == .press(.damaged(.pdf)))
    #expect(library.books() == [])
    #expect(data.files().filter { $0.contains("/originals/") } == [])
    #expect(throws: ImportFault.self) { try library.importFile("/no/where", name: "a") }
  }

  @Test("keeps a book after a temporary failure of the press and reads it on retry")
  func retry() throws {
    let library = try open()
    press.state.withLock { $0.faults = [.tookTooLong(page: nil), .stopped(page: nil)] }
    let file = try folder.write("a.pdf", FakeDocument("a", pages: 1))
    let book = try library.importFile(file, name: "a.pdf")
    #expect(book.state == .failed)
    #expect(book.failure == PressFault.tookTooLong(page: nil).notice)
    #expect(library.titles == [["a"]] && book.mayRetry)
    let fault = #expect(throws: LibraryFault.self) { try library.retry(book.id) }
    #expect(fault?.canRetry == true)
    #expect(library.book(book.id)?.failure == PressFault.stopped(page: nil).notice)
    try library.retry(book.id)
    #expect(library.book(book.id)?.state == .ready)
    #expect(library.titles == [["a"]])
  }

  @Test(
    "asks for a password, rejects a wrong one, and unlocks the book permanently with the right one"
  )
  func password() throws {
    var library = try open()
    let document = FakeDocument("a", pages: 2).with("password sesame").with("title Secret")
    let book = try library.importFile(try folder.write("a.pdf", document), name: "a.pdf")
    #expect(book.state == .locked)
    #expect(book.failure == Notice(.passwordNeeded))
    #expect(throws: LibraryFault.press(.wrongPassword)) {
      try library.unlock(book.id, password: "open")
    }
    #expect(library.book(book.id)?.state == .locked)
    try library.unlock(book.id, password: "sesame")
    #expect(library.book(book.id)?.title == "Secret")
    library.stop()
    library = try open()
    #expect(library.book(book.id)?.state == .ready)
    let direct = try folder.write("b.pdf", document.with("x"))
    let opened = try library.importFile(direct, name: "b.pdf", password: "sesame")
    #expect(opened.state == .ready)
  }

  @Test("recovers from an import that was interrupted at any moment")
  func interrupted() throws {
    let document = (0..<6).reduce(FakeDocument("comic")) { $0.with("image 300 400 \($1) p.jpg") }
    let file = try folder.write("c.cbz", document)
    for cut in 0..<6 {
      let data = TemporaryFolder()
      let copy = TemporaryFolder()
      let press = FakePress()
      let library = try Shelves.open(data: data, press: press)
      // Restores the disk to its state after a crash at this image.
      press.state.withLock { state in
        state.beforeImage = { number in
          guard number == cut else { return }
          try? FileManager.default.removeItem(atPath: copy.path)
          try? FileManager.default.copyItem(atPath: data.path, toPath: copy.path)
          try? Data("half".utf8).write(
            to: URL(fileURLWithPath: copy.path + "/unfinished/abcdef")
          )
        }
      }
      _ = try library.importFile(file, name: "c.cbz")
      let after = try Shelves.open(data: copy)
      #expect(after.books() == [], "cut at \(cut)")
      let kept = copy.files().filter { file in
        ["/unfinished/", "/assets/", "/originals/"].contains { file.contains($0) }
      }
      #expect(kept == [], "cut at \(cut)")
      #expect(try after.importFile(file, name: "c.cbz").pages == 6, "cut at \(cut)")
    }
  }

  @Test("continues to index a book where it was stopped")
  func interruptedIndex() throws {
    let document = FakeDocument(texts: (0..<60).map { "page number\($0)" })
    let file = try folder.write("a.pdf", document)
    do {
      let library = try Shelves.open(data: data, press: press, worksAhead: true)
      _ = try library.importFile(file, name: "a.pdf")
      _ = Bell().wait { press.state.withLock(\.pagesRead) >= 20 }
      library.stop()
    }
    let library = try Shelves.open(data: data, press: press, worksAhead: true)
    #expect(library.finishWork(atMost: 60))
    #expect(library.books().first?.searchable == 60)
    for page in [0, 15, 16, 31, 59] {
      #expect(try library.search("number\(page) ").map(\.page) == [page])
    }
    // No page is read twice, except those of a batch that was not written.
    #expect(press.state.withLock(\.pagesRead) <= 60 + 16)
  }

  @Test("stores texts, words and links of a page as the press sent them")
  func pageText() throws {
    let library = try Shelves.open(data: data, press: press, worksAhead: true)
    let document = FakeDocument(texts: ["one two", "three"]).with("link 0 1")
      .with("link 0 https://example.org/")
    let file = try folder.write("a.pdf", document)
    let book = try library.importFile(file, name: "a.pdf")
    #expect(library.finishWork(atMost: 60))
    let content = try press.content(of: file, password: "", page: 0)
    #expect(try library.page(0, of: book.id).content == content)
    #expect(content.links.count == 2 && content.words.count == 2)
    #expect(throws: LibraryFault.noSuchPage(2, count: 2)) { try library.page(2, of: book.id) }
    #expect(throws: LibraryFault.noSuchBook("x")) { try library.page(0, of: "x") }
  }

  @Test("keeps corrections when the file disappears and returns")
  func corrections() throws {
    let library = try open()
    let file = try folder.write("a.pdf", FakeDocument("a", pages: 3).with("title Wrong"))
    let book = try library.importFile(file, name: "a.pdf")
    let edit = Correction(
      title: "  Right\n title",
      author: "Me",
      direction: .rightToLeft,
      stock: .board,
      cover: 2,
      isShifted: true
    )
    try library.edit(book.id, edit)
    let again = try library.importFile(file, name: "a.pdf")
    #expect(again.title == "Right title" && again.author == "Me")
    #expect(again.direction == .rightToLeft && again.stock == .board)
    #expect(again.hasSpreads == nil && again.isShifted)
    #expect(again.cover == 2)
    let shown = try #require(library.catalogue().collections.first?.books.first)
    #expect(shown.coverURL == shown.pageURLs[3] && shown.pageURLs[0] == shown.coverURL)
    #expect(shown.outline.progression == .rightToLeft && shown.outline.stock == .board)
    #expect(shown.searchKey == "right title me")
    try library.edit(book.id, Correction(title: ""))
    #expect(library.book(book.id)?.title == "Wrong", "an empty title is no correction")
    #expect(throws: LibraryFault.noSuchPage(3, count: 3)) {
      try library.edit(book.id, Correction(cover: 3))
    }
  }

  @Test("publishes a change of the paper stock, and keeps it when the library opens again")
  func stock() throws {
    let bell = Bell()
    var library = try Shelves.open(data: data, press: press, bell: bell)
    let file = try folder.write("a.pdf", FakeDocument("a", pages: 3))
    let book = try library.importFile(file, name: "a.pdf")
    #expect(book.stock == .paper)
    for stock in [PaperStock.card, .board, .paper] {
      let before = bell.count
      try library.edit(book.id, Correction(stock: stock))
      #expect(library.catalogue().outline.collections[0].books[0].stock == stock)
      #expect(library.book(book.id)?.stock == stock && bell.count > before)
      try library.edit(book.id, Correction(author: "Me, on \(stock)"))
      library.stop()
      library = try Shelves.open(data: data, press: press, bell: bell)
      #expect(library.book(book.id)?.stock == stock)
    }
  }

  @Test("stores where readers left their books, when they read them and in which pose")
  func positions() throws {
    var library = try open()
    let file = try folder.write("a.pdf", FakeDocument("a", pages: 30))
    let book = try library.importFile(file, name: "a.pdf")
    func at(_ spread: Int, isFlat: Bool = false) -> [Bookmark] {
      [Bookmark(book: book.id, spread: spread, isFlat: isFlat)]
    }
    try library.savePositions([
      "ABC": at(4) + [Bookmark(book: "unknown", spread: 1)], "DEF": at(9, isFlat: true),
    ])
    try library.savePositions(["ABC": at(5)])
    try library.noteRead(book.id, at: 1234.5)
    #expect(library.catalogue().collections[0].books[0].lastRead == 1234.5)
    library.stop()
    library = try open()
    #expect(try library.positions() == ["ABC": at(5), "DEF": at(9, isFlat: true)])
    #expect(library.book(book.id)?.lastRead == 1234.5)
  }

  @Test("imports a folder of images as a copy")
  func folderCopy() throws {
    let library = try open()
    for page in 0..<3 {
      try folder.write("Alps/\(page).svg", ImageHeads.svg("width='30' height='40'"))
    }
    let book = try library.importFile(folder.path + "/Alps", name: "Alps")
    #expect(book.title == "Alps" && book.pages == 3)
    try folder.remove("Alps")
    let picture = try #require(self.picture(library, book.id, 1))
    #expect(picture.contentType == "image/svg+xml")
    #expect(picture.path?.hasPrefix(data.path + "/assets/") == true)
    #expect(throws: ImportFault.noImages(path: folder.path)) {
      try library.importFile(folder.path, name: "x")
    }
  }

  @Test("books that a guest imports into a data folder appear to its owner")
  func guests() throws {
    let bell = Bell()
    let owner = try Shelves.open(data: data, bell: bell)
    let guest = try Shelves.open(data: data)
    #expect(owner.storage.folder.isOwner && !guest.storage.folder.isOwner)
    _ = try guest.importFile(try folder.write("a.pdf", FakeDocument("a", pages: 1)), name: "a.pdf")
    #expect(bell.wait { owner.titles == [["a"]] })
  }

  @Test("rejects an unusable data folder and names it")
  func badData() throws {
    let file = try folder.write("file", [1])
    let error = #expect(throws: LibraryError.self) { try BookLibrary.opened(file + "/data") }
    #expect("\(try #require(error))".contains(file))
  }
}
