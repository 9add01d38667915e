import Foundation
import Notices
import PressProtocol
import Scene
import Synchronization
import Telemetry
import TestDocuments
import TestLogs
import Testing

@testable import Library

@Suite("The log of a library", .timeLimit(.minutes(10)))
struct LibraryLogTests {
  let folder = TemporaryFolder()
  let data = TemporaryFolder()
  let captured: CapturedLog

  init() throws { captured = try CapturedLog() }

  private func open(
    _ books: TemporaryFolder? = nil,
    press: FakePress = FakePress()
  ) throws -> BookLibrary {
    try Shelves.open(books, data: data, press: press, log: captured.log)
  }

  private func events() -> [String] { captured.lines.compactMap { $0["event"] } }

  @Test("reports an import from start to end, and the reason of a failure")
  func imports() throws {
    let library = try open()
    let good = try folder.write("a.pdf", FakeDocument("a", pages: 2))
    let bad = try folder.write("b.pdf", FakeDocument("b").with("fault damaged"))
    _ = try library.importFile(good, name: "a.pdf")
    #expect(throws: ImportFault.self) { try library.importFile(bad, name: "b\n.pdf") }
    let lines = captured.lines.filter { $0["event"]?.hasPrefix("import.") == true }
    #expect(
      lines.map { $0["event"] } == [
        "import.started", "import.finished", "import.started", "import.failed",
      ]
    )
    #expect(lines[1]["file"] == "a.pdf" && lines[1]["pages"] == "2" && lines[1]["seconds"] != nil)
    #expect(lines[3]["file"] == "b\n.pdf" && lines[3]["level"] == "warning")
    #expect(lines[3]["reason"] == PressFault.damaged(.pdf).notice.message)
  }

  @Test("reports a book that needs a password, and never contains the password")
  func passwords() throws {
    let library = try open()
    let document = FakeDocument("a", pages: 2).with("password sesame")
    let book = try library.importFile(try folder.write("a.pdf", document), name: "a.pdf")
    #expect(throws: LibraryFault.self) { try library.unlock(book.id, password: "open-or-not") }
    try library.unlock(book.id, password: "sesame")
    #expect(captured.lines(of: "import.locked").map { $0["file"] } == ["a.pdf", "a.pdf"])
    #expect(captured.lines(of: "import.finished").count == 1)
    #expect(!captured.text.contains("sesame") && !captured.text.contains("open-or-not"))
  }

  @Test("reports a new folder once, with every book that cannot be read")
  func folders() throws {
    try folder.write("a.pdf", FakeDocument("a", pages: 2))
    try folder.write("b.pdf", FakeDocument("b").with("fault damaged"))
    try folder.write("shelf/c.pdf", FakeDocument("c", pages: 1).with("password sesame"))
    try open(folder).stop()
    let scanned = captured.lines(of: "library.scanned")
    #expect(scanned.count == 1 && scanned[0]["books"] == "3" && scanned[0]["new"] == "3")
    let finished = captured.lines(of: "import.finished")
    #expect(finished.count == 1 && finished[0]["books"] == "3" && finished[0]["failed"] == "1")
    #expect(captured.lines(of: "import.failed").map { $0["file"] } == [folder.path + "/b.pdf"])
    #expect(captured.lines(of: "import.locked").count == 1)
    try open(folder).stop()
    #expect(captured.lines(of: "import.started").count == 1)
    #expect(captured.lines(of: "import.failed").count == 1)
    #expect(captured.lines(of: "library.scanned").last?["new"] == "0")
  }

  @Test("reports an unusable file once")
  func notes() throws {
    try folder.write("book/1.svg", Array("<svg".utf8))
    let library = try open(folder)
    let count = captured.lines(of: "library.note").count
    #expect(count == library.notes.count && count > 0)
    try folder.write("a.pdf", FakeDocument("a", pages: 1))
    let bell = Bell()
    let again = try Shelves.open(
      folder,
      data: TemporaryFolder(),
      watches: true,
      log: captured.log,
      bell: bell
    )
    try folder.write("b.pdf", FakeDocument("b", pages: 1))
    #expect(bell.wait { again.bookCount == 3 })
    #expect(captured.lines(of: "library.note").count == 2 * count)
  }

  @Test("reports a database that is created, backed up, lost and restored")
  func database() throws {
    try folder.write("a.pdf", FakeDocument("a", pages: 2))
    try open(folder).stop()
    let migrated = captured.lines(of: "catalogue.migrated")
    #expect(migrated.count == 1 && migrated[0]["from"] == "0")
    #expect(migrated[0]["to"] == "\(Schema.steps.count)")
    #expect(captured.lines(of: "catalogue.copied").count == 1)
    for ending in ["-wal", "-shm"] { try? data.remove("catalogue.sqlite" + ending) }
    try Data(repeating: 7, count: 9000)
      .write(to: URL(fileURLWithPath: data.path + "/catalogue.sqlite"))
    try open(folder).stop()
    let restored = captured.lines(of: "catalogue.restored")
    #expect(restored.count == 1 && restored[0]["message"]?.contains("was damaged") == true)
  }

  @Test("reports a full disk once, however often it is encountered")
  func fullDisk() throws {
    let library = try open()
    try library.storage.store.write { rows in
      let count = try rows.first("PRAGMA page_count") { $0.int(0) } ?? 1
      try rows.execute("PRAGMA max_page_count=\(count)")
    }
    let title = String(repeating: "x", count: 900)
    var faults = 0
    for number in 0..<200 where faults < 5 {
      do throws(LibraryFault) {
        try library.saveRoom(RoomRecord(name: "\(number) \(title)", owner: .named(title)))
      } catch { faults += 1 }
    }
    #expect(faults == 5)
    let full = captured.lines(of: "disk.full")
    #expect((1...3).contains(full.count) && full.allSatisfy { $0["level"] == "error" })
  }

  @Test("reports a book whose text cannot be read")
  func texts() throws {
    let press = FakePress()
    press.state.withLock { $0.contentFaults = [.damaged(.pdf)] }
    try folder.write("a.pdf", FakeDocument(texts: ["whale"]))
    let library = try Shelves.open(
      folder,
      data: data,
      press: press,
      worksAhead: true,
      log: captured.log
    )
    #expect(library.finishWork(atMost: 60))
    let failed = captured.lines(of: "index.failed")
    #expect(failed.count == 1 && failed[0]["file"] == folder.path + "/a.pdf")
  }
}
