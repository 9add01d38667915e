import Foundation
import Glibc
import Notices
import PressProtocol
import Scene
import TestDocuments
import Testing

@testable import Library

@Suite("Hostile folder", .timeLimit(.minutes(10)))
struct HostileFolderTests {
  private func date(_ path: String, _ seconds: Int, _ nanoseconds: Int = 0) -> Bool {
    let time = timespec(tv_sec: seconds, tv_nsec: nanoseconds)
    return utimensat(AT_FDCWD, path, [time, time], 0) == 0
  }

  /// 1 January 2300, beyond the range of nanoseconds of Unix time in 64 bits.
  private static let far = 10_413_792_000

  @Test("a file dated 2300 or 1600 is a normal book at every start")
  func dates() throws {
    let (folder, data) = (TemporaryFolder(), TemporaryFolder())
    let document = try folder.write("a/far.pdf", FakeDocument("far", pages: 1))
    let old = try folder.write("a/old.pdf", FakeDocument("old", pages: 2))
    let image = try folder.write("b/1.png", ImageHeads.png(3, 4))
    try #require(date(document, Self.far, 7) && date(old, -11_676_096_000) && date(image, Self.far))
    try #require(FileStamp(document)?.changedSeconds ?? 0 > 1e10)
    let press = FakePress()
    for _ in 0..<2 {
      let library = try Shelves.open(folder, data: data, press: press)
      #expect(library.titles == [["B", "far", "old"]] || library.books().count == 3)
      #expect(library.notes == [])
      library.stop()
    }
    #expect(press.openedCount == 2)
    try folder.write("a/far.pdf", FakeDocument("far", pages: 3))
    try #require(date(document, Self.far + 1, 7))
    #expect(try Shelves.open(folder, data: data).named("far")?.pages == 3)
  }

  @Test("no timestamp of a file system stops the scan, and all timestamps are distinguished")
  func extremes() {
    for seconds in [Int.min, Int.min / 2, -1, 0, 9_223_372_036, 9_223_372_037, Int.max - 1] {
      var facts = stat()
      facts.st_mtim = timespec(tv_sec: seconds, tv_nsec: 999_999_999)
      let stamp = FileStamp(facts)
      facts.st_mtim.tv_sec += 1
      #expect(FileStamp(facts).number != stamp.number)
      #expect(stamp.changedSeconds.isFinite)
    }
  }

  @Test("links to the kernel, to devices and to themselves, pipes and sockets do not block")
  func specials() throws {
    let folder = TemporaryFolder()
    try folder.write("good.pdf", FakeDocument("good", pages: 1))
    func link(_ name: String, _ target: String) throws {
      try FileManager.default.createSymbolicLink(
        atPath: folder.path + "/" + name,
        withDestinationPath: target
      )
    }
    for (name, target) in [
      ("proc", "/proc"), ("sys", "/sys"), ("kernel.pdf", "/proc/self/pagemap"),
      ("memory.png", "/proc/kmsg"), ("zero.pdf", "/dev/zero"), ("loop.pdf", "loop.pdf"),
      ("one", "two"), ("two", "one"), ("gone.pdf", "/nowhere"), ("up", "."),
    ] {
      try link(name, target)
    }
    try #require(mkfifo(folder.path + "/pipe.pdf", 0o600) == 0)
    try #require(mkfifo(folder.path + "/book.json", 0o600) == 0)
    let socket = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(socket) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let path = Array((folder.path + "/socket.pdf").utf8)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.prefix($0.count - 1)) }
    withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        _ = bind(socket, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    let library = try Shelves.open(folder)
    #expect(library.books().filter { $0.state == .ready }.map(\.title) == ["good"])
    for name in ["proc", "sys", "zero.pdf", "pipe.pdf"] {
      #expect(library.notes.contains { $0.contains(name) }, "\(name)")
    }
    #expect(!library.notes.contains { $0.contains("proc/") })
  }

  @Test("a file that claims more bytes than a book can have is reported and not read")
  func sparse() throws {
    let folder = TemporaryFolder()
    try folder.write("good.pdf", FakeDocument("good", pages: 1))
    let document = try folder.write("huge.pdf", FakeDocument("huge", pages: 1))
    for number in 0..<3 {
      let image = try folder.write("images/\(number).png", ImageHeads.png(3, 4))
      try #require(truncate(image, 1 << 43) == 0)
    }
    try #require(truncate(document, 1 << 43) == 0)
    let press = FakePress()
    let library = try Shelves.open(folder, press: press)
    let huge = try #require(library.named("huge"))
    #expect(huge.state == .failed && huge.pages == 0)
    #expect(
      huge.failure == PressFault.fileTooLarge(bytes: 1 << 43, limit: 1 << 30).notice
    )
    #expect(press.openedCount == 1)
    #expect(throws: ImportFault.press(.fileTooLarge(bytes: 1 << 43, limit: 1 << 30))) {
      try library.importFile(document, name: "huge.pdf")
    }
  }

  @Test("a link to a whole disk ends with a note and removes nothing from the shelf")
  func limits() throws {
    let folder = TemporaryFolder()
    for number in 0..<20 {
      try folder.write("\(number)/a.pdf", FakeDocument("\(number)", pages: 1))
    }
    let whole = FolderScan(root: folder.path)
    #expect(whole.books.count == 20 && whole.notes == [] && whole.unread == [])
    let few = FolderScan(root: folder.path, limits: .init(folders: 5, names: 1000, notes: 3))
    #expect(few.books.count == 4 && few.folderCount == 5)
    #expect(few.notes.count == 4)
    let names = FolderScan(root: folder.path, limits: .init(folders: 100, names: 22, notes: 3))
    #expect(names.books.count == 2)
    for scan in [few, names] {
      let seen = Set(scan.books.map(\.path))
      for book in whole.books where !seen.contains(book.path) {
        #expect(scan.unread.contains { book.path.hasPrefix($0 + "/") }, "\(book.path)")
      }
    }
  }

  @Test("a folder with more names than the system reads at once is listed completely")
  func manyNames() throws {
    let folder = TemporaryFolder()
    let files = (0..<1000).map { "\($0)-\(String(repeating: "n", count: 80)).pdf" }
    for file in files { _ = try folder.write(file, "") }
    #expect(Set(StoredFiles.names(in: folder.path)) == Set(files))
    #expect(FolderScan(root: folder.path).books.count == files.count)
  }
}
