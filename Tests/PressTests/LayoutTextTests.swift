import PressProtocol
import TestDocuments
import Testing

@Suite("The text of an EPUB that was laid out")
struct LayoutTextTests {
  @Test(
    "text that runs from right to left is read from its first line on and in its order",
    arguments: [
      ("he", "בשנת 2014 זכה האירוע לשם קריסת המחשבים של Apple Computer Inc הגדולה ביותר מאז"),
      ("ar", "هذه الخلايا الأربع تولد ثلاثين خلية في البلاد الإسلامية والآن لا غير ذلك"),
      ("fa", "این کتاب\u{200C}های ساده را با کیفیت عالی در سال ۱۳۹۵ برای شما می\u{200C}نویسم و"),
    ]
  )
  func rightToLeft(language: String, sentence: String) throws {
    let text = Array(repeating: sentence, count: 12).joined(separator: " ")
    let body = "<h1>\(sentence.split(separator: " ")[1])</h1><p dir=\"rtl\">\(text)</p>"
    let style = "<style>p{text-align:start}</style>"
    let (_, pdf) = try laidOut(Book(texts: [style + body]))
    let plain = { (words: String) in
      String(String.UnicodeScalarView(words.unicodeScalars.filter { $0 != "\u{200C}" }))
        .split(whereSeparator: \.isWhitespace).map(String.init)
    }
    let found = plain(try pdf.content(0).text)
    let wanted = plain(text)
    #expect(Array(found.dropFirst(1).prefix(wanted.count)) == wanted)
    // The box of the first word of a line is on the right.
    let words = try pdf.content(0).words
    let middle = { (word: WordBox) in (word.box.y0 + word.box.y1) / 2 }
    let line = words.filter { abs(middle($0) - middle(words[4])) < 0.015 }.map(\.box.x0)
    #expect(line.count > 3 && (line.first ?? 0) > 0.7)
  }

  @Test("the headings of a book without a table of contents are its contents")
  func headings() throws {
    let filler = String(repeating: "<p>The boats came in late.</p>", count: 80)
    let book = Book(
      texts: [
        "<h2>Dusk</h2>\(filler)<h3 id=\"a-b\">The <em>quay</em></h3>\(filler)<h5>No</h5>",
        "<p>Before</p><h2></h2><h2>Dawn</h2>\(filler)",
      ]
    )
    let outline = try laidOut(book).pdf.outline()
    #expect(outline.map(\.title) == ["Dusk", "The quay", "Dawn"])
    #expect(outline.map(\.depth) == [0, 1, 0])
    let pages = outline.compactMap(\.page)
    #expect(pages.count == 3 && pages[0] == 0 && pages[1] > 0 && pages[2] > pages[1] + 1)
    // One heading is only a title.
    #expect(try laidOut(Book(texts: ["<h1>Dusk</h1>\(filler)"])).pdf.outline() == [])
  }

  @Test("reads a page with one short line from right to left, and all lines of vertical pages")
  func wholePages() throws {
    let short = Book(
      texts: [
        """
        <html xmlns="http://www.w3.org/1999/xhtml" dir="rtl" lang="he"><head><title>t</title></head>
        <body><h1>שלום עולם</h1></body></html>
        """
      ]
    )
    #expect(try text(laidOut(short).pdf, 0).hasPrefix("שלום עולם"))
    let line = (0..<40).map { "これは縦に書いた本の\($0 % 2 == 0 ? "長" : "短")い文である。" }.joined()
    let vertical = Book(
      texts: [
        """
        <html xmlns="http://www.w3.org/1999/xhtml" lang="ja"><head><title>t</title>
        <style>html{writing-mode:vertical-rl}</style></head>
        <body><h1>縦</h1>\(String(repeating: "<p>\(line)</p>", count: 8))</body></html>
        """
      ]
    )
    let (facts, pdf) = try laidOut(vertical)
    let found = try (0..<facts.pages.count).map { try text(pdf, $0) }.joined()
    // The engine draws the edge of a page's last line on the next one as well.
    #expect(found.count { $0 == "書" } >= 8 * 40)
    let plain = String(found.filter { !$0.isWhitespace })
    #expect(plain.contains("これは縦に書いた本の長い文である。これは縦に書いた本の短い文である。"))
  }

  @Test("keeps each word in its order, hyphenated or not")
  func words() throws {
    let words = (0..<3000).map { ["extraordinarily\($0 % 7)", "incomprehensible", "a"][$0 % 3] }
    let (facts, pdf) = try laidOut(Book(texts: ["<p>\(words.joined(separator: " "))</p>"]))
    var letters = ""
    var parted = 0
    for page in facts.pages.indices {
      let content = try pdf.content(page)
      letters += content.text.filter { $0.isLetter }
      // A word that is parted has a box in each line.
      parted += content.words.count - content.text.split(whereSeparator: \.isWhitespace).count
    }
    #expect(parted > 20)
    let wanted = words.joined().filter { $0.isLetter }
    #expect(letters == wanted || letters.replacing("Nightwalks", with: "") == wanted)
  }

  @Test("reads a vertical line that begins above the page, as far as it is on it")
  func aboveThePage() throws {
    let vertical = "position:absolute;writing-mode:vertical-rl;"
    let long = String(repeating: "これは縦に書いた本の長い文である。", count: 60)
    let page = """
      <html xmlns="http://www.w3.org/1999/xhtml" lang="ja"><head><title>t</title>
      <meta name="viewport" content="width=432, height=648"/></head><body>
      <div style="\(vertical)left:190px;top:-60px">縦書きの長い題名と章の名前</div>
      <div style="\(vertical)left:40px;top:60px;width:340px;height:520px">\(long)</div>
      </body></html>
      """
    let book = Book(
      metadata: Book().metadata + "<meta property=\"rendition:layout\">pre-paginated</meta>",
      texts: [page]
    )
    let found = try text(laidOut(book).pdf, 0).filter { !$0.isWhitespace }
    #expect("題名章前".allSatisfy(found.contains))
  }

  @Test("reads lines that run from top to bottom in their order, and readings after them")
  func vertical() throws {
    let sentence = "山路を登りながら、こう考えた。智に働けば角が立つ。情に棹させば流される。"
    let text = """
      <html xmlns="http://www.w3.org/1999/xhtml" lang="ja"><head><title>t</title>
      <style>html{writing-mode:vertical-rl}</style></head>
      <body><p>\(String(repeating: sentence, count: 6))</p>
      <p><ruby>草<rt>くさ</rt></ruby><ruby>枕<rt>まくら</rt></ruby></p></body></html>
      """
    let (facts, pdf) = try laidOut(Book(texts: [text]))
    #expect(facts.pages.count == 1)
    let content = try pdf.content(0).text
    let plain = content.filter { !$0.isWhitespace }
    #expect(plain.contains(String(repeating: sentence, count: 6) + "草枕"))
    #expect(plain.contains("くさ") && plain.contains("まくら") && plain.hasSuffix("1"))
  }

  @Test("knows the older names of properties, and parts no words where the book forbids it")
  func olderNames() throws {
    func lines(_ style: String) throws -> (boxes: Int, lastEnd: Double) {
      let long = String(repeating: "extraordinarily ", count: 24) + "<br/>short"
      let html = """
        <html xmlns="http://www.w3.org/1999/xhtml"><head><title>t</title>
        <style>p{margin:0;width:160px;\(style)}</style></head><body><p>\(long)</p></body></html>
        """
      let content = try laidOut(Book(texts: [html])).pdf.content(0)
      let last = try #require(content.words.last { $0.box.y1 < 0.9 })
      return (content.words.count, last.box.x1)
    }
    let (usual, whole) = (try lines(""), try lines("-epub-hyphens:none"))
    #expect(usual.boxes > whole.boxes)
    #expect(try lines("-epub-text-align-last:right").lastEnd > usual.lastEnd + 0.05)
  }

  @Test("keeps letters legible in parts with wider parts inside, and shows what is folded")
  func nested() throws {
    func height(_ text: String) throws -> Double {
      let word = try #require(try laidOut(Book(texts: [text])).pdf.content(0).words.first)
      return word.box.y1 - word.box.y0
    }
    let usual = try height("<p>Boat</p>")
    let wide = "<div style=\"width:900px\"><div><div><p>Boat</p></div></div></div>"
    #expect(try height(wide) == usual)
    let line = String(repeating: "Boat", count: 40)
    let beside = "<div><p>Boat</p><p style=\"white-space:nowrap\">\(line)</p></div>"
    #expect(try height(beside) == usual)
    let table =
      "<div><div><div><table style=\"min-width:900px\"><tr><td>Boat</td></tr></table></div>"
    #expect(try height(table + "</div></div>") > 0.45 * usual)
    let folded = Book(texts: ["<details><summary>Open</summary><p>Inside.</p></details>"])
    #expect(try text(laidOut(folded).pdf, 0).contains("Inside."))
  }

  @Test("reads a text whose XML declaration does not stand at its start")
  func declaration() throws {
    let late =
      "\n<?xml version=\"1.0\"?>\n"
      + Book.document("<p>First words.</p>")
      .drop { $0 != "\n" }
    let book = Book(
      texts: ["<p>Before.</p>"],
      references: ["/><itemref idref=\"late\""],
      files: [Archives.Entry("OPS/late.xhtml", Array(late.utf8))],
      manifest: "<item id=\"late\" href=\"late.xhtml\" media-type=\"application/xhtml+xml\"/>"
    )
    #expect(try text(laidOut(book).pdf, 1).hasPrefix("First words."))
  }
}
