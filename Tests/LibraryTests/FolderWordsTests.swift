import Foundation
import PressProtocol
import TestDocuments
import Testing

@testable import Library

@Suite("words.json in a folder of images")
struct FolderWordsTests {
  private let folder = TemporaryFolder()

  @Test("the words of the file are found, with their boxes on the page")
  func found() throws {
    try folder.write("C/B/1.png", ImageHeads.png(3, 4))
    try folder.write("C/B/2.png", ImageHeads.png(3, 4))
    let pages = #"""
      [{"text": "A cover"},
       {"text": "The walrus\nsings on", "words": [[0.1, 0.2, 0.3, 0.25, "The"],
        [0.35, 0.2, 0.6, 0.25, "walrus"], [0, 0, 1, 1, "nowhere"], [0.1, 0.3, 0.4, 0.35, "sings"]]},
       {"text": "beyond the last page walrus"}]
      """#
    try folder.write("C/B/words.json", Array(pages.utf8))
    let library = try Shelves.open(folder)
    let hits = try library.search("walrus")
    #expect(hits.map(\.page) == [1] && hits.map(\.label) == ["2"])
    #expect(hits.first?.boxes == [Box(x0: 0.35, y0: 0.2, x1: 0.6, y1: 0.25)])
    #expect(try library.search("nowhere").isEmpty)
    let book = try #require(library.books().first)
    #expect(try library.page(1, of: book.id).content.words.count == 3)
    #expect(try library.words(of: book.id) == .all && library.notes.isEmpty)
  }

  @Test("a book without the file is readable and has no text to search")
  func none() throws {
    try folder.write("C/B/1.png", ImageHeads.png(3, 4))
    let library = try Shelves.open(folder)
    let book = try #require(library.books().first)
    #expect(try library.words(of: book.id) == .pictures)
  }

  @Test(
    "an invalid file is reported and ignored, and the book stays readable",
    arguments: [
      "", "{", "[1]", "[{\"words\": [[1, 2, 3]]}]", "[{\"text\": 7}]", "{\"text\": \"x\"}",
    ]
  )
  func nonsense(text: String) throws {
    try folder.write("C/B/1.png", ImageHeads.png(3, 4))
    try folder.write("C/B/words.json", Array(text.utf8))
    let library = try Shelves.open(folder)
    let book = try #require(library.books().first)
    #expect(book.state == .ready)
    #expect(library.notes.contains { $0.contains("words.json") } || text.isEmpty)
  }

  @Test("matching words to the text takes linear time")
  func cost() throws {
    let letters = String(repeating: "a ", count: 200_000)
    let words = [String](repeating: "[0,0,1,1,\"b\"]", count: 30_000).joined(separator: ",")
    let pages = "[{\"text\": \"\(letters)\", \"words\": [\(words)]}]"
    let contents = try FolderWords.contents(Array(pages.utf8), pages: 5)
    #expect(contents.count == 1 && contents[0].words.isEmpty)
    let edges = "[{\"text\": \"x\", \"words\": [[-1e300, 1e300, 0, -0, \"x\"]]}]"
    #expect(try FolderWords.contents(Array(edges.utf8), pages: 1)[0].words.count == 1)
    #expect(try FolderWords.contents(Array(edges.utf8), pages: 0).isEmpty)
  }
}
