import PressProtocol
import TestDocuments
import Testing

/// An EPUB that must be laid out, with any parts.
struct Book {
  static let engine = "--engine=/usr/lib/chromium/chromium-headless-shell"

  var metadata = "<dc:title>Night walks</dc:title><dc:language>en</dc:language>"
  /// The bodies of the texts, or whole documents.
  var texts: [String] = []
  /// The attributes of the references to the texts in the spine.
  var references: [String] = []
  var contents = ""
  var files: [Archives.Entry] = []
  var manifest = ""
  var progression = ""

  var bytes: [UInt8] {
    let items = texts.indices.map {
      "<item id=\"t\($0)\" href=\"text/t\($0).xhtml\" media-type=\"application/xhtml+xml\"/>"
    }
    let spine = texts.indices.map { index in
      let extra = references.indices.contains(index) ? references[index] : ""
      return "<itemref idref=\"t\(index)\" \(extra)/>"
    }
    let package = """
      <package xmlns="http://www.idpf.org/2007/opf" xmlns:dc="http://purl.org/dc/elements/1.1/"
      unique-identifier="id"><metadata>\(metadata)</metadata><manifest>\(items.joined())\(manifest)
      <item id="nav" properties="nav" href="nav.xhtml" media-type="application/xhtml+xml"/>
      </manifest><spine \(progression)>\(spine.joined())</spine></package>
      """
    let container = """
      <container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>
      <rootfile full-path="OPS/book.opf"/></rootfiles></container>
      """
    let navigation = """
      <html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops"><body>
      <nav epub:type="toc"><ol>\(contents)</ol></nav></body></html>
      """
    return Archives.make(
      [
        Archives.Entry("mimetype", Array("application/epub+zip".utf8)),
        Archives.Entry("META-INF/container.xml", Array(container.utf8)),
        Archives.Entry("OPS/book.opf", Array(package.utf8)),
        Archives.Entry("OPS/nav.xhtml", Array(navigation.utf8)),
      ]
        + texts.enumerated().map { index, text in
          Archives.Entry("OPS/text/t\(index).xhtml", Array(Self.document(text).utf8))
        } + files
    )
  }

  static func document(_ text: String) -> String {
    if text.hasPrefix("<html") { return text }
    return """
      <?xml version="1.0"?><!DOCTYPE html>
      <html xmlns="http://www.w3.org/1999/xhtml"><head><title>t</title></head>
      <body>\(text)</body></html>
      """
  }

  static let paragraph =
    "<p>" + String(repeating: "It was a dark and stormy night. ", count: 40) + "</p>"
}

/// Lays a book out and opens the PDF.
func laidOut(
  _ book: Book,
  _ size: TypeSize = .standard
) throws -> (facts: DocumentFacts, pdf: PressProcess) {
  let press = try PressProcess(book.bytes, [Book.engine])
  let opened = try press.open()
  #expect(opened.needsExtraction && opened.isLaidOut && opened.pages.isEmpty)
  let (facts, assets) = try press.extract(size)
  #expect(assets.count == 1 && facts.format == .epub)
  let pdf = try PressProcess(try #require(assets.first).bytes)
  #expect(try pdf.open().pages.count == facts.pages.count)
  return (facts, pdf)
}

/// Returns the text of a page, with one space between words.
func text(_ pdf: PressProcess, _ page: Int) throws -> String {
  try pdf.content(page).text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
}
