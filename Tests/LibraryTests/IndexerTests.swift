import Foundation
import PressProtocol
import Synchronization
import Testing

@testable import Library

@Suite("Indexer")
struct IndexerTests {
  private let data = TemporaryFolder()
  private let folder = TemporaryFolder()
  private let press = FakePress()

  private func library() throws -> Library { try Shelves.open(data: data, press: press) }

  @discardableResult
  private func add(_ name: String, to library: Library) throws -> BookRecord {
    let file = try folder.write("\(name).pdf", FakeDocument(texts: ["whale"]).with("title \(name)"))
    return try library.importFile(file, name: "\(name).pdf")
  }

  private func indexer(
    of library: Library,
    retrySeconds: Double = 3600,
    thumb: @escaping @Sendable (BookRow, Int) -> Bool = { _, _ in true }
  ) -> Indexer {
    Indexer(
      store: library.store,
      press: press,
      root: data.path,
      thumbsMax: 1000,
      isStopped: Flag(),
      retrySeconds: retrySeconds,
      thumb: thumb,
      changed: {}
    )
  }

  @Test("the words of a book that comes while small pictures are made are read, whatever they do")
  func amongPictures() throws {
    let library = try library()
    try add("A", to: library)
    let isFirst = Atomic(true)
    let indexer = indexer(of: library) { _, _ in
      if isFirst.exchange(false, ordering: .relaxed) { _ = try? add("B", to: library) }
      return false
    }
    indexer.kick()
    #expect(indexer.waitUntilIdle(seconds: 60))
    #expect(library.books().count == 2)
    // Who brought it says so only now.
    indexer.kick()
    #expect(indexer.waitUntilIdle(seconds: 60))
    #expect(Set(try library.search("whale").map(\.title)) == ["A", "B"])
  }

  @Test("a small picture that could not be made is made when something changes")
  func pictureAgain() throws {
    let library = try library()
    try add("A", to: library)
    let calls = Atomic(0)
    let indexer = indexer(of: library) { _, _ in
      calls.add(1, ordering: .relaxed).newValue > 1
    }
    for _ in 0..<3 {
      indexer.kick()
      #expect(indexer.waitUntilIdle(seconds: 60))
    }
    #expect(calls.load(ordering: .relaxed) == 2)
  }

  @Test("words that could not be read just now are read later, with nobody asking")
  func wordsAgain() throws {
    let library = try library()
    try add("A", to: library)
    press.state.withLock { $0.contentFaults = [.stopped(page: nil), .busy] }
    let indexer = indexer(of: library, retrySeconds: 0.01)
    indexer.kick()
    #expect(Bell().wait { (try? library.search("whale").count) == 1 })
    #expect(press.state.withLock(\.pagesRead) == 3)
  }

  @Test("a document that says no is not asked again")
  func never() throws {
    let library = try library()
    try add("A", to: library)
    press.state.withLock { $0.contentFaults = [.damaged(.pdf)] }
    let indexer = indexer(of: library)
    for _ in 0..<3 {
      indexer.kick()
      #expect(indexer.waitUntilIdle(seconds: 60))
    }
    #expect(press.state.withLock(\.pagesRead) == 1)
    #expect(try library.search("whale").isEmpty)
  }
}
