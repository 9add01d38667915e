import Foundation
import Motion
import PressProtocol
import Scene
import TestDocuments
import TestVectors
import Testing

@testable import Library

@Suite("Text limits", .timeLimit(.minutes(10)))
struct TextLimitsTests {
  @Test("a text is cut between letters, never inside one, and is as long as the limit allows")
  func cuts() {
    for seed in UInt64(0)..<200 {
      var random = SplitMix64(seed: seed)
      let letters = ["a", "é", "語", "😀", "e\u{301}"]
      let text = (0..<60).map { _ in letters.randomElement(using: &random) ?? "" }.joined()
      for limit in 3...80 {
        let cut = TextLimits.cut(text, to: limit)
        #expect(cut.utf8.count <= limit, "seed \(seed)")
        guard text.utf8.count > limit else {
          #expect(cut == text)
          continue
        }
        #expect(cut.utf8.count > limit - 4 && cut.hasSuffix("…"))
        #expect(!cut.contains("\u{FFFD}"))
        #expect(text.utf8.starts(with: cut.dropLast().utf8) || cut.utf8.count <= 6, "seed \(seed)")
      }
    }
  }

  @Test("the catalogue stores at most as much of a document's texts as can be shown")
  func documents() throws {
    let folder = TemporaryFolder()
    let long = String(repeating: "Very long ", count: 100_000)
    try folder.write(
      "a.pdf",
      FakeDocument("a", pages: 1).with("title \(long)").with("author \(long)")
        .with("language \(long)").with("outline 99999999999 0 \(long)")
    )
    let library = try Shelves.open(folder)
    let book = try #require(library.books().first)
    for text in [book.title, book.author, book.language] {
      #expect(text.utf8.count <= TextLimits.title && text.hasPrefix("Very long"))
    }
    let entry = try #require(try library.outline(of: book.id).first)
    #expect(entry.title.utf8.count <= TextLimits.outlineTitle)
    #expect(entry.depth <= TextLimits.outlineDepth)
  }

  @Test("overlong or damaged texts of an earlier version are corrected on reading")
  func damaged() throws {
    let (folder, data) = (TemporaryFolder(), TemporaryFolder())
    try folder.write("a.pdf", FakeDocument(texts: ["one", "two"]).with("outline 0 0 Chapter"))
    let id = try #require(try Shelves.open(folder, data: data).books().first?.id)
    let broken = [
      "title = replace(hex(zeroblob(400000)), '0', 'x́')", "page_count = -7", "page_count = 9e15",
      "page_w = 9e999", "page_h = -1", "page_w = 1e-300", "blank_pages = x'ffffffff'",
      "wide_pages = x'01'", "render_rev = 9223372036854775807", "indexed = -9223372036854775808",
      "thumbed = 9223372036854775807", "added_at = 9e999", "last_read = -9e999",
      "byte_size = 9223372036854775807", "cloth = -1, lettering = 9e17",
      "file_name = hex(zeroblob(100000))",
    ]
    for change in broken {
      let copy = TemporaryFolder()
      copy.remove()
      try FileManager.default.copyItem(atPath: data.path, toPath: copy.path)
      do {
        let rows = try Database(path: copy.path + "/catalogue.sqlite", isReader: false)
        try rows.execute("PRAGMA ignore_check_constraints=ON")
        try rows.execute("UPDATE book SET \(change)")
        try rows.execute("INSERT INTO correction(book_id, cover) SELECT id, -5 FROM book")
        try rows.execute("UPDATE outline SET depth = 9e18, page = -9e18")
        let reader = SQLValue.blob(ReaderID.named("r").digest)
        try rows.run("INSERT INTO reader VALUES(?, 'r', 9e999)", reader)
        try rows.run("INSERT INTO reading SELECT ?, id, 9e18, 0, -9e999 FROM book", reader)
      }
      let library = try Shelves.open(data: copy)
      let book = try #require(library.book(id), "\(change)")
      #expect(book.title.utf8.count <= TextLimits.title && book.cover == 0, "\(change)")
      #expect(0...20_000 ~= book.pages && book.added.isFinite, "\(change)")
      for shown in library.catalogue().collections.flatMap(\.books) {
        #expect(shown.pageSize.width > 0 && shown.pageSize.width.isFinite, "\(change)")
        #expect(shown.searchKey.utf8.count <= 3 * 2 * TextLimits.title, "\(change)")
      }
      _ = try? library.page(0, of: id)
      _ = try library.search("one")
      #expect(try library.outline(of: id).allSatisfy { 0...64 ~= $0.depth })
      #expect(try library.positions()["r"]?.allSatisfy { $0.spread <= 1_000_000 } == true)
      library.stop()
    }
  }

  @Test("only a bounded part of a long query is searched")
  func queries() throws {
    let marks = "a" + String(repeating: "\u{301}", count: 1 << 20)
    #expect(SearchQuery(marks).words.utf8.count <= 2 * TextLimits.query)
    let words = SearchQuery(String(repeating: "a\" 語", count: 1 << 18))
    #expect(words.words.utf8.count + words.longRuns.utf8.count <= 4 * TextLimits.query)
    #expect(try Shelves.open().search(marks) == [])
  }
}
