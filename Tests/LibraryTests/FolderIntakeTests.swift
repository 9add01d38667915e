import Dispatch
import Foundation
import TestDocuments
import Testing

@testable import Library

@Suite("Files that are being written")
struct FileWritesTests {
  private func book(_ path: String, images: [String]? = nil, changed: Double = 0) -> FoundBook {
    FoundBook(path: path, shelf: "", images: images, stamp: 1, changed: changed)
  }

  private func wait(
    _ writes: inout FileWrites,
    for book: FoundBook,
    at now: Double,
    settle: Double = 0.5
  ) -> Double? {
    writes.secondsLeft(for: book, at: now, unixTime: 1000 + now, settleSeconds: settle)
  }

  @Test("a file that is being written waits until it is closed or unchanged for a long time")
  func writing() {
    var writes = FileWrites()
    let isDue = writes.note([.writing("/a.pdf")], at: 0)
    #expect(!isDue)
    #expect(wait(&writes, for: book("/a.pdf"), at: 4) == FileWrites.patience - 4)
    #expect(wait(&writes, for: book("/b.pdf"), at: 4) == nil)
    var closed = writes
    #expect(closed.note([.complete("/a.pdf")], at: 4) && closed.isEmpty)
    #expect(wait(&closed, for: book("/a.pdf"), at: 4) == nil)
    #expect(wait(&writes, for: book("/a.pdf"), at: FileWrites.patience) == nil && writes.isEmpty)
  }

  @Test("a folder of images waits for any file in it, but not for its neighbours")
  func folders() {
    var writes = FileWrites()
    _ = writes.note([.writing("/comic/1.png")], at: 0)
    #expect(wait(&writes, for: book("/comic", images: ["1.png"]), at: 1) == 9)
    #expect(wait(&writes, for: book("/com", images: ["1.png"]), at: 1) == nil)
  }

  @Test("a file that just changed waits, unless its writer closed it or nothing is known about it")
  func settling() {
    var writes = FileWrites()
    let fresh = book("/a.pdf", changed: 1000)
    let left = wait(&writes, for: fresh, at: 0.25) ?? 0
    #expect(left > 0.25 && left < 0.3)
    #expect(wait(&writes, for: fresh, at: 0.25, settle: 0) == nil)
    #expect(wait(&writes, for: fresh, at: 0.5) == nil)
    // A date in the future means nothing.
    #expect(wait(&writes, for: fresh, at: -1) == nil)
    _ = writes.note([.complete("/a.pdf")], at: 0.25)
    #expect(wait(&writes, for: fresh, at: 0.25) == nil)
    writes.endScan()
    #expect(wait(&writes, for: fresh, at: 0.25) != nil)
  }
}

@Suite("Notes on a folder")
struct FolderNotesTests {
  @Test("only new notes are returned for the log")
  func news() {
    var notes = FolderNotes()
    #expect(notes.replace(["one", "two"], of: "/b") == ["one", "two"])
    #expect(notes.replace(["two", "three"], of: "/b") == ["three"])
    #expect(notes.replace(["scan"], of: FolderNotes.ofScan) == ["scan"])
    #expect(notes.all == ["scan", "two", "three"])
    #expect(notes.replace([], of: "/b") == [] && notes.all == ["scan"])
  }

  @Test("a book that keeps failing is reported once, until it succeeds or disappears")
  func failures() {
    var notes = FolderNotes()
    #expect(notes.fail("/a", "broken") && !notes.fail("/a", "worse"))
    #expect(notes.all == ["worse"] && notes.isFailing("/a"))
    notes.succeed("/a")
    let isFirst = notes.fail("/a", "broken")
    #expect(isFirst)
    notes.forget("/a")
    #expect(notes.all == [] && !notes.isFailing("/a"))
  }
}

@Suite("Places in a folder")
struct FolderPlacesTests {
  private let folder = TemporaryFolder()

  private func scan() -> FolderScan { FolderScan(root: folder.path) }

  private func known() -> FolderLocations {
    FolderLocations(
      scan().books.map {
        FileLocation(path: $0.path, book: 1, shelf: $0.shelf, isStored: false, stamp: $0.stamp)
      }
    )
  }

  private func differences(
    _ locations: FolderLocations,
    besides pending: PendingImports = PendingImports(),
    left: (FoundBook) -> Double? = { _ in nil }
  ) -> (changes: FolderChanges, wait: Double?) {
    locations.differences(from: scan(), besides: pending, secondsLeft: left)
  }

  @Test("a scan during which a disk came or went removes nothing, and still adds books")
  func incomplete() throws {
    try folder.write("Whales/a.pdf", [1])
    let locations = known()
    try folder.remove("Whales/a.pdf")
    try folder.write("b.pdf", [2])
    var scan = scan()
    func changes() -> FolderChanges {
      locations.differences(from: scan, besides: PendingImports()) { _ in nil }.changes
    }
    #expect(changes().gone == [folder.path + "/Whales/a.pdf"])
    scan.markIncomplete()
    #expect(changes().gone == [] && changes().new.map(\.name) == ["b.pdf"])
  }

  @Test("a folder with two paths is watched under the first, by which its books are known")
  func linked() throws {
    try folder.write("A/a.pdf", [1])
    try FileManager.default.createSymbolicLink(
      atPath: folder.path + "/Z",
      withDestinationPath: folder.path + "/A"
    )
    var watched: [String] = []
    _ = FolderScan(root: folder.path) { watched.append($0) }
    #expect(watched == [folder.path, folder.path + "/A"])
  }

  @Test("a renamed file is a moved book, not a new one and a missing one")
  func moved() throws {
    try folder.write("a.pdf", [1])
    try folder.write("b.pdf", [2])
    let locations = known()
    #expect(differences(locations).changes.isEmpty)
    try folder.move("a.pdf", to: "Whales/c.pdf")
    try folder.remove("b.pdf")
    try folder.write("d.pdf", [3])
    let changes = differences(locations).changes
    #expect(changes.moved.map(\.from) == [folder.path + "/a.pdf"])
    #expect(changes.moved.map(\.to.name) == ["c.pdf"] && changes.new.map(\.name) == ["d.pdf"])
    #expect(changes.gone == [folder.path + "/b.pdf"])
    let moved = try #require(locations.locations(after: changes).first)
    #expect(moved.path == folder.path + "/Whales/c.pdf" && moved.shelf == Shelf.folder("Whales"))
  }

  @Test("a book that was written is new, also with its old stamp and while it is imported")
  func rewritten() throws {
    try folder.write("a.pdf", [1])
    try folder.write("b.pdf", [2])
    let book = try #require(scan().books.first)
    var writes = FileWrites()
    _ = writes.note([.complete(book.path)], at: 0)
    var pending = PendingImports()
    pending.add(book, isRetry: false, at: 0)
    let (changes, _) = known().differences(
      from: scan(),
      besides: pending,
      wasWritten: { writes.wasWritten($0) },
      secondsLeft: { _ in nil }
    )
    #expect(changes.new == [book])
    writes.endScan()
    #expect(!writes.wasWritten(book))
  }

  @Test("a new book waits while it is written, and is found once while it is imported")
  func new() throws {
    try folder.write("a.pdf", [1])
    try folder.write("b.pdf", [2])
    let (none, wait) = differences(FolderLocations()) { $0.name == "a.pdf" ? 3 : 2 }
    #expect(none.new.isEmpty && wait == 2)
    let (changes, end) = differences(FolderLocations())
    #expect(changes.new.count == 2 && end == nil)
    var pending = PendingImports()
    pending.add(try #require(changes.new.first), isRetry: false, at: 0)
    #expect(differences(FolderLocations(), besides: pending).changes.new.map(\.name) == ["b.pdf"])
  }
}

@Suite("Pending imports")
struct PendingImportsTests {
  private func book(_ path: String, stamp: Int = 1) -> FoundBook {
    FoundBook(path: path, shelf: "", images: nil, stamp: stamp, changed: 0)
  }

  private func imports(_ paths: String...) -> PendingImports {
    var imports = PendingImports()
    for path in paths { imports.add(book(path), isRetry: false, at: 5) }
    return imports
  }

  @Test("a batch lasts from the first book until no book waits, and tells how far it is")
  func batch() throws {
    var imports = imports("/a", "/b")
    #expect(imports.progress == .init(done: 0, total: 2))
    let first = imports.next()
    let early = imports.end(try #require(first), isFailed: true)
    #expect(early == nil && imports.progress == .init(done: 1, total: 2))
    imports.add(book("/c"), isRetry: false, at: 7)
    #expect(imports.progress == .init(done: 1, total: 3))
    let (second, third) = (imports.next(), imports.next())
    _ = imports.end(try #require(second), isFailed: false)
    let ended = imports.end(try #require(third), isFailed: nil)
    let batch = try #require(ended)
    #expect(batch.began == 5 && batch.books == 2 && batch.failed == 1)
    #expect(imports.progress == nil && imports.count == 0)
  }

  @Test("the progress is reported every ten seconds, so that a short batch is not")
  func reports() {
    var imports = imports("/a")
    let times = [5.0, 14.9, 15, 16, 24, 25].filter { imports.report(at: $0) != nil }
    #expect(times == [15, 25])
  }

  @Test("two books are imported at a time, in the order in which they were found")
  func two() {
    var imports = imports("/a.pdf", "/b.pdf", "/c.pdf")
    let started = [imports.next(), imports.next(), imports.next()].map { $0?.path }
    #expect(started == ["/a.pdf", "/b.pdf", nil])
    _ = imports.end(book("/b.pdf"), isFailed: false)
    let next = imports.next()
    #expect(next?.path == "/c.pdf" && imports.count == 2)
  }

  @Test("only one of two books is laid out at a time, while other books are imported")
  func layouts() {
    var imports = imports("/a.epub", "/b.epub", "/c.pdf", "/d.pdf")
    let started = [imports.next(), imports.next()].map { $0?.path }
    #expect(started == ["/a.epub", "/c.pdf"])
    _ = imports.end(book("/c.pdf"), isFailed: false)
    let another = imports.next()
    #expect(another?.path == "/d.pdf")
    _ = imports.end(book("/a.epub"), isFailed: false)
    let layout = imports.next()
    #expect(layout?.path == "/b.epub")
  }

  @Test("a newer version of a book waits until the older one is done, and replaces one that waits")
  func versions() {
    var imports = imports("/a")
    let old = imports.next()
    for stamp in [2, 3] { imports.add(book("/a", stamp: stamp), isRetry: false, at: 1) }
    let early = imports.next()
    #expect(old?.stamp == 1 && early == nil && imports.count == 2)
    #expect(imports.contains(book("/a", stamp: 3)) && !imports.contains(book("/a")))
    _ = imports.end(book("/a"), isFailed: nil)
    let new = imports.next()
    #expect(new?.stamp == 3 && imports.count == 1)
  }

  @Test("a retry of a failed book starts no batch")
  func retries() {
    var imports = PendingImports()
    imports.add(book("/a"), isRetry: true, at: 0)
    let retried = imports.next()
    let batch = imports.end(book("/a"), isFailed: true)
    #expect(retried != nil && imports.progress == nil && batch == nil)
  }
}

@Suite("Scan timer", .timeLimit(.minutes(10)))
struct ScanTimerTests {
  private let queue = DispatchQueue(label: "test.scans")
  private let work = WorkCount()
  private let isStopped = Flag()

  /// Returns the number of scans while a timer was used, and whether they were timed.
  private func scans(_ use: (ScanTimer) -> Void) -> (count: Int, isTimed: Bool) {
    let timer = ScanTimer(queue: queue, work: work, isStopped: isStopped)
    var count = 0
    queue.sync {
      timer.start { count += 1 }
      use(timer)
    }
    #expect(work.wait(seconds: 60))
    return queue.sync { (count, timer.scanSeconds != nil) }
  }

  @Test("one scan serves all requests before it")
  func once() {
    #expect(scans { for _ in 0..<9 { $0.scanSoon(after: 0) } } == (1, true))
  }

  @Test("a cancelled scan does not happen")
  func cancelled() { #expect(scans { $0.cancel() } == (0, false)) }

  @Test("waiting for a file to settle counts as work, and ends with a scan")
  func settled() {
    let scans = scans { timer in
      timer.cancel()
      timer.scanWhenSettled(after: 0.01)
    }
    #expect(scans == (1, true))
  }

  @Test("no scan runs after the library is stopped")
  func stopped() {
    isStopped.set()
    #expect(scans { $0.scanSoon(after: 0) } == (0, false))
  }
}
