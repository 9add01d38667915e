import PressProtocol
import TestDocuments
import Testing

@Suite("Books in the formats of Kindle and FictionBook")
struct ReaderFormatTests {
  private static let engine = "--engine=/usr/lib/chromium/chromium-headless-shell"
  private static let html = """
    <html><head></head><body><h1>Dusk</h1><p>The ferry lights her lamp.</p><mbp:pagebreak/>
    <h1>Dawn</h1><p>Nobody saw her come in.</p></body></html>
    """

  /// Lays a book out; returns its facts, the texts of its pages and its contents.
  private func read(
    _ bytes: [UInt8]
  ) throws -> (facts: DocumentFacts, texts: [String], outline: [OutlineEntry]) {
    let press = try PressProcess(bytes, [Self.engine])
    #expect(try press.open().isLaidOut)
    let (facts, assets) = try press.extract()
    let pdf = try PressProcess(try #require(assets.first).bytes)
    _ = try pdf.open()
    let texts = try facts.pages.indices.map { page in
      try pdf.content(page).text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
    return (facts, texts, try pdf.outline())
  }

  @Test("MOBI has its title, its author and its pages, which break where it says so")
  func mobi() throws {
    let book = Mobis.book(Self.html, title: "Night Ferry", author: "Ada Marsh")
    let (facts, texts, _) = try read(book)
    #expect(facts.format == .mobi && facts.title == "Night Ferry" && facts.author == "Ada Marsh")
    #expect(texts.count == 2 && texts[0].contains("Dusk The ferry lights her lamp."))
    #expect(texts[1].contains("Dawn Nobody saw her come in."))
  }

  @Test("MOBI with DRM says so", arguments: [1, 2] as [UInt16])
  func locked(encryption: UInt16) throws {
    let book = Mobis.book(Self.html, title: "t", author: "a", encryption: encryption)
    let press = try PressProcess(book, [Self.engine])
    #expect(throws: PressFault.protected) { try press.open() }
  }

  @Test("damaged MOBI is a fault, and the press lives", arguments: 0..<60)
  func damage(seed: Int) throws {
    var book = Mobis.book(Self.html, title: "Night Ferry", author: "Ada Marsh")
    if seed < 20 {
      book.removeLast(min(book.count - 70, 1 + seed * book.count / 20))
    } else {
      // Any byte of the headers may be wrong.
      for step in 0..<8 {
        book[68 + (seed * 7919 + step * 104_729) % 420] ^= UInt8(1 << (step % 8))
      }
    }
    let press = try PressProcess(book)
    do {
      _ = try press.open()
    } catch let fault as PressFault {
      let expected: [PressFault] = [.damaged(.mobi), .protected, .unsupported("unknownFile")]
      #expect(expected.contains(fault))
    }
  }

  private static let fiction = """
    <FictionBook xmlns="http://www.gribuser.ru/xml/fictionbook/2.0"
      xmlns:l="http://www.w3.org/1999/xlink"><description><title-info><author>
    <first-name>Антон</first-name><last-name>Чехов</last-name></author>
    <book-title>Степь</book-title><lang>ru</lang></title-info></description>
    <body><title><p>Степь</p></title><section><title><p>Глава 1</p></title>
    <p>Выехала бричка<a l:href="#n1" type="note">[1]</a>.</p><section><title><p>Дорога</p></title>
    <p>Внутри &lt;b&gt; &amp; текст.</p>
    <poem><stanza><v>Строка первая</v>
    <v>Строка вторая</v></stanza></poem></section></section>
    <section><title><p>Глава 2</p></title><p>Конец.</p></section></body>
    <body name="notes"><title><p>Примечания</p></title><section id="n1"><title><p>1</p></title>
    <p>Бричка — повозка.</p></section></body></FictionBook>
    """

  @Test(
    "FictionBook has its chapters, its notes and its contents, also in Windows-1251 and in a ZIP"
  )
  func fictionBook() throws {
    let head = { (charset: String) in
      Array("<?xml version=\"1.0\" encoding=\"\(charset)\"?>\n".utf8)
    }
    let plain = head("UTF-8") + Array(Self.fiction.utf8)
    let cyrillic = head("windows-1251") + Self.windows1251(Self.fiction)
    let packed = Archives.make([Archives.Entry("steppe.fb2", plain)])
    for book in [plain, cyrillic, packed] {
      let (facts, texts, outline) = try read(book)
      #expect(facts.format == .fictionBook && facts.title == "Степь" && facts.language == "ru")
      #expect(facts.author == "Антон Чехов" && texts.count == 4)
      #expect(texts[1].contains("Глава 1 Выехала бричка[1]. Дорога Внутри <b> & текст."))
      #expect(texts[1].contains("Строка первая Строка вторая"))
      #expect(texts[3].contains("Бричка — повозка."))
      #expect(outline.map(\.title) == ["Глава 1", "Дорога", "Глава 2", "Примечания"])
      #expect(outline.map(\.page) == [1, 1, 2, 3] && outline.map(\.depth) == [0, 1, 0, 0])
    }
  }

  @Test("FictionBook that is not well formed keeps its text; another file only names one")
  func damagedFiction() throws {
    let broken = Self.fiction.replacing("Конец.", with: "Конец & <br>начало.")
    let (facts, texts, _) = try read(Array(broken.utf8))
    #expect(facts.title == "Степь" && texts.joined().contains("Выехала бричка"))
    let cover = Archives.Entry("cover.png", Images.png(width: 30, height: 40))
    let packed = Archives.make([cover, Archives.Entry("a.fb2", Array(Self.fiction.utf8))])
    #expect(try read(packed).facts.format == .fictionBook)
    let note = try PressProcess(Array("# On formats\n\n`<FictionBook` begins one.\n".utf8))
    #expect(try note.open().format == .text)
    let other = try PressProcess(Array("<?xml version=\"1.0\"?><a><FictionBook/></a>".utf8))
    #expect(throws: PressFault.damaged(.fictionBook)) { try other.open() }
  }

  /// Encodes Cyrillic letters and ASCII; a dash as 0x97.
  private static func windows1251(_ text: String) -> [UInt8] {
    text.unicodeScalars.map { scalar in
      switch scalar.value {
      case 0x410...0x44F: UInt8(scalar.value - 0x410 + 0xC0)
      case 0x2014: 0x97
      default: UInt8(scalar.value & 0x7F)
      }
    }
  }
}
