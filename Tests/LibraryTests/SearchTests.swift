import PressProtocol
import TestDocuments
import TestVectors
import Testing

@testable import Library

@Suite("Search")
struct SearchTests {
  /// The folders of a test, which are deleted after it.
  private final class Folders {
    var all: [TemporaryFolder] = []
  }

  private let folders = Folders()

  /// Creates a library of books with these texts, indexed.
  private func library(_ books: [(title: String, texts: [String])]) throws -> BookLibrary {
    let folder = TemporaryFolder()
    for (title, texts) in books {
      try folder.write("\(title).pdf", FakeDocument(texts: texts).with("title \(title)"))
    }
    let library = try Shelves.open(folder, worksAhead: true)
    #expect(library.finishWork(atMost: 60))
    folders.all.append(folder)
    return library
  }

  @Test("finds a word on its pages, ignoring case and accents")
  func words() throws {
    let library = try library([
      ("Cats", ["the Café is open", "nothing here", "a cafe and a CAFÉ"])
    ])
    let hits = try library.search("cafe ", book: library.named("Cats")?.id)
    #expect(hits.map(\.page) == [0, 2])
    #expect(hits[1].boxes.count == 2)
    #expect(hits[0].snippet.filter(\.isMatch).map(\.text) == ["Café"])
    #expect(hits[0].snippet.map(\.text).joined() == "the Café is open ")
    // The second word of the page begins one tenth from its left edge, at its top.
    #expect(abs(hits[0].boxes[0].x0 - 0.1) < 1e-4 && hits[0].boxes[0].y0 == 0)
  }

  @Test("finds books by the words of their titles, ignoring case, accents and order")
  func titles() throws {
    let library = try library([
      ("The Café of Cats", ["a"]), ("Dogs", ["café cats"]), ("猫の手帖", ["b"]),
    ])
    func found(_ query: String) -> [String] { library.books(named: query).map(\.title) }
    #expect(found("CATS cafe") == ["The Café of Cats"])
    #expect(found("猫") == ["猫の手帖"])
    #expect(found("cats dogs").isEmpty && found(" \" ").isEmpty && found("").isEmpty)
    #expect(library.books(named: "s", limit: 1).count == 1)
  }

  @Test("pages with the words only in lines of a table of contents come last")
  func contents() throws {
    let library = try library([
      (
        "Ferns",
        ["Of ferns ........ 12", "Ferns are wet", "Ferns \u{2026} \u{2026} 3", "ferns... so"]
      )
    ])
    let pages = try library.search("ferns ", book: library.named("Ferns")?.id).map(\.page)
    #expect(pages == [1, 3, 0, 2])
    #expect(Set(try library.search("ferns ").map(\.page).suffix(2)) == [0, 2])
  }

  @Test("a page with the word in a line of contents and in another line is one of text")
  func contentsAndText() {
    for (text, isContents) in [
      ("Ferns . . . . 7", true), ("Ferns . . . . 7\nof ferns", false),
      ("x\nFerns .... 7\n.....", true),
      ("Ferns\n..... 7", false), ("ferns ... 7", false),
      ("Ferns \u{2026}. 7\nOf ferns ..... 8", true),
    ] {
      var matches = Matches()
      matches.add("ferns", in: Array(text.utf8))
      #expect(matches.areInContents(of: Array(text.utf8)) == isContents, "\(text)")
    }
    #expect(!Matches().areInContents(of: []))
  }

  @Test("treats the last word as a prefix until a space follows it")
  func prefix() throws {
    let library = try library([("Trees", ["an oak", "oaken chest", "a chest"])])
    #expect(try library.search("oak").count == 2)
    #expect(try library.search("oak ").map(\.page) == [0])
    #expect(try library.search("chest oak").map(\.page) == [1])
  }

  @Test("finds phrases only where their words follow one another")
  func phrases() throws {
    let library = try library([("Sea", ["the old man", "old is the man", "the man of old"])])
    #expect(try library.search("\"old man\"").map(\.page) == [0])
    #expect(try library.search("old man").count == 3)
  }

  @Test("finds runs of at least two letters in text without spaces")
  func unspaced() throws {
    let library = try library([
      ("Reference", ["この設定を変更", "パッケージ管理システム", "環境の設定", "設", "水 定"])
    ])
    let book = try #require(library.named("Reference")?.id)
    for scope in [book, nil] {
      #expect(Set(try library.search("設定", book: scope).map(\.page)) == [0, 2])
      #expect(try library.search("パッケージ", book: scope).map(\.page) == [1])
      #expect(try library.search("ッケー", book: scope).map(\.page) == [1])
      #expect(try library.search("設", book: scope).count == 3)
      #expect(try library.search("管理 システム", book: scope).map(\.page) == [1])
      #expect(try library.search("設水", book: scope) == [])
    }
    let hit = try #require(try library.search("設定", book: book).first)
    #expect(hit.snippet.filter(\.isMatch).map(\.text) == ["設定"])
    // The run is the third and fourth of seven letters of a "word" with a width of 0.08.
    let box = try #require(hit.boxes.first)
    #expect(abs(box.x0 - 0.08 * 2 / 7) < 1e-3 && abs(box.x1 - 0.08 * 4 / 7) < 1e-3)
  }

  @Test("finds words of spaced and unspaced scripts together")
  func mixed() throws {
    let library = try library([("Mix", ["PDFファイル を開く", "PDF", "ファイル"])])
    #expect(try library.search("pdfファイル").map(\.page) == [0])
    #expect(try library.search("ファイル").count == 2)
    #expect(try library.search("pdf 開く").map(\.page) == [0])
  }

  @Test("agrees with a search of every page, for short runs in many texts")
  func agreesWithScan() throws {
    let letters = Array("設定水火木金土日月山川")
    for seed in UInt64(0)..<4 {
      var random = SplitMix64(seed: seed)
      let texts = (0..<30).map { _ in
        let count = Int.random(in: 1...12, using: &random)
        return String((0..<count).map { _ in letters.randomElement(using: &random) ?? "水" })
      }
      let library = try library([("Book \(seed)", texts)])
      for _ in 0..<40 {
        let run = String(
          (0..<Int.random(in: 1...3, using: &random)).map { _ in
            letters.randomElement(using: &random) ?? "水"
          }
        )
        let expected = Set(texts.indices.filter { texts[$0].contains(run) })
        #expect(Set(try library.search(run, limit: 500).map(\.page)) == expected, "seed \(seed)")
      }
    }
  }

  @Test("treats all input as words, never as operators")
  func neverAnError() throws {
    let library = try library([("Odd", ["NEAR and OR \"quotes\" don't a-b c++ *"])])
    let typed = [
      "", " ", "\"", "\"\"", "AND", "OR NOT", "NEAR(a b)", "a*", "*", "^a", "body:x", "(", ")",
      "-", "a-b", "don't", "c++", "x AND", "{a b}: c", "a + b", "'", "';--", "\u{0}", "設\"定",
      "\"設定", String(repeating: "long ", count: 400), "😀", "a\nb", "%_", "\\",
    ]
    for text in typed {
      #expect(throws: Never.self, "\(text)") { try library.search(text) }
    }
    for seed in UInt64(0)..<400 {
      var random = SplitMix64(seed: seed)
      let signs = Array("ab \"*()-+:^{}設定ア'\\%_\u{0}.,ORANDNEAR")
      let text = String((0..<12).map { _ in signs.randomElement(using: &random) ?? "a" })
      #expect(throws: Never.self, "\(text)") { try library.search(text) }
    }
    #expect(try library.search("don't").count == 1)
    #expect(try library.search("near").count == 1)
  }

  @Test("puts the most relevant page first and omits books that are not on the shelf")
  func ranking() throws {
    let folder = TemporaryFolder()
    let filler = String(repeating: "filler ", count: 60)
    try folder.write("a.pdf", FakeDocument(texts: ["\(filler) whale"]).with("title A"))
    try folder.write("b.pdf", FakeDocument(texts: ["whale whale whale"]).with("title B"))
    let library = try Shelves.open(folder, watches: true, worksAhead: true)
    #expect(library.finishWork(atMost: 60))
    #expect(try library.search("whale").map(\.title) == ["B", "A"])
    #expect(try library.search("whale", limit: 1).map(\.title) == ["B"])
    try folder.remove("b.pdf")
    #expect(Bell().wait { library.titles == [["A"]] })
    #expect(try library.search("whale").map(\.title) == ["A"])
  }

  @Test("splits a query into words, phrases and runs")
  func parsing() {
    #expect(SearchQuery("two words").words == "\"two\" \"words\"*")
    #expect(SearchQuery("closed ").words == "\"closed\"")
    #expect(SearchQuery("say \"a b\" c").words == "\"say\" \"a b\" \"c\"*")
    #expect(SearchQuery("the PDF設定v2").words == "\"the\"*")
    #expect(SearchQuery("the PDF設定v2").runs == ["PDF設定v2"])
    #expect(SearchQuery("!? -- ...").isEmpty)
  }
}
