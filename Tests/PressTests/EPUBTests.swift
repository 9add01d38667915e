import PressProtocol
import TestDocuments
import Testing

@Suite("A press with an EPUB")
struct EPUBTests {
  private static let files = (0..<3).map { index in
    Archives.Entry("OPS/img/b \(2 - index).png", Images.png(width: 30, height: 40 + index))
  }
  private static let images = (0..<3).map { "<img src=\"../img/b%20\(2 - $0).png\" alt=\"\"/>" }
  private static let metadata = """
    <dc:title> Boats </dc:title><dc:creator>A</dc:creator><dc:creator>B</dc:creator>
    <dc:language>ja</dc:language><meta property="rendition:layout">pre-paginated</meta>
    """

  @Test("reads fixed pages in the order of the spine")
  func fixedPages() throws {
    let navigation = """
      <html xmlns:epub="http://www.idpf.org/2007/ops"><body><nav epub:type="toc"><ol>
      <li><a href="text/p1.xhtml#a">Harbour</a></li></ol></nav></body></html>
      """
    let epub = Archives.epub(
      pages: Self.images,
      metadata: Self.metadata,
      progression: "page-progression-direction=\"rtl\"",
      files: Self.files + [Archives.Entry("OPS/nav.xhtml", Array(navigation.utf8))]
    )
    let press = try PressProcess(epub)
    let facts = try press.open()
    #expect(facts.format == .epub)
    #expect(facts.title == "Boats")
    #expect(facts.author == "A, B")
    #expect(facts.language == "ja")
    #expect(facts.direction == .rightToLeft)
    #expect(try press.outline() == [OutlineEntry(depth: 0, title: "Harbour", page: 1)])
    let assets = try press.extract().assets
    #expect(assets.map(\.name) == ["OPS/img/b 2.png", "OPS/img/b 1.png", "OPS/img/b 0.png"])
    #expect(assets.map(\.facts.height) == [40, 41, 42])
  }

  @Test("reads images in SVG, and books that do not state their layout")
  func imagesInSVG() throws {
    let drawing = """
      <svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink">
      <image xlink:href="../img/b%200.png"/></svg>
      """
    let press = try PressProcess(Archives.epub(pages: [drawing], files: Self.files))
    _ = try press.open()
    #expect(try press.extract().assets.map(\.name) == ["OPS/img/b 0.png"])
  }

  @Test("never shows an image without the words beside it, in no kind of layout")
  func words() throws {
    for metadata in [Self.metadata, ""] {
      for text in [Self.images[0] + "<p>Two.</p>", "<p>Night.</p>", Self.images.joined()] {
        let epub = Archives.epub(pages: [text], metadata: metadata, files: Self.files)
        let press = try PressProcess(epub)
        #expect(try press.open().isLaidOut)
        #expect(throws: PressFault.engineMissing) { try press.extract() }
      }
    }
  }

  @Test("reads the contents of EPUB 2, with their levels, if there are no others")
  func oldContents() throws {
    let map = """
      <ncx xmlns="http://www.daisy.org/z3986/2005/ncx/"><navMap>
      <navPoint><navLabel><text> Harbour </text></navLabel><content src="text/p0.xhtml"/>
      <navPoint><navLabel><text>Quay</text></navLabel><content src="text/p2.xhtml#x"/></navPoint>
      </navPoint><navPoint><navLabel><text>Lost</text></navLabel><content src="no.xhtml"/>
      </navPoint></navMap></ncx>
      """
    let epub = Archives.epub(
      pages: Self.images,
      metadata: Self.metadata,
      progression: "toc=\"ncx\"",
      manifest: "<item id=\"ncx\" href=\"toc.ncx\"/>",
      files: Self.files + [Archives.Entry("OPS/toc.ncx", Array(map.utf8))]
    )
    let press = try PressProcess(epub)
    _ = try press.open()
    let outline = try press.outline()
    #expect(outline.map(\.title) == ["Harbour", "Quay", "Lost"])
    #expect(outline.map(\.depth) == [0, 1, 0] && outline.map(\.page) == [0, 2, nil])
  }

  @Test("rejects a book with DRM, but not one with obfuscated fonts")
  func rejectsDRM() throws {
    func book(_ algorithm: String) throws -> DocumentFacts {
      let locks = """
        <encryption xmlns:enc="http://www.w3.org/2001/04/xmlenc#"><enc:EncryptedData>
        <enc:EncryptionMethod Algorithm="\(algorithm)"/></enc:EncryptedData></encryption>
        """
      let file = Archives.Entry("META-INF/encryption.xml", Array(locks.utf8))
      return try PressProcess(
        Archives.epub(pages: Self.images, metadata: Self.metadata, files: Self.files + [file])
      ).open()
    }
    #expect(throws: PressFault.protected) {
      try book("http://www.w3.org/2001/04/xmlenc#aes128-cbc")
    }
    #expect(try book("http://www.idpf.org/2008/embedding").title == "Boats")
  }

  @Test("reports that an EPUB without its parts is damaged")
  func missingParts() throws {
    let broken = Archives.make([
      Archives.Entry("mimetype", Array("application/epub+zip".utf8)),
      Archives.Entry("META-INF/container.xml", Array("<container/>".utf8)),
    ])
    #expect(throws: PressFault.damaged(.epub)) { try PressProcess(broken).open() }
  }
}
