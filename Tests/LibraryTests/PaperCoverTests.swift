import Foundation
import Motion
import Notices
import Press
import PressProtocol
import Pressroom
import Scene
import Synchronization
import TestDocuments
import TestVectors
import Testing

@testable import Library

@Suite("Paper covers")
struct PaperCoverTests {
  let folder = TemporaryFolder()

  @Test("a book that cannot be read is on the shelf, and its cover names it, without words")
  func onTheShelf() throws {
    try folder.write("a good.pdf", FakeDocument("good", pages: 3))
    try folder.write("locked.pdf", FakeDocument("locked", pages: 2).with("password sesame"))
    try folder.write("torn <&>.pdf", FakeDocument("torn", pages: 1).with("fault damaged"))
    let library = try Shelves.open(folder)
    let books = try #require(library.catalogue().collections.first?.books)
    #expect(books.map(\.title) == ["a good", "locked", "torn <&>"])
    #expect(books.map(\.pageCount) == [3, 1, 1])
    #expect(library.spines(ofCollection: library.catalogue().collections[0].id)?.count == 3)
    for (book, notice) in [
      (books[1], PressFault.encrypted.notice), (books[2], PressFault.damaged(.pdf).notice),
    ] {
      #expect(library.book(book.id)?.failure == notice)
      #expect(!book.isReadable && !book.outline.isReadable)
      let picture = try #require(
        library.cachedPicture(PageRequest(book: book.id, page: 0, size: .screen))
      )
      guard case .bytes(let bytes) = picture.content else {
        Issue.record("the page is in no memory")
        continue
      }
      #expect(picture.contentType == "image/svg+xml" && !picture.isLasting)
      let header = try ImageHeaders.read(bytes)
      #expect(Size(width: header.width, height: header.height) == book.pageSize)
      let text = Self.text(of: bytes)
      #expect(text.contains(book.title.prefix(4)))
      // One drawing is for readers of every language.
      #expect(!text.contains("PDF"))
      #expect(library.cachedPicture(PageRequest(book: book.id, page: 1, size: .screen)) == nil)
      #expect(library.ledge(book: book.id) != nil)
      #expect(try library.bound(book.id) == book)
      #expect(try library.page(0, of: book.id).content == PageContent())
      #expect(try library.page(1, of: book.id).content == PageContent())
      #expect(throws: LibraryFault.noSuchPage(2, count: 0)) { try library.page(2, of: book.id) }
    }
    #expect(library.book(books[1].id)?.mayRetry == true)
    #expect(library.book(books[2].id)?.mayRetry == false)
    #expect(library.book(books[0].id)?.mayRetry == false)
    try library.unlock(books[1].id, password: "sesame")
    let opened = try #require(library.catalogue().collections.first?.books[1])
    #expect(opened.isReadable && opened.outline.isReadable)
    #expect(opened.pageCount == 2 && opened.coverURL != books[1].coverURL)
  }

  @Test("after a restart, temporary failures can be retried and permanent ones cannot")
  func retries() throws {
    let (data, press) = (TemporaryFolder(), FakePress())
    try folder.write("a.pdf", FakeDocument("a", pages: 1))
    press.state.withLock { $0.faults = [.tookTooLong(page: nil)] }
    let library = try Shelves.open(folder, data: data, press: press)
    let id = try #require(library.books().first?.id)
    #expect(library.book(id)?.mayRetry == true)
    library.stop()
    let again = try Shelves.open(folder, data: data, press: press)
    #expect(again.book(id)?.mayRetry == true && again.titles == [["a"]])
    try again.retry(id)
    #expect(again.book(id)?.state == .ready && again.book(id)?.mayRetry == false)
  }

  @Test(
    "the drawing is well-formed and bounded for any title"
  )
  func hostile() {
    for seed in UInt64(0)..<100 {
      var random = SplitMix64(seed: seed)
      let letters = ["<", "&", "\"", "]]>", " ", "\n", "語", "x", "😀", "\u{1}", "e\u{301}", "ש"]
      func text(_ most: Int) -> String {
        (0..<Int.random(in: 0...most, using: &random))
          .map { _ in letters.randomElement(using: &random) ?? "" }.joined()
      }
      var row = Book()
      row.metadata.title = text(300)
      row.status.state = Bool.random(using: &random) ? .locked : .failed
      let svg = PaperCover(row).svg
      #expect(WellFormed.fault(in: svg) == nil, "seed \(seed)")
      #expect(svg.components(separatedBy: "<text").count <= 6 && svg.utf8.count < 20_000)
    }
  }

  /// Returns the text of a drawing.
  private static func text(of bytes: [UInt8]) -> String {
    String(decoding: bytes, as: UTF8.self).replacing(/<[^>]*>/, with: " ")
      .replacingOccurrences(of: "&lt;", with: "<").replacingOccurrences(of: "&amp;", with: "&")
      .replacingOccurrences(of: "&#39;", with: "'")
  }
}
