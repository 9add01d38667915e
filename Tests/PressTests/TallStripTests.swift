import PressProtocol
import TestDocuments
import Testing

@Suite("Strips that are much higher than wide")
struct TallStripTests {
  private static let quiet = [440..<460, 910..<930, 1390..<1400]

  @Test("are cut into pages where their rows are quiet, and the pages after them follow")
  func cuts() throws {
    let info = """
      <ComicInfo><Pages><Page Image="1" Bookmark="After the strip"/></Pages></ComicInfo>
      """
    let archive = Archives.make([
      Archives.Entry("1.png", Images.striped(width: 300, height: 1900, quiet: Self.quiet)),
      Archives.Entry("2.png", Images.png(width: 300, height: 400)),
      Archives.Entry("ComicInfo.xml", Array(info.utf8)),
    ])
    let press = try PressProcess(archive)
    _ = try press.open()
    let (facts, assets) = try press.extract()
    let strip = assets.filter { $0.page == 0 }.sorted { $0.part < $1.part }
    #expect(strip.map(\.part) == Array(0..<4) && strip.allSatisfy { $0.facts.format == .jpeg })
    var end = 0
    for (part, rows) in zip(strip, Self.quiet) {
      end += part.facts.height
      #expect(rows.contains(end), "the end at row \(end)")
    }
    #expect(strip.map(\.facts.height).reduce(0, +) == 1900)
    #expect(facts.pages.count == 5 && facts.pages.last == PageFacts(width: 300, height: 400))
    #expect(try press.outline().map(\.page) == [4])
  }

  @Test("stay whole if they are narrow, or not much higher than wide")
  func whole() throws {
    for (width, height) in [(100, 2000), (300, 890)] {
      let image = Images.striped(width: width, height: height, quiet: [])
      let press = try PressProcess(Archives.make([Archives.Entry("1.png", image)]))
      _ = try press.open()
      #expect(try press.extract().assets.map(\.bytes) == [image])
    }
  }

  @Test("are cut as images of their own, too; an image that is no strip needs no extraction")
  func single() throws {
    let strip = Images.striped(width: 300, height: 1900, quiet: Self.quiet)
    let press = try PressProcess(strip)
    #expect(try press.open().needsExtraction)
    let (facts, assets) = try press.extract()
    #expect(assets.map(\.part) == [0, 1, 2, 3] && assets.allSatisfy { $0.page == 0 })
    #expect(facts.pages.map(\.height) == assets.map { Double($0.facts.height) })
    #expect(try PressProcess(Images.png(width: 300, height: 400)).open().pages.count == 1)
  }
}
