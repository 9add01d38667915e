import Notices
import PressProtocol
import Scene
import TestDocuments
import Testing

@testable import Library

@Suite("An edition of a book in large print")
struct EditionTests {
  /// 1,200 words, each of which is different.
  private static let words = (0..<1200).map { "w\($0 * 7919 % 99_991)x\($0)" }

  /// A book with 60 words on a page, and with 27 in large print.
  private static let novel: FakeDocument = {
    var book = FakeDocument("novel").with("title Walks").with("author Ann").with("language en")
    for (kind, size, count) in [("laid", "432 648", 60), ("large", "288 432", 27)] {
      for start in stride(from: 0, to: words.count, by: count) {
        let page = words[start..<min(start + count, words.count)].joined(separator: " ")
        book = book.with("\(kind) page \(size)")
          .with("\(kind) text \(start / count) Walks head \(page)")
      }
    }
    return book
  }()

  private let folder = TemporaryFolder()

  private func open(_ book: FakeDocument) throws -> BookLibrary {
    try folder.write("shelf/Walks.epub", book.bytes)
    return try Shelves.open(folder, worksAhead: true)
  }

  @Test("is made once and stands on the shelf of the book, with the title that was asked for")
  func making() throws {
    let library = try open(Self.novel)
    let book = try #require(library.named("Walks"))
    #expect(book.flows && !book.isLargePrint && book.pages == 20)
    #expect(try library.editions(of: book.id, at: 0).isEmpty)
    let large = try library.makeLargePrint(of: book.id, title: "Walks, large")
    #expect(large.pages == 45 && large.isLargePrint && !large.flows)
    #expect(large.author == "Ann" && large.language == "en" && large.title == "Walks, large")
    #expect(library.titles.map { $0.sorted() } == [["Walks", "Walks, large"]])
    #expect(try library.makeLargePrint(of: book.id, title: "Again").id == large.id)
    _ = try library.remove(large.id, deletesFile: false)
    #expect(try library.editions(of: book.id, at: 0).isEmpty)
    #expect(try library.makeLargePrint(of: book.id, title: "Back").id == large.id)
    #expect(try library.editions(of: book.id, at: 0).map(\.book.title) == ["Back"])
  }

  @Test("opens at the text of the page from which a reader comes, and leads back to that spread")
  func places() throws {
    let library = try open(Self.novel)
    let book = try #require(library.named("Walks"))
    let large = try library.makeLargePrint(of: book.id, title: "Large")
    library.finishWork(atMost: 30)
    let (bound, boundLarge) = (try library.bound(book.id), try library.bound(large.id))
    func spread(of page: Int, in book: CatalogueBook) -> [Int] {
      book.pages(ofSpread: book.face(ofPage: page) / 2 - (book.face(ofPage: page) % 2 == 0 ? 1 : 0))
    }
    for page in 0..<book.pages where spread(of: page, in: bound).first == page {
      let there = try #require(try library.editions(of: book.id, at: page).first)
      #expect(there.book.id == large.id)
      // The anchor has about 12 words after 63 % of the text, and may be on two pages.
      let text = try library.page(there.page, of: large.id).content.text
      #expect(Self.words[60 * page + 39..<60 * page + 49].contains { text.contains($0) })
      let open = try #require(spread(of: there.page, in: boundLarge).first)
      let back = try #require(try library.editions(of: large.id, at: open).first?.page)
      #expect(spread(of: back, in: bound).first == page)
    }
    let long = String(repeating: "x", count: TextLimits.title + 1)
    let limit = Notice(.textTooLong, ["limit": "\(TextLimits.title)"])
    #expect(throws: LibraryFault.invalid(limit)) {
      try library.makeLargePrint(of: book.id, title: long)
    }
    #expect(throws: LibraryFault.noSuchPage(20, count: 20)) {
      try library.editions(of: book.id, at: 20)
    }
  }

  @Test("is found by the share of the text, where no text is known yet")
  func unindexed() throws {
    try folder.write("Walks.epub", Self.novel.bytes)
    let library = try Shelves.open(folder)
    let book = try #require(library.named("Walks"))
    try library.makeLargePrint(of: book.id, title: "Large")
    for page in 0..<book.pages {
      let found = try #require(try library.editions(of: book.id, at: page).first?.page)
      // 45 pages for 20.
      #expect(abs(Double(found) - 45.0 / 20 * (Double(page) + TextMatch.depth)) <= 1)
    }
  }

  @Test("is refused for a book whose pages are fixed")
  func refusals() throws {
    let fixed = FakeDocument("fixed").with("title Walks").with("laid page 800 600")
    let library = try open(fixed)
    let book = try #require(library.named("Walks"))
    #expect(throws: LibraryFault.invalid(Notice(.fixedType))) {
      try library.makeLargePrint(of: book.id, title: "Large")
    }
  }
}
