import Foundation
import PressProtocol
import TestDocuments
import Testing

@Suite("Metadata of documents")
struct MetadataTests {
  private static let title = "Über die Bücher – 本"

  /// Returns a PDF text in hexadecimal digits.
  private static func hex(_ bytes: [UInt8]) -> String {
    "<" + bytes.map { String(format: "%02x", $0) }.joined() + ">"
  }

  private static func utf16(_ text: String, isLittle: Bool = false) -> [UInt8] {
    ([0xFEFF] + Array(text.utf16)).flatMap { unit in
      let bytes = [UInt8(unit >> 8), UInt8(unit & 0xFF)]
      return isLittle ? bytes.reversed() : bytes
    }
  }

  @Test("is read from a PDF in both byte orders of UTF-16", arguments: [false, true])
  func utf16(_ isLittle: Bool) throws {
    let text = Self.hex(Self.utf16(Self.title, isLittle: isLittle))
    let pdf = PDFs.make([PDFs.Page()], info: "/Title \(text) /Author \(text)")
    let facts = try PressProcess(pdf).open()
    #expect(facts.title == Self.title && facts.author == Self.title)
  }

  @Test("is read from a PDF in PDFDocEncoding")
  func ownEncoding() throws {
    // 0x85 is a dash there, but not in Latin-1.
    let pdf = PDFs.make([PDFs.Page()], info: "/Title <DC626572206469652042FC63686572 2085>")
    #expect(try PressProcess(pdf).open().title == "Über die Bücher –")
  }

  @Test("is read from the XMP of a PDF if the older place is empty")
  func packet() throws {
    let packet = """
      <?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/">
      <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
      <rdf:Description xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title><rdf:Alt>
      <rdf:li xml:lang="en">Other</rdf:li><rdf:li xml:lang="x-default">\(Self.title)</rdf:li>
      </rdf:Alt></dc:title><dc:creator><rdf:Seq><rdf:li>A</rdf:li><rdf:li>B</rdf:li></rdf:Seq>
      </dc:creator><dc:language><rdf:Bag><rdf:li>de_AT</rdf:li></rdf:Bag></dc:language>
      </rdf:Description></rdf:RDF></x:xmpmeta><?xpacket end="w"?>
      """
    let facts = try PressProcess(PDFs.make([PDFs.Page()], packet: Array(packet.utf8))).open()
    #expect(facts.title == Self.title && facts.author == "A, B" && facts.language == "de-AT")
    let both = PDFs.make([PDFs.Page()], info: "/Title (Older)", packet: Array(packet.utf8))
    #expect(try PressProcess(both).open().title == "Older")
  }

  @Test(
    "is read from an archive in the encoding that it names",
    arguments: [
      ("UTF-16", String.Encoding.utf16, "Über 本"), ("Shift_JIS", .shiftJIS, "海の本"),
      ("ISO-8859-1", .isoLatin1, "Über"), ("windows-1251", .windowsCP1251, "Книга"),
      ("UTF-8", .utf8, "Über 本"),
    ]
  )
  func comic(_ name: String, _ encoding: String.Encoding, _ title: String) throws {
    let info = """
      <?xml version="1.0" encoding="\(name)"?><ComicInfo><Title>\(title)</Title></ComicInfo>
      """
    let bytes = try #require(info.data(using: encoding))
    let archive = Archives.make([
      Archives.Entry("ComicInfo.xml", Array(bytes)),
      Archives.Entry("1.png", Images.png(width: 30, height: 40)),
    ])
    #expect(try PressProcess(archive).open().title == title)
  }

  @Test("is truncated, however long it is in the file")
  func length() throws {
    let long = String(repeating: "A", count: 1_600_000)
    let pdf = PDFs.make([PDFs.Page()], info: "/Title (\(long)) /Author (\(long))")
    let facts = try PressProcess(pdf).open()
    #expect(facts.title.count == PressText.title.characters && facts.author.count < 400)
    let info = """
      <?xml version="1.0"?><ComicInfo><Title>\(long)</Title><Writer>\(long)</Writer>
      <LanguageISO>\(long)</LanguageISO>
      <Pages><Page Image="0" Bookmark="\(long)"/></Pages></ComicInfo>
      """
    let press = try PressProcess(Archives.comic(pages: 1, info: info))
    let comic = try press.open()
    #expect(comic.title.count == PressText.title.characters && comic.language == "")
    #expect(try press.outline().allSatisfy { $0.title.count <= PressText.entry.characters })
  }

  @Test("has no control characters and changes no direction of text")
  func characters() throws {
    let text = Self.hex(Self.utf16("\u{202E}fdp.\u{1B}[2J\nA\0B"))
    let pdf = PDFs.make([PDFs.Page()], info: "/Title \(text)")
    let title = try PressProcess(pdf).open().title
    #expect(title == PressText.line(title, PressText.title) && title.hasPrefix("fdp."))
  }

  @Test("is split into words of bounded length")
  func words() throws {
    let line = String(repeating: "x", count: 700)
    let wide = PDFs.Page([line], entries: "/MediaBox [0 0 14000 400]")
    let press = try PressProcess(PDFs.make([wide]))
    _ = try press.open()
    let content = try press.content(0)
    #expect(content.words.map(\.length) == [256, 256, 188])
    #expect(content.text.hasPrefix(line))
    let short = try PressProcess(PDFs.make([PDFs.Page(["abc def"])]), ["--text-bytes=5"])
    _ = try short.open()
    #expect(try short.content(0).text.utf8.count <= 5)
    #expect(try short.content(0).cut)
  }

  @Test(
    "names the series of an EPUB, as EPUB 3 or as calibre says it",
    arguments: [
      (
        """
        <meta property="belongs-to-collection" id="b">Box</meta>
        <meta refines="#b" property="collection-type">set</meta>
        <meta property="belongs-to-collection" id="c"> Tides </meta>
        <meta refines="#c" property="collection-type">series</meta>
        <meta refines="#c" property="group-position">1.5</meta>
        """, Series(name: "Tides", number: "1.5")
      ),
      (
        """
        <meta name="calibre:series" content="Tides"/><meta name="calibre:series_index" content="2"/>
        """, Series(name: "Tides", number: "2")
      ),
      ("<meta property=\"belongs-to-collection\">Tides</meta>", Series(name: "Tides")),
      ("<meta name=\"calibre:series\" content=\" \"/>", nil),
    ]
  )
  func series(_ metadata: String, _ series: Series?) throws {
    let text = "<img src=\"../a.png\"/>"
    let image = Archives.Entry("OPS/a.png", Images.png(width: 30, height: 40))
    let epub = Archives.epub(pages: [text], metadata: metadata, files: [image])
    #expect(try PressProcess(epub).open().series == series)
    let package =
      "<?xml version=\"1.0\"?><package xmlns=\"http://www.idpf.org/2007/opf\"><metadata "
    let alone =
      package + "xmlns:dc=\"http://purl.org/dc/elements/1.1/\"><dc:title>T</dc:title>"
      + "<dc:creator>A</dc:creator>\(metadata)</metadata></package>"
    let facts = try PressProcess(Array(alone.utf8)).open()
    #expect(facts.title == "T" && facts.author == "A" && facts.series == series)
    #expect(facts.pages.isEmpty)
  }
}
