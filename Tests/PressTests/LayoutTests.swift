import Foundation
import PressProtocol
import TestDocuments
import Testing

@Suite("A press that lays out an EPUB")
struct LayoutTests {
  @Test(
    "makes smaller pages with the same type for large print, but leaves fixed pages as they are"
  )
  func largePrint() throws {
    let book = Book(texts: (1...6).map { "<h1>Part \($0)</h1>" + Book.paragraph + Book.paragraph })
    let (standard, large) = (try laidOut(book), try laidOut(book, .large))
    #expect(standard.facts.pages.allSatisfy { $0.width == 432 && $0.height == 648 })
    #expect(large.facts.pages.allSatisfy { $0.width == 288 && $0.height == 432 })
    #expect(large.facts.pages.count >= standard.facts.pages.count * 3 / 2)
    // The boxes of words are fractions of the page.
    func letter(_ pdf: PressProcess) throws -> Double {
      let words = try pdf.content(0).words
      return try #require(
        words.map { $0.box.y1 - $0.box.y0 }.sorted().dropFirst(words.count / 2).first
      )
    }
    #expect(abs(try letter(large.pdf) / letter(standard.pdf) - 1.5) < 0.05)
    let fixed = Book(
      metadata: Book().metadata + "<meta property=\"rendition:layout\">pre-paginated</meta>",
      texts: ["<meta name=\"viewport\" content=\"width=400, height=300\"/><p>Two boats.</p>"]
    )
    #expect(try laidOut(fixed, .large).facts.pages == laidOut(fixed).facts.pages)
  }

  @Test("a light colour of the page, which would end at its margins, is left out; a dark one stays")
  func background() throws {
    for (colour, isKept) in [
      ("#f8f0d8", false), ("color(srgb .97 .94 .85)", false), ("oklch(.96 .03 90)", false),
      ("rgb(20 30 40)", true),
    ] {
      let body = "<style>body{background:\(colour);color:#888}</style>" + Book.paragraph
      let (_, pdf) = try laidOut(Book(texts: [body]))
      let page = try pdf.render(0, 90).bytes
      let plain = try laidOut(Book(texts: ["<style>body{color:#888}</style>" + Book.paragraph])).pdf
      #expect((page != (try plain.render(0, 90).bytes)) == isKept)
    }
  }

  @Test("names the engine that is missing")
  func missing() throws {
    let book = Book(texts: [Book.paragraph])
    let without = try PressProcess(book.bytes)
    #expect(try without.open().isLaidOut)
    #expect(throws: PressFault.engineMissing) { try without.extract() }
    let nowhere = try PressProcess(book.bytes, ["--engine=/no/engine"])
    _ = try nowhere.open()
    #expect(throws: PressFault.engineFailed("ended")) { try nowhere.extract() }
  }

  @Test(
    "makes pages of 6 x 9 inches with heads and numbers, and contents and links that lead there"
  )
  func flowing() throws {
    let long = String(repeating: Book.paragraph, count: 12)
    let book = Book(
      texts: [
        "<h1>Dusk</h1>\(long)<p><a href=\"t1.xhtml#mid dle\">onward</a></p>",
        "<h1>Dawn</h1>\(long)<p id=\"mid dle\">Here it is.</p>\(long)",
      ],
      contents: """
        <li><a href="text/t0.xhtml">Dusk</a></li>
        <li><a href="text/t1.xhtml">Dawn</a><ol><li><a href="text/t1.xhtml#mid%20dle">Noon</a></li>
        </ol></li>
        """
    )
    let (facts, pdf) = try laidOut(book)
    #expect(facts.title == "Night walks")
    #expect(facts.pages.allSatisfy { $0.width == 432 && $0.height == 648 })
    let outline = try pdf.outline()
    #expect(outline.map(\.title) == ["Dusk", "Dawn", "Noon"] && outline.map(\.depth) == [0, 0, 1])
    let (dawn, noon) = (try #require(outline[1].page), try #require(outline[2].page))
    #expect(outline[0].page == 0 && dawn > 3 && noon > dawn + 2)
    #expect(try text(pdf, dawn).contains("Dawn"))
    #expect(try text(pdf, noon).contains("Here it is."))
    let links = try pdf.content(dawn - 1).links
    #expect(links.map(\.target) == [.page(noon)])
    for page in facts.pages.indices {
      #expect(try text(pdf, page).hasSuffix("\(page + 1)"), "page \(page + 1) has its number")
    }
    // Left pages have the title of the book, and right ones that of the chapter.
    #expect(try text(pdf, 1).hasPrefix("Night walks"))
    #expect(try text(pdf, 2).hasPrefix("Dusk"))
    let left = dawn % 2 == 0 ? dawn + 1 : dawn + 2
    #expect(try text(pdf, left).hasPrefix("Night walks"))
    #expect(try text(pdf, left + 1).hasPrefix("Dawn"))
  }

  @Test("draws a page of a fixed layout at its size, with its picture and its words")
  func fixedPage() throws {
    let page = """
      <html xmlns="http://www.w3.org/1999/xhtml"><head><title>t</title>
      <meta name="viewport" content="width=400, height=300"/></head>
      <body style="margin:0"><img src="../img/a.png" alt="" style="width:200px;height:150px"/>
      <p style="position:absolute;left:20px;top:200px">Two boats.</p></body></html>
      """
    let fixed = "<meta property=\"rendition:layout\">pre-paginated</meta>"
    let book = Book(
      metadata: Book().metadata + fixed,
      texts: [page, page, page],
      references: ["", "properties=\"page-spread-left\"", "properties=\"page-spread-left\""],
      files: [Archives.Entry("OPS/img/a.png", Images.png(width: 30, height: 40))]
    )
    let (facts, pdf) = try laidOut(book)
    #expect(facts.pages.count == 4)
    // The engine rounds the size of a page to its own units.
    #expect(facts.pages.allSatisfy { abs($0.width - 300) < 0.5 && abs($0.height - 225) < 0.5 })
    #expect(
      try (0..<4).map { try text(pdf, $0) } == ["Two boats.", "Two boats.", "", "Two boats."]
    )
  }

  @Test("puts parts outside the reading order last, and names a part that cannot be shown")
  func aside() throws {
    let film = "<item id=\"film\" href=\"a.mp4\" media-type=\"video/mp4\"/>"
    var book = Book(
      texts: ["<p>Note.</p>", "<p>Chapter.</p>"],
      references: ["linear=\"no\""],
      manifest: film
    )
    let (_, pdf) = try laidOut(book)
    #expect(try text(pdf, 0).hasPrefix("Chapter."))
    #expect(try text(pdf, 1).hasPrefix("Note."))
    book.references = ["", "/><itemref idref=\"film\""]
    let other = try laidOut(book)
    #expect(other.facts.pages.count == 3)
    #expect(try text(other.pdf, 2).contains("a.mp4"))
  }

  @Test("shows the fallback of a part with scripts, and leads to it by the name of that part")
  func scripted() throws {
    func file(_ name: String, _ text: String) -> Archives.Entry {
      Archives.Entry("OPS/\(name)", Array(Book.document("<p>\(text)</p>").utf8))
    }
    let book = Book(
      texts: ["<p>First.</p>"],
      references: ["/><itemref idref=\"game\""],
      contents: "<li><a href=\"game.xhtml\"><img src=\"a.png\" alt=\"Game\"/></a></li>",
      files: [file("game.xhtml", "Press the button."), file("plain.xhtml", "Read the rules.")],
      manifest: """
        <item id="game" properties="scripted" href="game.xhtml" fallback="plain"
          media-type="application/xhtml+xml"/>
        <item id="plain" href="plain.xhtml" media-type="application/xhtml+xml"/>
        """
    )
    let pdf = try laidOut(book).pdf
    #expect(try text(pdf, 1).contains("Read the rules."))
    #expect(try pdf.outline() == [OutlineEntry(depth: 0, title: "Game", page: 1)])
  }

  @Test("lays a file out once, however many of its parts the package lists")
  func parts() throws {
    let items = (1...9).map { "<item id=\"p\($0)\" href=\"text/t0.xhtml#p\($0)\"/>" }
    let references = (1...9).map { "/><itemref idref=\"p\($0)\"" }
    let book = Book(
      texts: ["<p id=\"p1\">Once.</p>"],
      references: [references.joined()],
      manifest: items.joined()
    )
    #expect(try laidOut(book).facts.pages.count == 1)
  }

  @Test("says how many pages a text would have that is too long to print")
  func tooLong() throws {
    for text in [
      "<div style=\"height:1e6in\">Far.</div>",
      String(repeating: "<p style=\"break-before:page\">x</p>", count: 21_000),
    ] {
      let press = try PressProcess(Book(texts: [text]).bytes, [Book.engine])
      _ = try press.open()
      do {
        _ = try press.extract()
        Issue.record("laid out")
      } catch let fault as PressFault {
        guard case .tooManyPages(let count, limit: 5_000) = fault else {
          Issue.record("\(fault)")
          continue
        }
        #expect(count > 5_000)
      }
    }
  }

  @Test("gives a picture that is a fixed page its own size")
  func picturePage() throws {
    let book = Book(
      metadata: Book().metadata + "<meta property=\"rendition:layout\">pre-paginated</meta>",
      texts: ["<p>Words.</p>"],
      references: ["/><itemref idref=\"a\""],
      files: [Archives.Entry("OPS/a.png", Images.png(width: 400, height: 200))],
      manifest: "<item id=\"a\" href=\"a.png\" media-type=\"image/png\"/>"
    )
    let pages = try laidOut(book).facts.pages
    #expect(pages.count == 2 && abs(pages[1].width - 300) < 0.5 && abs(pages[1].height - 150) < 0.5)
  }

  @Test("shows the fallback of a picture whose type is not supported")
  func fallback() throws {
    let drawing = """
      <svg xmlns="http://www.w3.org/2000/svg" width="90" height="90"><text y="50">Boat</text></svg>
      """
    let book = Book(
      texts: ["<p>See:</p><img src=\"../a.psd\" alt=\"none\"/>"],
      files: [
        Archives.Entry("OPS/a.psd", Array("8BPS".utf8)),
        Archives.Entry("OPS/a.svg", Array(drawing.utf8)),
      ],
      manifest: """
        <item id="a" href="a.psd" media-type="image/vnd.adobe.photoshop" fallback="b"/>
        <item id="b" href="a.svg" media-type="image/svg+xml"/>
        """
    )
    #expect(try text(try laidOut(book).pdf, 0) == "See: Boat 1")
  }

  @Test("runs no script, and loads nothing from elsewhere")
  func hostile() throws {
    let secret = FileManager.default.temporaryDirectory.appending(path: "secret-\(UUID()).txt")
    try Data("SESAME".utf8).write(to: secret)
    defer { try? FileManager.default.removeItem(at: secret) }
    let page = """
      <html xmlns="http://www.w3.org/1999/xhtml"><head><title>t</title>
      <script>document.title = 'x'; document.write('SCRIPT')</script>
      <meta http-equiv="refresh" content="0;url=file://\(secret.path)"/>
      <style>@import url("file://\(secret.path)");</style></head>
      <body onload="document.body.append('HANDLER')"><p>Plain words.</p>
      <iframe src="file://\(secret.path)"/><object data="file://\(secret.path)"/>
      <img src="http://127.0.0.1:9/a.png" onerror="document.body.append('ERROR')"/>
      <embed src="file://\(secret.path)"/><svg xmlns="http://www.w3.org/2000/svg">
      <script>document.documentElement.append('SCRIPT')</script></svg></body></html>
      """
    let (facts, pdf) = try laidOut(Book(texts: [page]))
    #expect(facts.pages.count == 1)
    #expect(try text(pdf, 0) == "Plain words. 1")
  }

  @Test("leaves no process and no folder when the press is killed")
  func killed() throws {
    let before = try Self.leftovers()
    let press = try PressProcess(Book(texts: [Book.paragraph]).bytes, [Book.engine])
    _ = try press.open()
    _ = try press.extract()
    #expect(try Self.leftovers().count > before.count)
    press.send(signal: SIGKILL)
    _ = press.end()
    for _ in 0..<500 {
      if try Self.leftovers().isSubset(of: before) { return }
      usleep(10_000)
    }
    Issue.record("left over: \(try Self.leftovers().subtracting(before))")
  }

  /// The private folders of engines, and the processes that run in them.
  private static func leftovers() throws -> Set<String> {
    let files = FileManager.default
    let folders = try files.contentsOfDirectory(atPath: "/tmp").filter {
      $0.hasPrefix("lectern-engine-")
    }
    let processes = try files.contentsOfDirectory(atPath: "/proc").filter { name in
      guard Int(name) != nil else { return false }
      let command = try? Data(contentsOf: URL(fileURLWithPath: "/proc/\(name)/cmdline"))
      return command.map { String(decoding: $0, as: UTF8.self).contains("/lectern-engine-") }
        ?? false
    }
    return Set(folders + processes)
  }
}
