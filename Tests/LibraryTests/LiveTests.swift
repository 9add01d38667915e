import Foundation
import PressProtocol
import Scene
import Synchronization
import TestDocuments
import TestVectors
import Testing

@testable import Library

@Suite("Watched folder")
struct LiveTests {
  @Test("follows files that are added, changed and removed while the library is open")
  func live() throws {
    let folder = TemporaryFolder()
    let bell = Bell()
    let library = try Shelves.open(folder, watches: true, bell: bell)
    #expect(library.titles == [])
    try folder.write("A/one.pdf", FakeDocument("1", pages: 1))
    #expect(bell.wait { library.titles == [["one"]] })
    let id = library.named("one")?.id
    try folder.move("A/one.pdf", to: "A/two.pdf")
    #expect(bell.wait { library.titles == [["two"]] })
    #expect(library.named("two")?.id == id)
    try folder.move("A", to: "B/C")
    #expect(bell.wait { library.catalogue().collections.map(\.title) == ["B / C"] })
    #expect(library.named("two")?.id == id)
    try folder.remove("B")
    #expect(bell.wait { library.titles == [] })
    #expect(library.named("two")?.collection == "")
  }

  @Test("waits for a file that is still being written")
  func writing() throws {
    let folder = TemporaryFolder()
    let bell = Bell()
    let press = FakePress()
    let library = try Shelves.open(folder, press: press, watches: true, settle: 0, bell: bell)
    let bytes = FakeDocument("a").with("page 3 4").with("page 3 4").bytes
    let file = try #require(fopen(folder.path + "/a.pdf", "w"))
    fwrite(bytes, 1, 10, file)
    fflush(file)
    // Another change in the meantime causes a scan.
    try folder.write("b.pdf", FakeDocument("b", pages: 1))
    #expect(bell.wait { library.titles == [["b"]] })
    bytes[10...].withUnsafeBytes { _ = fwrite($0.baseAddress, 1, $0.count, file) }
    fclose(file)
    #expect(bell.wait { library.titles == [["a", "b"]] })
    #expect(press.openedCount == 2)
  }

  @Test("imports two books at a time and says how many of how many are there")
  func progress() throws {
    let folder = TemporaryFolder()
    for number in 1...5 {
      let comic = FakeDocument("\(number)").with("image 3 4 0 a.png")
      try folder.write("\(number).cbz", comic)
    }
    let press = FakePress()
    let (arrived, gate, bell) = (Bell(), DispatchSemaphore(value: 0), Bell())
    press.state.withLock {
      $0.beforeImage = { _ in
        arrived.ring()
        gate.wait()
      }
    }
    let library = try Shelves.open(folder, press: press, bell: bell, settlesFirst: false)
    #expect(arrived.wait { arrived.count == 2 })
    #expect(library.imports.map { [$0.done, $0.total] } == [0, 5])
    gate.signal()
    #expect(arrived.wait { arrived.count == 3 })
    #expect(library.imports.map { [$0.done, $0.total] } == [1, 5])
    for _ in 0..<4 { gate.signal() }
    #expect(library.settle(atMost: 60) && library.imports == nil && library.bookCount == 5)
  }

  @Test("a volume in two folders is on both shelves, and on one when the other copy goes")
  func twoFolders() throws {
    let folder = TemporaryFolder()
    let bell = Bell()
    let press = FakePress()
    let library = try Shelves.open(folder, press: press, watches: true, bell: bell)
    let volume = FakeDocument("v", pages: 2)
    try folder.write("A/a.pdf", FakeDocument("a", pages: 1))
    for path in ["A/volume.pdf", "A/copy of volume.pdf", "B/volume.pdf"] {
      try folder.write(path, volume)
    }
    #expect(bell.wait { library.titles == [["a", "volume"], ["volume"]] })
    let book = try #require(library.named("volume"))
    #expect(library.bookCount == 2 && press.openedCount == 2)
    let shelves = library.catalogue().collections.map(\.id)
    #expect(book.collection == shelves[0] && book.collections == shelves)
    try library.edit(book.id, Correction(title: "Best"))
    #expect(library.titles == [["a", "Best"], ["Best"]])
    #expect(shelves.map { library.spines(ofCollection: $0)?.last?.title } == ["Best", "Best"])
    try folder.remove("A/copy of volume.pdf")
    try folder.remove("A/volume.pdf")
    #expect(bell.wait { library.titles == [["a"], ["Best"]] })
    #expect(library.book(book.id)?.collections == [shelves[1]])
    try folder.remove("B/volume.pdf")
    #expect(bell.wait { library.titles == [["a"]] && library.catalogue().missing == [book.id] })
  }

  @Test("restores a book with its corrections and positions when its file comes back")
  func comesBack() throws {
    let folder = TemporaryFolder()
    let bell = Bell()
    let library = try Shelves.open(folder, watches: true, bell: bell)
    let document = FakeDocument("a", pages: 9)
    try folder.write("a.pdf", document)
    #expect(bell.wait { library.titles == [["a"]] })
    let id = try #require(library.named("a")?.id)
    try library.edit(id, Correction(title: "Better"))
    try library.savePositions(["ROOM": [Bookmark(book: id, spread: 3)]])
    try folder.remove("a.pdf")
    #expect(bell.wait { library.titles == [] })
    #expect(try library.positions() == ["ROOM": [Bookmark(book: id, spread: 3)]])
    try folder.write("elsewhere/z.pdf", document)
    #expect(bell.wait { library.titles == [["Better"]] })
    #expect(library.named("Better")?.id == id)
    #expect(try library.positions() == ["ROOM": [Bookmark(book: id, spread: 3)]])
  }

  @Test("keeps its books while the whole folder is missing")
  func unmounted() throws {
    let parent = TemporaryFolder()
    let data = TemporaryFolder()
    try parent.write("books/a.pdf", FakeDocument("a", pages: 1))
    let books = parent.path + "/books"
    let options = BookLibrary.Options(data: data.path, directory: books, press: "")
    let bell = Bell()
    let library = try BookLibrary(
      options,
      folder: BookLibrary.opened(data.path),
      printing: FakePress(),
      pressroom: nil,
      settle: 0.05
    ) { _ in bell.ring() }
    #expect(library.settle(atMost: 60) && library.titles == [["a"]])
    try FileManager.default.moveItem(atPath: books, toPath: parent.path + "/away")
    #expect(bell.wait { library.notes.contains { $0.contains("is missing") } })
    #expect(library.titles == [["a"]])
  }

  @Test("keeps the books of a folder whose disk is not mounted, and says so until it is back")
  func emptied() throws {
    let folder = TemporaryFolder()
    let (data, disk) = (TemporaryFolder(), TemporaryFolder())
    let away = disk.path + "/Disk"
    let bell = Bell()
    try folder.write("a.pdf", FakeDocument("a", pages: 1))
    for name in ["b", "c"] { try folder.write("Disk/\(name).pdf", FakeDocument(name, pages: 1)) }
    try Shelves.open(folder, data: data).stop()
    // Started before the disk is mounted.
    try FileManager.default.moveItem(atPath: folder.path + "/Disk", toPath: away)
    try FileManager.default.createDirectory(
      atPath: folder.path + "/Disk",
      withIntermediateDirectories: false
    )
    let library = try Shelves.open(folder, data: data, watches: true, bell: bell)
    #expect(library.titles == [["a"], ["b", "c"]])
    #expect(library.notes.contains { $0.contains("/Disk: the folder is empty; its 2 books stay") })
    try folder.remove("a.pdf")
    #expect(bell.wait { library.titles == [["b", "c"]] })
    try folder.remove("Disk")
    try FileManager.default.moveItem(atPath: away, toPath: folder.path + "/Disk")
    #expect(bell.wait { !library.notes.contains { $0.contains("is empty") } })
    #expect(library.titles == [["b", "c"]])
    // Now they are removed on purpose.
    for name in ["b", "c"] { try folder.remove("Disk/\(name).pdf") }
    #expect(bell.wait { library.titles == [] })
  }

  @Test("starts without its folder if books are known there, and not if there were never any")
  func missingAtStart() throws {
    let parent = TemporaryFolder()
    let data = TemporaryFolder()
    let books = parent.path + "/books"
    func open() throws -> BookLibrary {
      try BookLibrary(
        BookLibrary.Options(data: data.path, directory: books, press: ""),
        folder: BookLibrary.opened(data.path),
        printing: FakePress(),
        pressroom: nil,
        settle: 0.05
      ) { _ in }
    }
    #expect(throws: LibraryError.notAFolder(path: books)) { try open() }
    try parent.write("books/a.pdf", FakeDocument("a", pages: 1))
    let first = try open()
    #expect(first.settle(atMost: 60) && first.titles == [["a"]])
    first.stop()
    try parent.remove("books")
    let second = try open()
    #expect(second.settle(atMost: 60) && second.titles == [["a"]])
    #expect(second.notes.contains { $0.contains("is missing") })
    second.stop()
  }

  @Test("keeps books behind a link that leads nowhere")
  func danglingLink() throws {
    let folder = TemporaryFolder()
    let disk = TemporaryFolder()
    let bell = Bell()
    try disk.write("books/a.pdf", FakeDocument("a", pages: 1))
    try folder.write("b.pdf", FakeDocument("b", pages: 1))
    try FileManager.default.createSymbolicLink(
      atPath: folder.path + "/usb",
      withDestinationPath: disk.path + "/books"
    )
    let library = try Shelves.open(folder, watches: true, bell: bell)
    #expect(library.titles == [["b"], ["a"]])
    try disk.move("books", to: "away")
    library.scan()
    #expect(bell.wait { library.notes.contains { $0.hasPrefix("usb: it cannot be reached") } })
    #expect(library.titles == [["b"], ["a"]])
    try folder.remove("usb")
    #expect(bell.wait { library.titles == [["b"]] })
  }

  @Test("matches the folder after any sequence of changes")
  func model() throws {
    for seed in UInt64(0)..<3 {
      var play = FolderPlay(seed: seed)
      let bell = Bell()
      let library = try Shelves.open(play.folder, watches: true, bell: bell)
      for step in 0..<30 {
        for _ in 0..<Int.random(in: 1...4, using: &play.random) { try play.act() }
        let isSame = bell.wait { play.shown(library) == play.expected }
        #expect(isSame, "seed \(seed), step \(step): \(play.log.suffix(5))")
        guard isSame else {
          Issue.record("\(play.shown(library)) is not \(play.expected)")
          break
        }
        try play.leavePosition(library)
      }
      for (id, spread) in play.positions {
        #expect(
          try library.positions()["ROOM"]?.first { $0.book == id }?.spread == spread,
          "seed \(seed)"
        )
      }
      let shown = library.catalogue()
      library.stop()
      _ = shown
    }
  }
}

/// A folder that changes, and the shelves that its library should show.
private struct FolderPlay {
  let folder = TemporaryFolder()
  var random: SplitMix64
  var log: [String] = []
  var positions: [String: Int] = [:]
  /// Documents by path, with the number that is their content.
  private var documents: [String: Int] = [:]
  /// Folders of images by path, with the number of pages.
  private var pictures: [String: Int] = [:]
  private var last = 0
  private var idOfContent: [Int: String] = [:]

  private static let shelves = ["A", "B", "C/D"]

  init(seed: UInt64) { random = SplitMix64(seed: seed) }

  /// The collections in order, each as the titles of its books, sorted by title.
  var expected: [String] {
    // The first copy on each shelf counts.
    var first: [[String]: String] = [:]
    for (path, content) in documents {
      let copy = [shelf(path), "T\(content):2"]
      if let other = first[copy], NaturalOrder(other) < NaturalOrder(path) { continue }
      first[copy] = path
    }
    var books: [String: [(path: String, text: String)]] = [:]
    for (copy, path) in first { books[copy[0], default: []].append((path, copy[1])) }
    for (path, count) in pictures {
      let name = path.split(separator: "/").last.map(String.init) ?? ""
      books[shelf(path), default: []].append((path, "\(Titles.ofFolder(name)):\(count)"))
    }
    return NaturalOrder.sorted(Array(books.keys), by: { $0 }).map { key in
      let titles = (books[key] ?? []).sorted { NaturalOrder($0.path) < NaturalOrder($1.path) }
      return key.split(separator: "/").joined(separator: " / ") + ": "
        + titles.map(\.text).joined(separator: ", ")
    }
  }

  func shown(_ library: BookLibrary) -> [String] {
    library.catalogue().collections.map { collection in
      collection.title + ": "
        + collection.books.map { "\($0.title):\($0.pageCount)" }.joined(separator: ", ")
    }
  }

  private func shelf(_ path: String) -> String {
    path.split(separator: "/").dropLast().joined(separator: "/")
  }

  mutating func act() throws {
    let path = documents.keys.sorted().randomElement(using: &random)
    let book = pictures.keys.sorted().randomElement(using: &random)
    let fresh = "\(Self.shelves.randomElement(using: &random) ?? "A")/"
    last += 1
    switch (Int.random(in: 0..<11, using: &random), path, book) {
    case (0, let path?, _): try write(path, content: last)
    case (1, let path?, _):
      log.append("remove \(path)")
      try folder.remove(path)
      documents[path] = nil
    case (2, let path?, _):
      let target = fresh + "doc \(last).pdf"
      log.append("move \(path) to \(target)")
      try folder.move(path, to: target)
      documents[target] = documents.removeValue(forKey: path)
    case (3, let path?, _):
      log.append("touch \(path)")
      try folder.touch(path, secondsAgo: Double(last))
    case (4, let path?, _):
      if let content = documents[path] { try write(fresh + "doc \(last).pdf", content: content) }
    case (5, _, let book?):
      log.append("remove \(book)")
      try folder.remove(book)
      pictures[book] = nil
    case (6, _, let book?):
      log.append("page \(last) into \(book)")
      try folder.write("\(book)/p\(last).png", ImageHeads.png(300, 400) + [UInt8(last % 200)])
      pictures[book, default: 0] += 1
    case (7, _, let book?):
      let target = fresh + "pics \(last)"
      log.append("move \(book) to \(target)")
      try folder.move(book, to: target)
      pictures[target] = pictures.removeValue(forKey: book)
    case (8, _, _):
      let target = fresh + "pics \(last)"
      log.append("make \(target)")
      try folder.write("\(target)/only \(last).png", ImageHeads.png(300, 400) + [1])
      pictures[target] = 1
    case (9, _, _):
      // A book may have been there before.
      let content = Int.random(in: 1...last, using: &random)
      try write(fresh + "doc \(last).pdf", content: content)
    default: try write(fresh + "doc \(last).pdf", content: last)
    }
  }

  private mutating func write(_ path: String, content: Int) throws {
    log.append("write \(content) to \(path)")
    try folder.write(path, FakeDocument("\(content)", pages: 2).with("title T\(content)"))
    documents[path] = content
  }

  /// Stores a position in a document; the same content must always be the same book.
  mutating func leavePosition(_ library: BookLibrary) throws {
    for (path, content) in documents.sorted(by: { $0.key < $1.key }) {
      guard let id = library.named("T\(content)")?.id else { continue }
      #expect(idOfContent[content, default: id] == id, "\(path)")
      idOfContent[content] = id
    }
    guard let id = idOfContent.values.sorted().randomElement(using: &random) else { return }
    last += 1
    positions[id] = last
    try library.savePositions(["ROOM": [Bookmark(book: id, spread: last)]])
  }
}
