/// PDF documents for tests.
package enum PDFs {
  /// A page of a book.
  package struct Page {
    /// Entries of the page such as `/Rotate 90`; `/MediaBox` must be among them.
    package var entries: String
    /// Lines of text, from the upper left of an unrotated page of 300 x 400 points.
    package var lines: [String]

    /// Creates a page.
    package init(_ lines: [String] = [], entries: String = "/MediaBox [0 0 300 400]") {
      self.lines = lines
      self.entries = entries
    }
  }

  /// Returns a book whose pages contain `Page N of the book` and one unique word, `wordN`.
  ///
  /// - Parameters:
  ///   - pages: The number of pages.
  ///   - title: The title in its information; empty for none.
  /// - Returns: The file.
  package static func book(pages: Int, title: String = "") -> [UInt8] {
    make(
      (1...pages).map { Page(["Page \($0) of the book", "word\($0) and more"]) },
      info: title.isEmpty ? "" : "/Title (\(title)) /Author (A. Writer)"
    )
  }

  /// Returns a book with the given pages.
  ///
  /// - Parameters:
  ///   - pages: The pages.
  ///   - info: Entries of its information, such as `/Title (A book)`.
  ///   - catalog: Entries of its catalog; page N is object `4 + 2 N`.
  ///   - packet: Its XMP metadata; empty for none.
  ///   - objects: Other objects; of N pages, the first of them is object `4 + 2 N`.
  /// - Returns: The file.
  package static func make(
    _ pages: [Page],
    info: String = "",
    catalog: String = "",
    packet: [UInt8] = [],
    objects: [String] = []
  ) -> [UInt8] {
    var writer = PDFWriter()
    let root = writer.reserve()
    let tree = writer.reserve()
    let font = writer.add("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>")
    var numbers: [Int] = []
    for page in pages {
      numbers.append(writer.reserve())
      let stream = writer.add(stream: content(page.lines))
      writer.set(
        numbers[numbers.count - 1],
        "<< /Type /Page /Parent \(tree) 0 R /Contents \(stream) 0 R \(page.entries) "
          + "/Resources << /Font << /F \(font) 0 R >> >> >>"
      )
    }
    for object in objects { _ = writer.add(object) }
    let kids = numbers.map { "\($0) 0 R" }.joined(separator: " ")
    writer.set(tree, "<< /Type /Pages /Count \(numbers.count) /Kids [\(kids)] >>")
    let metadata =
      packet.isEmpty
      ? ""
      : "/Metadata \(writer.add(stream: packet, "/Type /Metadata /Subtype /XML")) 0 R"
    writer.set(root, "<< /Type /Catalog /Pages \(tree) 0 R \(catalog) \(metadata) >>")
    let facts = info.isEmpty ? "" : " /Info \(writer.add("<< \(info) >>")) 0 R"
    return writer.finished(trailer: "/Root \(root) 0 R\(facts)")
  }

  private static func content(_ lines: [String]) -> [UInt8] {
    let text = lines.enumerated().map { index, line in
      "BT /F 16 Tf 30 \(360 - 30 * index) Td (\(line)) Tj ET"
    }
    return Array(text.joined(separator: "\n").utf8)
  }

  /// Returns many pages that refer to the same object: a small file with an endless book.
  package static func endless(pages: Int) -> [UInt8] {
    var writer = PDFWriter()
    let root = writer.reserve()
    let tree = writer.reserve()
    var leaves: [String] = []
    // Each node contains 1,000 pages; a flat list would also work, but real books have trees.
    for start in stride(from: 0, to: pages, by: 1_000) {
      let leaf = writer.reserve()
      let kids = (start..<min(pages, start + 1_000)).map { _ in
        "\(writer.add("<< /Type /Page /Parent \(leaf) 0 R /MediaBox [0 0 9 9] >>")) 0 R"
      }
      writer.set(
        leaf,
        "<< /Type /Pages /Parent \(tree) 0 R /Count \(kids.count) "
          + "/Kids [\(kids.joined(separator: " "))] >>"
      )
      leaves.append("\(leaf) 0 R")
    }
    writer.set(
      tree,
      "<< /Type /Pages /Count \(pages) /Kids [\(leaves.joined(separator: " "))] >>"
    )
    writer.set(root, "<< /Type /Catalog /Pages \(tree) 0 R >>")
    return writer.finished(trailer: "/Root \(root) 0 R")
  }

  /// Returns pages of 300 x 400 points with the same content.
  /// - Parameters:
  ///   - content: The operators of each page.
  ///   - count: The number of pages.
  ///   - page: Other entries of each page.
  ///   - resources: Adds what the content names, and returns the entries of the resources.
  /// - Returns: The file.
  package static func drawn(
    _ content: String,
    count: Int = 1,
    page: String = "",
    resources: (inout PDFWriter) -> String
  ) -> [UInt8] {
    var writer = PDFWriter()
    let (root, tree) = (writer.reserve(), writer.reserve())
    let named = resources(&writer)
    let stream = writer.add(stream: Array(content.utf8))
    let pages = (0..<count).map { _ in
      writer.add(
        "<< /Type /Page /Parent \(tree) 0 R /Contents \(stream) 0 R "
          + "\(page) /Resources << \(named) >> >>"
      )
    }
    let kids = pages.map { "\($0) 0 R" }.joined(separator: " ")
    writer.set(
      tree,
      "<< /Type /Pages /Count \(count) /MediaBox [0 0 300 400] /Kids [\(kids)] >>"
    )
    writer.set(root, "<< /Type /Catalog /Pages \(tree) 0 R >>")
    return writer.finished(trailer: "/Root \(root) 0 R")
  }

  /// Returns one page that draws a form ten times, which draws another one ten times, and so on.
  package static func nestedForms(depth: Int) -> [UInt8] {
    drawn("/X Do") { writer in
      let box = "/Type /XObject /Subtype /Form /BBox [0 0 300 400]"
      var form = writer.add(stream: Array("0 0 9 9 re f".utf8), box)
      let ten = Array(String(repeating: "/X Do ", count: 10).utf8)
      for _ in 0..<depth {
        form = writer.add(stream: ten, "\(box) /Resources << /XObject << /X \(form) 0 R >> >>")
      }
      return "/XObject << /X \(form) 0 R >>"
    }
  }

  /// Returns one page that an image of grey or coloured noise covers.
  package static func noise(side: Int) -> [UInt8] {
    drawn("300 0 0 400 0 0 cm /X Do") { writer in
      let image = writer.add(
        stream: Images.noise(count: side * side * 3),
        "/Type /XObject /Subtype /Image /Width \(side) /Height \(side) /ColorSpace /DeviceRGB "
          + "/BitsPerComponent 8"
      )
      return "/XObject << /X \(image) 0 R >>"
    }
  }
}
