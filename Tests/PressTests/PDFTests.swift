import PressProtocol
import TestDocuments
import Testing

@Suite("A press with a PDF")
struct PDFTests {
  @Test("returns title, author, sizes as shown and page labels")
  func facts() throws {
    let pages = [
      PDFs.Page(["i"]), PDFs.Page(["1"], entries: "/MediaBox [0 0 300 400] /Rotate 90"),
      PDFs.Page(["2"], entries: "/MediaBox [0 0 300 400] /CropBox [50 100 250 400]"),
    ]
    let labels = "/PageLabels << /Nums [0 << /S /r >> 1 << /S /D /P (B-) >>] >>"
    let bytes = PDFs.make(
      pages,
      info: "/Title (Small \\(book\\)) /Author (A. Writer)",
      catalog: labels
    )
    let facts = try PressProcess(bytes).open()
    #expect(facts.format == .pdf)
    #expect(facts.title == "Small (book)")
    #expect(facts.author == "A. Writer")
    #expect(!facts.needsExtraction)
    #expect(
      facts.pages == [
        PageFacts(width: 300, height: 400, label: "i"),
        PageFacts(width: 400, height: 300, label: "B-1"),
        PageFacts(width: 200, height: 300, label: "B-2"),
      ]
    )
  }

  @Test("finds what was filled into a form, at its place; not a password")
  func formFields() throws {
    let fields = [
      ("/FT /Ch /Ff 131072 /Opt [(red) (green)] /V (green)", 100),
      ("/FT /Tx /V (Ada Marsh)", 300), ("/FT /Tx /Ff 8192 /V (secret)", 200), ("/FT /Tx", 50),
    ].map { field, bottom in
      "<< /Type /Annot /Subtype /Widget /T (f\(bottom)) \(field)"
        + " /Rect [60 \(bottom) 240 \(bottom + 20)] >>"
    }
    let list = fields.indices.map { "\(6 + $0) 0 R" }.joined(separator: " ")
    let page = PDFs.Page([], entries: "/MediaBox [0 0 300 400] /Annots [\(list)]")
    let form = "/AcroForm << /Fields [\(list)] >>"
    let press = try PressProcess(PDFs.make([page], catalog: form, objects: fields))
    _ = try press.open()
    let content = try press.content(0)
    #expect(content.text.split(whereSeparator: \.isWhitespace) == ["Ada", "Marsh", "green"])
    let box = try #require(content.words.first?.box)
    #expect(abs(box.x0 - 0.2) < 0.01 && abs(box.y0 - 0.2) < 0.01 && abs(box.y1 - 0.25) < 0.01)
  }

  @Test("returns the table of contents with pages")
  func outline() throws {
    // Pages are objects 4, 6 and 8; the outline's objects follow by hand.
    var writer = PDFWriter()
    let root = writer.reserve()
    let tree = writer.reserve()
    let pages = (0..<3).map { _ in
      writer.add("<< /Type /Page /Parent \(tree) 0 R /MediaBox [0 0 300 400] >>")
    }
    let outlines = writer.reserve()
    let first = writer.reserve()
    let inner = writer.reserve()
    let last = writer.reserve()
    writer.set(outlines, "<< /First \(first) 0 R /Last \(last) 0 R /Count 2 >>")
    writer.set(
      first,
      "<< /Title (One) /Parent \(outlines) 0 R /Next \(last) 0 R /First \(inner) 0 R "
        + "/Last \(inner) 0 R /Count 1 /Dest [\(pages[0]) 0 R /Fit] >>"
    )
    writer.set(inner, "<< /Title (One, inside) /Parent \(first) 0 R /Dest (far) >>")
    writer.set(
      last,
      "<< /Title (Elsewhere) /Parent \(outlines) 0 R /Prev \(first) 0 R "
        + "/A << /S /URI /URI (http://example.org) >> >>"
    )
    let kids = pages.map { "\($0) 0 R" }.joined(separator: " ")
    writer.set(tree, "<< /Type /Pages /Count 3 /Kids [\(kids)] >>")
    writer.set(
      root,
      "<< /Type /Catalog /Pages \(tree) 0 R /Outlines \(outlines) 0 R "
        + "/Names << /Dests << /Names [(far) [\(pages[2]) 0 R /Fit]] >> >> >>"
    )
    let press = try PressProcess(writer.finished(trailer: "/Root \(root) 0 R"))
    _ = try press.open()
    #expect(
      try press.outline() == [
        OutlineEntry(depth: 0, title: "One", page: 0),
        OutlineEntry(depth: 1, title: "One, inside", page: 2),
        OutlineEntry(depth: 0, title: "Elsewhere", page: nil),
      ]
    )
  }

  @Test(
    "finds each word where it is, however the page is rotated and cropped",
    arguments: [
      ("/MediaBox [0 0 300 400]", 0.1, 0.1), ("/MediaBox [0 0 300 400] /Rotate 90", 0.9, 0.1),
      ("/MediaBox [0 0 300 400] /Rotate 180", 0.9, 0.9),
      ("/MediaBox [0 0 300 400] /Rotate 270", 0.1, 0.9),
      ("/MediaBox [0 0 300 400] /CropBox [30 360 300 400]", 0.0, 1.0),
    ]
  )
  func words(_ entries: String, _ x: Double, _ y: Double) throws {
    let press = try PressProcess(PDFs.make([PDFs.Page(["Alpha beta"], entries: entries)]))
    _ = try press.open()
    let content = try press.content(0)
    let words = content.words.map { word in
      String(
        decoding: Array(content.text.utf8)[word.start..<(word.start + word.length)],
        as: UTF8.self
      )
    }
    #expect(words == ["Alpha", "beta"])
    let box = try #require(content.words.first).box
    // The first word begins 30 points from the left and 40 from the top of the visible page.
    #expect(min(abs(box.x0 - x), abs(box.x1 - x)) < 0.06, "\(box.x0) \(box.x1)")
    #expect(min(abs(box.y0 - y), abs(box.y1 - y)) < 0.06, "\(box.y0) \(box.y1)")
  }

  @Test(
    "finds links and the pages to which they lead",
    arguments: ["", "/Rotate 90", "/CropBox [0 0 300 400]"]
  )
  func links(_ entries: String) throws {
    let inner = "<< /Type /Annot /Subtype /Link /Rect [30 300 90 340] /Dest [6 0 R /Fit] >>"
    let outer =
      "<< /Type /Annot /Subtype /Link /Rect [0 0 30 40] /A << /S /URI /URI (http://a.example/) >> >>"
    let page = PDFs.Page(entries: "/MediaBox [0 0 300 400] \(entries) /Annots [\(inner) \(outer)]")
    let press = try PressProcess(PDFs.make([page, PDFs.Page()]))
    _ = try press.open()
    let links = try press.content(0).links
    let isTurned = entries.contains("Rotate")
    let box =
      isTurned
      ? Box(x0: 0.75, y0: 0.1, x1: 0.85, y1: 0.3) : Box(x0: 0.1, y0: 0.15, x1: 0.3, y1: 0.25)
    #expect(links.count == 2)
    for link in links {
      switch link.target {
      case .page(let page):
        #expect(page == 1)
        #expect(abs(link.box.x0 - box.x0) < 1e-3 && abs(link.box.y0 - box.y0) < 1e-3)
        #expect(abs(link.box.x1 - box.x1) < 1e-3 && abs(link.box.y1 - box.y1) < 1e-3)
      case .uri(let uri): #expect(uri == "http://a.example/")
      }
    }
  }

  @Test("truncates words and links at the limits and reports it")
  func limits() throws {
    let annotation = "<< /Type /Annot /Subtype /Link /Rect [0 0 9 9] /Dest [4 0 R /Fit] >>"
    let annotations = String(repeating: annotation, count: 9)
    let page = PDFs.Page(
      ["one two three four"],
      entries: "/MediaBox [0 0 300 400] /Annots [\(annotations)]"
    )
    let press = try PressProcess(PDFs.make([page]), ["--words=2", "--links=5"])
    _ = try press.open()
    let content = try press.content(0)
    #expect(content.words.count == 2)
    #expect(content.links.count == 5)
    #expect(content.text.hasPrefix("one two"))
    #expect(!content.text.contains("three"))
    #expect(content.cut)
  }

  @Test("renders pages at a height: text without loss, photographs as JPEG")
  func rendering() throws {
    let text = try PressProcess(PDFs.book(pages: 2))
    _ = try text.open()
    let page = try text.render(1, 800)
    #expect((page.width, page.height) == (600, 800))
    #expect(page.mediaType == .webp)
    #expect(page.kind == .text)
    #expect(page.bytes.starts(with: "RIFF".utf8))
    #expect(try text.render(1, 800, .idle).bytes.count <= page.bytes.count)

    let photo = try PressProcess(PDFs.noise(side: 400))
    _ = try photo.open()
    let picture = try photo.render(0, 400)
    #expect(picture.mediaType == .jpeg)
    #expect(picture.kind == .picture)
    #expect(picture.bytes.starts(with: [0xFF, 0xD8]))
  }

  @Test("keeps the aspect within the limits of a rendition")
  func keepsAspect() throws {
    let wide = PDFs.Page(entries: "/MediaBox [0 0 4000 300]")
    let press = try PressProcess(PDFs.make([wide]), ["--output-pixels=1000000"])
    _ = try press.open()
    let page = try press.render(0, 3_200)
    #expect(page.width * page.height <= 1_000_000)
    #expect(abs(Double(page.width) / Double(page.height) - 40.0 / 3) < 0.1)
  }

  @Test("names a form that only Adobe's programs can show, but opens one with pages of its own")
  func dynamicForm() throws {
    func form(_ catalog: String) throws -> Int {
      try PressProcess(PDFs.make([PDFs.Page(["Please wait"])], catalog: catalog)).open().pages.count
    }
    #expect(throws: PressFault.dynamicForm) {
      try form("/NeedsRendering true /AcroForm << /XFA (x) /Fields [] >>")
    }
    #expect(try form("/AcroForm << /XFA (x) /Fields [] >>") == 1)
    #expect(try form("/NeedsRendering true") == 1)
  }

  @Test("draws text in a font that the document names but does not contain")
  func namedFont() throws {
    let font = """
      << /Type /Font /Subtype /Type0 /BaseFont /HeiseiMin-W3 /Encoding /UniJIS-UCS2-H
      /DescendantFonts [<< /Type /Font /Subtype /CIDFontType0 /BaseFont /HeiseiMin-W3
      /CIDSystemInfo << /Registry (Adobe) /Ordering (Japan1) /Supplement 2 >>
      /FontDescriptor << /Type /FontDescriptor /FontName /HeiseiMin-W3 /Flags 4
      /FontBBox [0 -200 1000 900] /ItalicAngle 0 /Ascent 800 /Descent -200 /StemV 80 >> >>] >>
      """
    let document = PDFs.drawn("BT /F 40 Tf 30 200 Td <65E5672C8A9E> Tj ET") { writer in
      "/Font << /F \(writer.add(font)) 0 R >>"
    }
    let press = try PressProcess(document, ["--check-fonts"])
    _ = try press.open()
    #expect(try press.content(0).text.contains("日本語"))
    // A blank page of this size has 60 bytes.
    #expect(try press.render(0, 400).bytes.count > 400)
  }
}
