import PressProtocol
import TestDocuments
import Testing

@Suite("The package of an EPUB")
struct PackageTests {
  private static let layout = "<meta property=\"rendition:layout\">pre-paginated</meta>"

  private func facts(_ book: Book) throws -> DocumentFacts {
    try PressProcess(book.bytes).open()
  }

  @Test(
    "says whether wide pages form spreads, and on which side the first of them is",
    arguments: [
      ("", [], nil, nil), ("none", [], nil, nil), ("both", [], false, nil),
      ("landscape", [], false, nil), ("", ["left", "right"], false, true),
      ("", ["right", "left"], false, nil), ("", ["", "center"], nil, nil),
      ("both", ["center", "left"], nil, nil),
    ] as [(String, [String], Bool?, Bool?)]
  )
  func spreads(_ spread: String, _ sides: [String], hasSpreads: Bool?, isShifted: Bool?) throws {
    let rule = spread.isEmpty ? "" : "<meta property=\"rendition:spread\">\(spread)</meta>"
    var book = Book(
      metadata: Book().metadata + Self.layout + rule,
      texts: ["<p>One.</p>", "<p>Two.</p>"]
    )
    book.references = sides.map { $0.isEmpty ? "" : "properties=\"page-spread-\($0)\"" }
    let facts = try facts(book)
    #expect(facts.hasSpreads == hasSpreads)
    #expect(facts.isShifted == isShifted)
    // A book whose text flows has no such pages.
    book.metadata = Book().metadata + rule
    #expect(try self.facts(book).hasSpreads == nil)
  }

  @Test(
    "gives the direction of pages by the language, if it states none",
    arguments: [
      ("ar", "", true), ("he-IL", "", true), ("fa", "ltr", false), ("en", "", false),
      ("az-Arab", "", true), ("ku-Latn", "", false), ("ar-Latn", "default", false),
      ("ja", "rtl", true),
    ]
  )
  func direction(_ language: String, _ stated: String, isMirrored: Bool) throws {
    let progression = stated.isEmpty ? "" : "page-progression-direction=\"\(stated)\""
    let book = Book(
      metadata: "<dc:title>T</dc:title><dc:language>\(language)</dc:language>",
      texts: ["<p>T</p>"],
      progression: progression
    )
    #expect((try facts(book).direction == .rightToLeft) == isMirrored)
  }

  @Test("marks a title whose first letter has another direction than it states")
  func titles() throws {
    func title(_ element: String) throws -> String {
      let language = "<dc:language>en</dc:language>"
      return try facts(Book(metadata: element + language, texts: ["<p>T</p>"])).title
    }
    #expect(try title("<dc:title dir=\"rtl\">CSS: أخيرا</dc:title>") == "\u{200F}CSS: أخيرا")
    #expect(try title("<dc:title dir=\"rtl\">أخيرا CSS</dc:title>") == "أخيرا CSS")
    #expect(try title("<dc:title dir=\"ltr\">أخيرا CSS</dc:title>") == "\u{200E}أخيرا CSS")
    #expect(try title("<dc:title>CSS</dc:title>") == "CSS")
  }
}
