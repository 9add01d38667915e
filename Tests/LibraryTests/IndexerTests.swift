import Foundation
import PressProtocol
import Synchronization
import Telemetry
import TestDocuments
import Testing

@testable import Library

@Suite("Indexer")
struct IndexerTests {
  private let data = TemporaryFolder()
  private let folder = TemporaryFolder()
  private let press = FakePress()

  private func library() throws -> BookLibrary { try Shelves.open(data: data, press: press) }

  @discardableResult
  private func add(_ name: String, to library: BookLibrary) throws -> Book {
    let file = try folder.write("\(name).pdf", FakeDocument(texts: ["whale"]).with("title \(name)"))
    return try library.importFile(file, name: "\(name).pdf")
  }

  private func indexer(
    of library: BookLibrary,
    retrySeconds: Double = 3600,
    thumb: @escaping @Sendable (Book, Int) -> Bool = { _, _ in true }
  ) -> Indexer {
    Indexer(
      store: library.storage.store,
      press: press,
      root: data.path,
      thumbsMax: 1000,
      log: .disabled,
      isStopped: Flag(),
      retrySeconds: retrySeconds,
      thumb: thumb,
      changed: { _ in }
    )
  }

  @Test("a book added while small pictures are rendered is indexed")
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
    // The import reports the book only at this point.
    indexer.kick()
    #expect(indexer.waitUntilIdle(seconds: 60))
    #expect(Set(try library.search("whale").map(\.title)) == ["A", "B"])
  }

  @Test("work that failed temporarily waits for its retry, whatever changes in the meantime")
  func waits() throws {
    let library = try library()
    try add("A", to: library)
    press.state.withLock { $0.contentFaults = [.busy] }
    let pictures = Atomic(0)
    let indexer = indexer(of: library) { _, _ in
      pictures.add(1, ordering: .relaxed)
      return false
    }
    for _ in 0..<3 {
      indexer.kick()
      #expect(indexer.waitUntilIdle(seconds: 60))
    }
    #expect(press.state.withLock(\.pagesRead) == 1)
    #expect(pictures.load(ordering: .relaxed) == 1)
  }

  @Test("work that failed temporarily is retried automatically")
  func later() throws {
    let library = try library()
    try add("A", to: library)
    press.state.withLock { $0.contentFaults = [.stopped(page: nil), .busy] }
    let pictures = Atomic(0)
    let indexer = indexer(of: library, retrySeconds: 0.01) { _, _ in
      pictures.add(1, ordering: .relaxed).newValue > 2
    }
    indexer.kick()
    #expect(Bell().wait { (try? library.search("whale").count) == 1 })
    #expect(press.state.withLock(\.pagesRead) == 3)
    #expect(Bell().wait { pictures.load(ordering: .relaxed) == 3 })
  }

  @Test("a document that cannot be read is not retried")
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
