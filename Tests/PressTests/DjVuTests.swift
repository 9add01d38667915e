import PressProtocol
import TestDocuments
import Testing

@Suite("A press with a DjVu document")
struct DjVuTests {
  @Test("reads the sizes of its pages in points, its outline and its text")
  func contents() throws {
    let press = try PressProcess(Vectors.djvu)
    let facts = try press.open()
    #expect(facts.format == .djvu)
    #expect(facts.pages == [PageFacts](repeating: PageFacts(width: 144, height: 192), count: 2))
    let outline = try press.outline()
    #expect(outline.map(\.title) == ["Harbour", "Quay"])
    #expect(outline.map(\.depth) == [0, 1] && outline.map(\.page) == [0, 1])
    let content = try press.content(0)
    // The word that is parted at the end of its line is whole again, with a box in each line.
    #expect(content.text.split(whereSeparator: \.isWhitespace) == ["Quiet", "harbour", "lights"])
    #expect(content.words.count == 4)
    let box = try #require(content.words.first).box
    #expect(
      abs(Double(box.left) / 65_535 - 0.1) < 0.01 && abs(Double(box.top) / 65_535 - 0.1) < 0.01
    )
    #expect(try press.content(1) == PageContent())
  }

  @Test("draws a page at the requested height")
  func drawing() throws {
    let press = try PressProcess(Vectors.djvu)
    _ = try press.open()
    let page = try press.render(0, 200)
    #expect((page.width, page.height) == (150, 200))
    #expect(try press.render(1, 200).bytes.count < page.bytes.count)
  }

  @Test("reports a document that is cut off, whatever is left of it")
  func cut() throws {
    for count in [16, 100, 300, Vectors.djvu.count / 2] {
      let press = try PressProcess(Array(Vectors.djvu.prefix(count)))
      #expect(throws: PressFault.self) {
        let facts = try press.open()
        for page in facts.pages.indices { _ = try press.render(page, 100) }
      }
    }
  }
}
