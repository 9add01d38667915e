import Bytes
import Foundation
import Scene
import SharedStore
import TestDocuments
import Testing

@testable import Library

@Suite("Stored rooms")
struct RoomRecordTests {
  let folder = TemporaryFolder()
  let data = TemporaryFolder()

  private func room(_ name: String, lastUsed: Double = 1e9) -> RoomRecord {
    RoomRecord(
      name: name,
      owner: .named(name),
      settings: RoomSettings(
        policy: .passTheBook,
        isLocked: true,
        mayWander: false,
        sharesShelf: true
      ),
      book: "b",
      collection: "c",
      keys: Grant.allCases.map {
        RoomRecord.Key(digest: Secrets.digest(of: "\(name) \($0)"), grant: $0, expires: 2e9 + 0.5)
      },
      lastUsed: lastUsed
    )
  }

  /// Opens a library that deletes nothing automatically.
  private func open() throws -> BookLibrary {
    let options = BookLibrary.Options(data: data.path, press: "", keepRooms: 1e12)
    return try BookLibrary(
      options,
      folder: BookLibrary.opened(options.data),
      printing: FakePress(),
      pressroom: nil,
      settle: 0.05,
      onChange: { _ in }
    )
  }

  @Test("survive a restart unchanged, with their keys in order")
  func restart() throws {
    let (one, other) = (room("ONE"), room("other-2"))
    do {
      let library = try open()
      for room in [other, one] { try library.saveRoom(room) }
      library.stop()
    }
    #expect(try open().rooms() == [one, other])
  }

  @Test("are replaced completely, including revoked keys")
  func replaced() throws {
    let library = try open()
    try library.saveRoom(room("ONE"))
    var renewed = room("ONE", lastUsed: 5)
    renewed.keys.removeFirst(2)
    renewed.settings = RoomSettings()
    try library.saveRoom(renewed)
    #expect(try library.rooms() == [renewed])
  }

  @Test("are deleted with their keys, but without the bookmarks of their owners")
  func forgotten() throws {
    let library = try open()
    let file = try folder.write("a.pdf", FakeDocument("a", pages: 30))
    let book = try library.importFile(file, name: "a.pdf")
    for name in ["ONE", "TWO"] {
      try library.saveRoom(room(name))
      try library.savePositions([name: [Bookmark(book: book.id, spread: 4)]])
    }
    try library.forgetRoom(named: "ONE")
    #expect(try library.rooms() == [room("TWO")])
    #expect(try library.positions().keys.sorted() == ["ONE", "TWO"])
    try library.saveRoom(RoomRecord(name: "ONE", owner: .named("ONE")))
    #expect(try library.rooms().first?.keys == [])
  }

  @Test("are deleted after a long time without use, but without their owners")
  func unused() throws {
    let library = try Shelves.open(data: data)
    let file = try folder.write("a.pdf", FakeDocument("a", pages: 30))
    let book = try library.importFile(file, name: "a.pdf")
    let now = Date().timeIntervalSince1970
    for (name, age) in [("OLD", 40.0), ("YOUNG", 20)] {
      try library.saveRoom(room(name, lastUsed: now - age * 86_400))
    }
    for name in ["OLD", "YOUNG", "PLAIN"] {
      try library.savePositions([name: [Bookmark(book: book.id, spread: 4)]])
    }
    let month = 30 * 86_400.0
    for (time, forgotten) in [(now - month, "OLD"), (now + 86_400, "YOUNG")] {
      let names = try library.writing { try $0.rooms.forget(unusedSince: time) }
      #expect(names == [forgotten])
    }
    #expect(try library.rooms().isEmpty)
    #expect(try library.positions().keys.sorted() == ["OLD", "PLAIN", "YOUNG"])
  }

  @Test("are deleted when the library is opened if they were unused for too long")
  func forgottenAtStart() throws {
    do {
      let library = try open()
      try library.saveRoom(room("OLD", lastUsed: 1))
      library.stop()
    }
    #expect(try Shelves.open(data: data).rooms() == [])
  }
}

@Suite("Unguessable names")
struct SecretsTests {
  let folder = TemporaryFolder()
  let data = TemporaryFolder()

  private func mode(_ name: String) throws -> Int? {
    let facts = try FileManager.default.attributesOfItem(atPath: data.path + "/" + name)
    return (facts[.posixPermissions] as? NSNumber)?.intValue
  }

  @Test("a book has the same id each time in a data folder, and another in any other folder")
  func bookIDs() throws {
    let file = try folder.write("a.pdf", FakeDocument("a", pages: 2))
    let ids = try [data, data, TemporaryFolder()].map { data in
      let library = try Shelves.open(data: data)
      defer { library.stop() }
      return try library.importFile(file, name: "a.pdf").id
    }
    #expect(ids[0] == ids[1] && ids[0] != ids[2])
    #expect(ids.allSatisfy { $0.wholeMatch(of: /[0-9a-z]{24}/) != nil })
    let bare = ContentDigest.of(FakeDocument("a", pages: 2).bytes)
    #expect(FolderSecret(bytes: []).bookID(of: bare) != ids[0])
  }

  @Test("a book from an earlier version gets an unguessable id and keeps everything else")
  func oldIDs() throws {
    let file = try folder.write("a.pdf", FakeDocument("a", pages: 30))
    let id: String
    do {
      let library = try Shelves.open(data: data)
      id = try library.importFile(file, name: "a.pdf").id
      try library.savePositions(["R": [Bookmark(book: id, spread: 4)]])
      try library.storage.store.write { rows in
        try rows.run("UPDATE book SET public_id = 'guessed', has_keyed_id = 0")
      }
      library.stop()
    }
    let library = try Shelves.open(data: data)
    #expect(library.books().map(\.id) == [id])
    #expect(try library.positions() == ["R": [Bookmark(book: id, spread: 4)]])
  }

  @Test("the secret and the library's key are created once and readable by their owner only")
  func files() throws {
    let key = try Shelves.open(data: data).key
    #expect(key.wholeMatch(of: /[A-Za-z0-9_-]{22}/) != nil)
    #expect(try Shelves.open(data: data).key == key)
    #expect(try mode("secret") == 0o600 && mode("library.key") == 0o600)
    #expect(FileManager.default.contents(atPath: data.path + "/secret")?.count == 32)
    #expect(try Shelves.open(data: TemporaryFolder()).key != key)
  }

  @Test("a truncated secret is rejected, and its file is named")
  func damaged() throws {
    try data.write("secret", [1, 2, 3])
    let error = #expect(throws: LibraryError.self) { try Shelves.open(data: data) }
    #expect("\(try #require(error))".contains(data.path + "/secret"))
  }

  @Test("the ledge of one book shows its spine and no other")
  func ledgeOfOne() throws {
    for title in ["Alpha", "Beta"] {
      try folder.write("\(title).pdf", FakeDocument(title, pages: 3).with("title \(title)"))
    }
    let library = try Shelves.open(folder, data: data)
    let id = try #require(library.named("Alpha")?.id)
    let drawing = try #require(library.ledge(book: id))
    #expect(drawing.contains(">Alpha</text>") && !drawing.contains("Beta"))
    #expect(library.ledge(book: "nothing") == nil)
  }

  @Test("a new secret has 128 bits as base64url, and all secrets differ")
  func fresh() {
    let secrets = Set((0..<200).map { _ in Secrets.fresh() })
    #expect(secrets.count == 200)
    #expect(secrets.allSatisfy { $0.wholeMatch(of: /[A-Za-z0-9_-]{22}/) != nil })
    #expect(Base64URL.text([0xFB, 0xFF, 0xFE]) == "-__-" && Base64URL.text([0xFF]) == "_w")
  }

  @Test("a secret's digest is SHA-256")
  func digest() {
    let digest = Secrets.digest(of: "abc")
    #expect(Hexadecimal.text(digest).hasPrefix("ba7816bf8f01cfea414140de5dae2223"))
    #expect(Secrets.isSame(digest, digest))
    #expect(!Secrets.isSame(digest, Secrets.digest(of: "abd")))
    #expect(!Secrets.isSame(digest, Array(digest.dropLast())))
  }
}
