import PressProtocol
import TestDocuments
import Testing

@testable import Library

@Suite("Pages that are not the files of a folder as they are")
struct FolderPagesTests {
  let folder = TemporaryFolder()
  let data = TemporaryFolder()

  private func pages(_ library: BookLibrary, _ title: String) throws -> [PageRow] {
    let key = try library.known(try #require(library.named(title)).id).key
    return try library.storage.store.read { try $0.pages.all(of: key) }
  }

  /// Writes a strip that a press cuts into parts.
  private func writeStrip(_ name: String, parts: [Int]) throws {
    let lines = parts.enumerated().map { "\nimage 300 \($1) \($0) part" }
    let bytes = ImageHeads.png(300, 1_200) + Array(lines.joined().utf8)
    try folder.write(name, bytes)
  }

  @Test("a strip in a folder is cut into pages, with its text on the first of them")
  func strips() throws {
    try folder.write("C/B/1.png", ImageHeads.png(300, 400))
    try writeStrip("C/B/2.png", parts: [500, 450, 250])
    try folder.write("C/B/3.png", ImageHeads.png(300, 400))
    let words = ["one", "two", "three"].map { "{\"text\": \"\($0)\"}" }.joined(separator: ",")
    try folder.write("C/B/words.json", Array("[\(words)]".utf8))
    let library = try Shelves.open(folder, data: data)
    let found = try pages(library, "B")
    #expect(found.map(\.height) == [400, 500, 450, 250, 400])
    #expect(found.map { $0.asset != nil } == [false, true, true, true, false])
    #expect(library.named("B")?.pages == 5 && library.named("B")?.searchable == 5)
    let key = try library.known(try #require(library.named("B")).id).key
    let texts = try (0..<5).map { page in
      try library.storage.store.read { try $0.pages.content(page: page, of: key)?.text }
    }
    #expect(texts == ["one", "two", "", "", "three"])
  }

  @Test("a strip that stays whole, or cannot be read, is one page; a narrow one is never cut")
  func whole() throws {
    try writeStrip("C/B/1.png", parts: [1_200])
    try writeStrip("C/B/2.png", parts: [])
    try folder.write("C/B/3.png", ImageHeads.png(30, 400))
    let library = try Shelves.open(folder, data: data)
    #expect(try pages(library, "B").map(\.height) == [1_200, 1_200, 400])
    #expect(try pages(library, "B").allSatisfy { $0.asset == nil && $0.fault == nil })
  }

  @Test("an import copies the pages of a strip, and the other images")
  func imported() throws {
    try folder.write("1.png", ImageHeads.png(300, 400))
    try writeStrip("2.png", parts: [700, 500])
    let library = try Shelves.open(data: data)
    let book = try library.importFile(folder.path, name: "Comic")
    let key = try library.known(book.id).key
    let found = try library.storage.store.read { try $0.pages.all(of: key) }
    #expect(found.map(\.height) == [400, 700, 500] && found.allSatisfy { $0.asset != nil })
  }

  @Test("an image that must be turned is drawn, and has the size that it then has")
  func turned() throws {
    let image = ImageHeads.webpExtended(300, 400, flags: 8)
    try folder.write("C/B/1.webp", image + Array("\nturned".utf8))
    try folder.write("C/B/2.webp", ImageHeads.webpExtended(300, 400))
    let found = try pages(try Shelves.open(folder, data: data), "B")
    #expect(found.map(\.format) == [nil, "webp"] && found.map(\.width) == [400, 300])
  }
}
