import Foundation
import Scene
import TestDocuments
import Testing

@testable import Library

@Suite("Archives of a data folder", .timeLimit(.minutes(10)))
struct DataArchiveTests {
  let data = TemporaryFolder()
  let other = TemporaryFolder()

  private func archive(_ data: TemporaryFolder, as name: String = "backup.tar") throws -> String {
    let path = other.path + "/" + name
    let file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    defer { close(file) }
    _ = try DataArchive.write(data.path, to: file, version: "9.8.7")
    return path
  }

  private func restore(_ archive: String, to path: String) throws -> DataArchive.Restored {
    let file = open(archive, O_RDONLY)
    defer { close(file) }
    return try DataArchive.restore(path, from: file)
  }

  @Test("move a library that is in use to another place, with all that people did")
  func moves() throws {
    let (books, moved) = (TemporaryFolder(), TemporaryFolder())
    let document = FakeDocument("a", pages: 9)
    try books.write("a.pdf", document)
    let library = try Shelves.open(books, data: data)
    let imported = try other.write("b.cbz", FakeDocument("b").with("image 3 4 0 a.png"))
    let second = try library.importFile(imported, name: "b.cbz")
    let first = try #require(library.named("a")?.id)
    try library.edit(first, Correction(title: "Better"))
    try library.savePositions(["ROOM": [Bookmark(book: first, spread: 3)]])
    let archive = try archive(data)
    library.stop()

    let target = other.path + "/new/data"
    let restored = try restore(archive, to: target)
    #expect(restored.label.hasPrefix("Lectern 9.8.7, 20") && restored.books == 2)
    #expect(restored.replaced == nil)
    try moved.write("elsewhere/a.pdf", document)
    let options = BookLibrary.Options(data: target, directory: moved.path, press: "")
    let press = FakePress()
    let opened = try BookLibrary(
      options,
      folder: BookLibrary.opened(target),
      printing: press,
      pressroom: nil,
      settle: 0.05
    ) { _ in }
    #expect(opened.settle(atMost: 60) && opened.key == library.key)
    #expect(opened.named("Better")?.id == first && opened.book(second.id)?.isOnShelf == true)
    #expect(try opened.positions() == ["ROOM": [Bookmark(book: first, spread: 3)]])
    #expect(opened.storage.files.has(.originals, second.file.hash))
    opened.stop()
    for file in other.files() where file.hasPrefix(target) {
      var facts = stat()
      #expect(lstat(file, &facts) == 0 && facts.st_mode & 0o077 == 0, "\(file)")
    }
  }

  @Test("are whole although books are imported and deleted meanwhile")
  func busy() throws {
    let library = try Shelves.open(data: data)
    let isDone = Flag()
    let thread = Thread {
      for number in 0..<60 where !isDone.isSet {
        let comic = FakeDocument("\(number)").with("image 3 4 0 \(number).png")
        guard let path = try? other.write("\(number).cbz", comic),
          let book = try? library.importFile(path, name: "\(number).cbz")
        else { continue }
        if number % 3 == 0 {
          _ = try? library.remove(book.id)
          _ = try? library.emptyBin(only: book.id)
        }
      }
      isDone.set()
    }
    thread.start()
    var count = 0
    while !isDone.isSet || count == 0 {
      let target = other.path + "/\(count)"
      _ = try restore(try archive(data, as: "\(count).tar"), to: target)
      let store = try Store(path: target + "/catalogue.sqlite")
      let needed = try store.read { try $0.books.neededFiles() }
      for (kind, names) in needed {
        for name in names {
          let path = "\(target)/\(kind.rawValue)/\(name.prefix(2))/\(name)"
          // A book that was erased after the catalogue was copied lacks its file; no other does.
          let isErased = !data.files().contains { $0.hasSuffix(name) }
          #expect(access(path, R_OK) == 0 || isErased, "\(path)")
        }
      }
      count += 1
    }
    library.stop()
  }

  @Test("of each older version are migrated", arguments: 1..<Schema.steps.count)
  func versions(_ version: Int) throws {
    let path = DataFolder.database(in: data.path)
    do {
      let rows = try Database(path: path, isReader: false)
      try Schema.migrate(rows, path: path, steps: Array(Schema.steps.prefix(version)))
      try rows.execute(
        """
        INSERT INTO book(id, public_id, source_sha256, kind, format, file_name, byte_size, title,
          page_count, state, added_at) VALUES(1, 'a', zeroblob(32), 'images', 'x', '', 1, 'T', 4,
          'ready', 0);
        """
      )
    }
    try data.write("unfinished/x", [1])
    let target = other.path + "/new"
    #expect(try restore(try archive(data), to: target).books == 1)
    let store = try Store(path: DataFolder.database(in: target))
    #expect(try store.read { try $0.version() } == Schema.steps.count)
    #expect(try store.read { try $0.books.book(key: 1)?.title } == "T")
    #expect(access(target + "/unfinished/x", F_OK) != 0)
  }

  @Test("replace what was there, and keep it aside")
  func replaced() throws {
    try Shelves.open(data: data).stop()
    let archive = try archive(data)
    let secret = try Data(contentsOf: URL(fileURLWithPath: data.path + "/secret"))
    try data.write("secret", Array(repeating: 7, count: 32))
    try data.write("pages/ab/x.webp", [1])
    let aside = try #require(try restore(archive, to: data.path).replaced)
    #expect(try Data(contentsOf: URL(fileURLWithPath: data.path + "/secret")) == secret)
    #expect(try Data(contentsOf: URL(fileURLWithPath: aside + "/secret")).first == 7)
    #expect(aside.hasPrefix(data.path + "/replaced-") && access(aside + "/pages", F_OK) != 0)
    // Imported books without a catalogue are kept as well.
    let orphan = TemporaryFolder()
    let book = try orphan.write("originals/ab/abcd", [1])
    let kept = try #require(try restore(archive, to: orphan.path).replaced)
    #expect(orphan.files().contains(kept + "/originals/ab/abcd") && access(book, F_OK) != 0)
    // What was kept aside is not part of the next backup.
    let again = TemporaryFolder()
    _ = try restore(try self.archive(data, as: "again.tar"), to: again.path)
    #expect(again.files().allSatisfy { !$0.contains("replaced") })
  }

  @Test("that cannot be used change nothing")
  func unusable() throws {
    try Shelves.open(data: data).stop()
    let whole = try Data(contentsOf: URL(fileURLWithPath: try archive(data)))
    let before = data.files()
    func fault(_ bytes: Data) throws -> String {
      let path = other.path + "/bad.tar"
      try bytes.write(to: URL(fileURLWithPath: path))
      let fault = #expect(throws: DataArchive.Fault.self) { try restore(path, to: data.path) }
      #expect(data.files() == before)
      return "\(try #require(fault))"
    }
    #expect(try fault(Data()).contains("no backup"))
    #expect(try fault(Data("hello".utf8)).contains("no backup"))
    #expect(try fault(whole.prefix(whole.count / 2)).contains("damaged"))
    do {
      let rows = try Database(path: DataFolder.database(in: data.path), isReader: false)
      try rows.setVersion(Schema.steps.count + 1)
    }
    let newer = try Data(contentsOf: URL(fileURLWithPath: try archive(data)))
    #expect(try fault(newer).contains("is newer"))
  }

  @Test("contain what is on another disk")
  func links() throws {
    let disk = TemporaryFolder()
    try FileManager.default.createSymbolicLink(
      atPath: data.path + "/originals",
      withDestinationPath: disk.path
    )
    let library = try Shelves.open(data: data)
    let file = try other.write("a.cbz", FakeDocument("a").with("image 3 4 0 a.png"))
    let book = try library.importFile(file, name: "a.cbz")
    let archive = try archive(data)
    library.stop()
    let target = other.path + "/new"
    _ = try restore(archive, to: target)
    let name = StoredFiles.name(.originals, book.file.hash)
    #expect(access("\(target)/\(name)", R_OK) == 0)
    // The disk is not mounted any more: its folder is empty, or the link leads nowhere.
    #expect(unlink("\(data.path)/\(name)") == 0)
    let sink = open("/dev/null", O_WRONLY)
    defer { close(sink) }
    #expect(try DataArchive.write(data.path, to: sink, version: "1") == 1)
    try FileManager.default.removeItem(atPath: disk.path)
    let fault = #expect(throws: DataArchive.Fault.self) {
      _ = try DataArchive.write(data.path, to: sink, version: "1")
    }
    #expect("\(try #require(fault))".contains("originals is a link that leads nowhere"))
    var facts = stat()
    #expect(lstat(target + "/originals", &facts) == 0 && facts.st_mode & S_IFMT == S_IFDIR)
  }

  @Test("of others are rejected: with links, and with what belongs to processes")
  func foreign() throws {
    try Shelves.open(data: data).stop()
    let whole = other.path + "/whole"
    _ = try restore(try archive(data), to: whole)
    func fault(adding name: String, to archive: String) throws -> String {
      let program = Process()
      program.executableURL = URL(fileURLWithPath: "/bin/tar")
      program.arguments = ["--append", "--file=\(archive)", "--directory=\(other.path)", name]
      try program.run()
      program.waitUntilExit()
      let fault = #expect(throws: DataArchive.Fault.self) { try restore(archive, to: whole) }
      return "\(try #require(fault))"
    }
    let before = try FileManager.default.subpathsOfDirectory(atPath: whole).sorted()
    try FileManager.default.createSymbolicLink(
      atPath: other.path + "/out",
      withDestinationPath: "/etc/hostname"
    )
    try other.write("owner.lock", [1])
    let links = try fault(adding: "out", to: try archive(data, as: "links.tar"))
    #expect(links.contains("out, which is not a file"))
    let locks = try fault(adding: "owner.lock", to: try archive(data, as: "locks.tar"))
    #expect(locks.contains("owner.lock, which no backup does"))
    #expect(try FileManager.default.subpathsOfDirectory(atPath: whole).sorted() == before)
  }

  @Test("are not restored into a folder that a server uses")
  func inUse() throws {
    let library = try Shelves.open(data: data)
    let archive = try archive(data)
    let fault = #expect(throws: DataArchive.Fault.self) { try restore(archive, to: data.path) }
    #expect("\(try #require(fault))".contains("in use by another Lectern server"))
    library.stop()
  }

  @Test("of a folder without a library name it")
  func missing() {
    let fault = #expect(throws: DataArchive.Fault.self) { try archive(data) }
    #expect(fault?.description.contains(data.path + "/catalogue.sqlite") == true)
  }
}
