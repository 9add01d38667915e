import PressProtocol
import TestDocuments
import Testing

@Suite("A press that lays out a text")
struct TextLayoutTests {
  private func laidOut(_ text: [UInt8]) throws -> (facts: DocumentFacts, pdf: PressProcess) {
    let press = try PressProcess(text, ["--engine=/usr/lib/chromium/chromium-headless-shell"])
    #expect(try press.open().isLaidOut)
    let (facts, assets) = try press.extract()
    let pdf = try PressProcess(try #require(assets.first).bytes)
    _ = try pdf.open()
    return (facts, pdf)
  }

  @Test("plain text has paragraphs, poems and chapters")
  func plain() throws {
    let line = "The harbour lay quiet under a sky of lead, and nobody"
    let text = """
      Title: Night Walks
      Author: A. Reader

      CHAPTER I.

      \(line)
      spoke a word.

      CHAPTER II.

      Roses are red,
      Violets are blue.
      """
    let (facts, pdf) = try laidOut(Array(text.replacing("\n", with: "\r\n").utf8))
    #expect(facts.format == .text && facts.title == "Night Walks" && facts.author == "A. Reader")
    #expect(try pdf.outline().map(\.title) == ["CHAPTER I.", "CHAPTER II."])
    let pages = try facts.pages.indices.map { try pdf.content($0).text }
    let words = pages.joined(separator: " ").split(whereSeparator: \.isWhitespace)
    #expect(words.joined(separator: " ").contains(line + " spoke a word."))
    #expect(pages.contains { $0.contains("red,\n") })
  }

  @Test("Markdown has its headings, emphasis and tables, and its HTML is text")
  func markdown() throws {
    let text = """
      # Walks

      A *quiet* night.

      ## Dawn

      | a | b |
      |---|---|
      | 1 | 2 |

      <script>x</script>
      """
    let (facts, pdf) = try laidOut(Array(text.utf8))
    #expect(facts.title == "Walks")
    #expect(try pdf.outline().map(\.title) == ["Walks", "Dawn"])
    #expect(try pdf.content(0).text.contains("quiet"))
    #expect(try pdf.content(facts.pages.count - 1).text.contains("<script>"))
  }

  @Test("text in UTF-16 and in Windows-1252 keeps its letters")
  func encodings() throws {
    let text = "Größe – “naïve”"
    var wide: [UInt8] = [0xFF, 0xFE]
    for unit in text.utf16 { wide += [UInt8(unit & 255), UInt8(unit >> 8)] }
    let narrow: [UInt8] = [
      0x47, 0x72, 0xF6, 0xDF, 0x65, 0x20, 0x96, 0x20, 0x93, 0x6E, 0x61, 0xEF, 0x76, 0x65, 0x94,
    ]
    for bytes in [wide, narrow] {
      let (_, pdf) = try laidOut(bytes)
      #expect(try pdf.content(0).text.hasPrefix(text))
    }
  }
}
