import Foundation
import Glibc
import Notices
import PressProtocol
import Scene
import Synchronization
import TestDocuments
import TestLogs
import Testing

@testable import Library

@Suite("Backups", .timeLimit(.minutes(10)))
struct BackupTests {
  let folder = TemporaryFolder()
  let data = TemporaryFolder()

  private var database: String { data.path + "/catalogue.sqlite" }

  /// Creates and closes a library with a book whose title was corrected; returns the book's id.
  private func prepared() throws -> String {
    try folder.write("a.pdf", FakeDocument(texts: ["whale", "sea"]).with("outline 0 1 Chapter"))
    let library = try Shelves.open(folder, data: data)
    let id = try #require(library.books().first?.id)
    try library.edit(id, Correction(title: "Moby-Dick"))
    try library.savePositions(["emma": [Bookmark(book: id, spread: 1)]])
    library.stop()
    return id
  }

  private func expectBack(_ id: String, _ word: String) throws {
    let library = try Shelves.open(folder, data: data, worksAhead: true)
    #expect(library.books().map(\.title) == ["Moby-Dick"])
    #expect(library.book(id)?.pages == 2)
    #expect(try library.positions()["emma"] == [Bookmark(book: id, spread: 1)])
    #expect(try library.outline(of: id).map(\.title) == ["Chapter"])
    #expect(library.notes.contains { $0.contains(word) && $0.contains("restored") })
    #expect(library.finishWork(atMost: 60))
    #expect(try library.search("whale").count == 1)
    library.stop()
    let again = try Shelves.open(folder, data: data)
    #expect(again.notes == [])
  }

  @Test("a missing, empty, truncated or overwritten catalogue is restored, with a note")
  func broken() throws {
    let id = try prepared()
    // A backup is one file; the catalogue may have a write-ahead log next to it.
    let copy = Backups(database: database, folder: data.path + "/backups").recent
    let whole = try Data(contentsOf: URL(fileURLWithPath: copy))
    for (word, bytes) in [
      ("was missing", nil), ("was empty", Data()), ("was damaged", Data(repeating: 7, count: 9000)),
      ("was damaged", whole.prefix(whole.count / 2)),
      ("was damaged", whole.prefix(4096) + Data(repeating: 255, count: whole.count - 4096)),
    ] as [(String, Data?)] {
      for ending in ["", "-wal", "-shm"] {
        try? FileManager.default.removeItem(atPath: database + ending)
      }
      try bytes?.write(to: URL(fileURLWithPath: database))
      try expectBack(id, word)
    }
    let aside = data.files().filter { $0.contains("catalogue-damaged-") }
    #expect(!aside.isEmpty)
  }

  @Test("a catalogue that lost its books is restored, and one that never had any is not")
  func emptied() throws {
    let bare = try Shelves.open(data: data)
    bare.stop()
    #expect(try Shelves.open(data: data).notes == [])
    let id = try prepared()
    do {
      let rows = try Database(path: database, isReader: false)
      try rows.execute("DELETE FROM book")
    }
    try expectBack(id, "contained no books")
  }

  @Test("after a stop the file of the catalogue is whole without its write-ahead log")
  func stopped() throws {
    let library = try imported()
    library.stop()
    let copy = TemporaryFolder()
    // SQLite moves the log itself when the last connection is closed, but a server just exits.
    _ = try withExtendedLifetime(library) {
      try copy.write("catalogue.sqlite", Array(Data(contentsOf: URL(fileURLWithPath: database))))
    }
    let store = try Store(path: copy.path + "/catalogue.sqlite")
    let names = try store.read { rows in
      try rows.rows("SELECT title FROM book") { $0.text(0) }
    }
    #expect(names == ["a"])
  }

  /// Imports a book into a library without a folder.
  private func imported() throws -> BookLibrary {
    let file = try folder.write("a.pdf", FakeDocument("a", pages: 1))
    let library = try Shelves.open(data: data)
    _ = try library.importFile(file, name: "a.pdf")
    return library
  }

  @Test("a catalogue without books beside imported ones is logged, and nothing is removed")
  func withoutItsLog() throws {
    try imported().stop()
    let originals = data.files().filter { $0.contains("/originals/") }
    // The file alone, as it was copied from a server that ran, and no backup.
    for name in ["catalogue.sqlite", "catalogue.sqlite-wal", "catalogue.sqlite-shm", "backups"] {
      try? FileManager.default.removeItem(atPath: data.path + "/" + name)
    }
    do {
      let rows = try Database(path: database, isReader: false)
      try rows.execute("PRAGMA user_version")
      try rows.execute("CREATE TABLE x(y); DROP TABLE x")
    }
    let captured = try CapturedLog()
    let opened = try Shelves.open(data: data, log: captured.log)
    #expect(opened.books().isEmpty && captured.lines(of: "catalogue.empty").count == 1)
    opened.stop()
    #expect(!originals.isEmpty && originals.allSatisfy { data.files().contains($0) })
  }

  @Test("a new catalogue in a folder that was used before is logged, and a first one is not")
  func usedBefore() throws {
    let first = try CapturedLog()
    try Shelves.open(data: data, log: first.log).stop()
    #expect(first.lines(of: "catalogue.missing").isEmpty)
    for name in data.files() where name.contains("catalogue.sqlite") {
      try FileManager.default.removeItem(atPath: name)
    }
    try? FileManager.default.removeItem(atPath: data.path + "/backups")
    for count in [1, 0] {
      let captured = try CapturedLog()
      try Shelves.open(data: data, log: captured.log).stop()
      #expect(captured.lines(of: "catalogue.missing").count == count)
    }
  }

  @Test("without a backup an unusable catalogue is rejected, and no stored book is removed")
  func refused() throws {
    try imported().stop()
    try FileManager.default.removeItem(atPath: data.path + "/backups")
    for bytes in [Data(), Data(repeating: 7, count: 9000)] {
      for ending in ["-wal", "-shm"] {
        try? FileManager.default.removeItem(atPath: database + ending)
      }
      try bytes.write(to: URL(fileURLWithPath: database))
      let error = #expect(throws: LibraryError.self) { try Shelves.open(data: data) }
      #expect("\(try #require(error))".contains("no backup"))
      #expect(data.files().filter { $0.contains("/originals/") }.count == 1)
    }
  }

  @Test("there are two backups, the latest and one a day older, and a damaged one replaces neither")
  func rotation() throws {
    let id = try prepared()
    let backups = Backups(database: database, folder: data.path + "/backups")
    #expect(backups.isWorthwhile)
    try backups.make()
    #expect(FileStamp(backups.recent) != nil && FileStamp(backups.earlier) != nil)
    let earlier = FileStamp(backups.earlier)
    try backups.make()
    #expect(FileStamp(backups.earlier) == earlier)
    try data.touch("backups/catalogue-earlier.sqlite", secondsAgo: 90_000)
    let recent = FileStamp(backups.recent)?.node
    try backups.make()
    #expect(FileStamp(backups.earlier)?.node == recent)
    try Data(repeating: 7, count: 9000).write(to: URL(fileURLWithPath: database))
    let kept = FileStamp(backups.recent)
    #expect(throws: StoreError.self) { try backups.make() }
    #expect(FileStamp(backups.recent) == kept)
    // The latest backup is also damaged, so the older one is used.
    try Data(repeating: 7, count: 9000).write(to: URL(fileURLWithPath: backups.recent))
    try expectBack(id, "was damaged")
    for path in [backups.recent, backups.earlier] {
      let facts = try FileManager.default.attributesOfItem(atPath: path)
      #expect((facts[.posixPermissions] as? NSNumber)?.intValue == 0o600)
    }
  }

  @Test("a second server on the same data is rejected, with the other's process id and advice")
  func second() throws {
    let options = BookLibrary.Options(
      data: data.path,
      press: TestProgram.path("stand-in-press"),
      ownsData: true
    )
    let first = try BookLibrary(options) { _ in }
    let error = #expect(throws: LibraryError.self) { try BookLibrary(options) { _ in } }
    let words = "\(try #require(error))"
    #expect(words.contains("process \(getpid())") && words.contains("--data"))
    // A process that only imports is allowed.
    let guest = try Shelves.open(data: data)
    #expect(!guest.storage.folder.isOwner)
    guest.stop()
    first.stop()
    let next = try BookLibrary(options) { _ in }
    #expect(next.storage.folder.isOwner)
    next.stop()
  }

  @Test("a backup of a catalogue that is missing fails, and creates neither catalogue nor folder")
  func missing() throws {
    let backups = Backups(database: database, folder: data.path + "/backups")
    let error = #expect(throws: StoreError.self) { try backups.make() }
    #expect("\(try #require(error))".contains(database))
    #expect(try FileManager.default.contentsOfDirectory(atPath: data.path) == [])
  }

  @Test("without a data folder, a library uses a temporary one, which is gone once it has stopped")
  func temporary() throws {
    let library = try BookLibrary(.init(press: TestProgram.path("stand-in-press"), ownsData: true))
    { _ in }
    let folder = library.storage.folder
    #expect(FileManager.default.fileExists(atPath: folder.database))
    library.stop()
    // The library and its folder still exist as values: a process may exit without freeing them.
    #expect(!FileManager.default.fileExists(atPath: folder.path))
    #expect(FileManager.default.fileExists(atPath: data.path))
  }
}

@Suite("Full disk", .timeLimit(.minutes(10)))
struct FullDiskTests {
  let folder = TemporaryFolder()
  let data = TemporaryFolder()

  @Test("a correction on a full disk fails with a reason and succeeds once there is room")
  func edits() throws {
    try folder.write("a.pdf", FakeDocument("a", pages: 1))
    let library = try Shelves.open(folder, data: data)
    let id = try #require(library.books().first?.id)
    // No more pages are allowed, so SQLite fails as on a full disk.
    try library.storage.store.write { rows in
      let count = try rows.first("PRAGMA page_count") { $0.int(0) } ?? 1
      try rows.execute("PRAGMA max_page_count=\(count)")
    }
    let title = String(repeating: "x", count: 900)
    var fault: LibraryFault?
    for number in 0..<200 where fault == nil {
      do throws(LibraryFault) {
        try library.saveRoom(RoomRecord(name: "\(number) \(title)", owner: .named(title)))
      } catch { fault = error }
    }
    #expect(fault == .noRoom(Notice(.libraryFull)))
    #expect(fault?.canRetry == true && fault?.description.contains("full") == true)
    #expect(library.book(id) != nil)
    try library.storage.store.write { try $0.execute("PRAGMA max_page_count=1000000") }
    try library.edit(id, Correction(title: title))
    #expect(library.book(id)?.title == title)
  }

  @Test("a failed import leaves nothing behind and keeps what other books share with it")
  func leftovers() throws {
    let press = FakePress()
    let library = try Shelves.open(data: data, press: press)
    func document(_ name: String, _ images: [String]) throws -> String {
      try folder.write(
        name,
        images.enumerated().reduce(FakeDocument(name)) {
          $0.with("image 3 4 \($1.offset) \($1.element)")
        }
      )
    }
    _ = try library.importFile(try document("good.cbz", ["a.jpg", "b.jpg"]), name: "good.cbz")
    let before = data.files().filter { $0.contains("/assets/") }
    #expect(before.count == 2)
    let bad = try document("bad.cbz", ["a.jpg", "b.jpg", "c.jpg", "d.jpg"])
    let assets = data.path + "/assets"
    press.state.withLock {
      $0.beforeImage = { number in
        // From the fourth image on, nothing can be stored.
        if number == 3 { Blocker.block(assets) }
      }
    }
    #expect(throws: ImportFault.self) { try library.importFile(bad, name: "bad.cbz") }
    Blocker.unblock(assets)
    #expect(data.files().filter { $0.contains("/assets/") } == before)
  }
}

/// Prevents files from being created in a folder, by putting files where its subfolders would be.
private enum Blocker {
  static func block(_ folder: String) {
    for number in 0..<256 {
      let name = folder + "/" + (number < 16 ? "0" : "") + String(number, radix: 16)
      if access(name, F_OK) != 0 { close(open(name, O_CREAT | O_WRONLY, 0o600)) }
    }
  }

  static func unblock(_ folder: String) {
    for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] {
      var isFolder: ObjCBool = false
      let path = folder + "/" + name
      if FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), !isFolder.boolValue {
        try? FileManager.default.removeItem(atPath: path)
      }
    }
  }
}
