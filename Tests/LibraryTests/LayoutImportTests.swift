import Foundation
import Notices
import PressProtocol
import Synchronization
import TestDocuments
import Testing

@testable import Library

@Suite("Books whose pages are laid out")
struct LayoutImportTests {
  private static let book = FakeDocument("novel").with("title Walks")
    .with("laid page 432 648").with("laid page 432 648").with("laid outline 0 1 Dawn")
    .with("laid text 0 quiet harbour").with("laid text 1 morning")

  @Test("are read from the stored pages, also after the import, and laid out once")
  func reading() throws {
    let (folder, data, press) = (TemporaryFolder(), TemporaryFolder(), FakePress())
    try folder.write("Walks.epub", Self.book.bytes)
    for _ in 0..<2 {
      let library = try Shelves.open(folder, data: data, press: press, worksAhead: true)
      let book = try #require(library.named("Walks"))
      #expect(book.pages == 2 && book.format == "epub" && book.state == .ready)
      #expect(try library.outline(of: book.id).map(\.title) == ["Dawn"])
      library.finishWork(atMost: 30)
      #expect(try library.page(0, of: book.id).content.text.contains("harbour"))
      #expect(try library.search("morning").map(\.page) == [1])
      library.stop()
    }
    #expect(press.state.withLock(\.layouts) == 1)
  }

  @Test("are read again when the engine is there that was missing, by the codes of all versions")
  func retry() throws {
    let stored = [
      Notice(.engineMissing).stored, #"{"code":"reflowable"}"#, #"{"code":"fixedLayout"}"#,
    ]
    for text in stored { #expect(Notice(stored: text).code == .engineMissing) }
    let (folder, press) = (TemporaryFolder(), FakePress())
    press.state.withLock { $0.faults = [.engineMissing] }
    try folder.write("Walks.epub", Self.book.bytes)
    let library = try Shelves.open(folder, press: press)
    let failed = try #require(library.books().first)
    #expect(failed.failure?.code == .engineMissing && failed.mayRetry)
    try library.retry(failed.id)
    #expect(library.named("Walks")?.pages == 2)
  }
}
