import Foundation
import PressProtocol
import TestDocuments
import TestVectors
import Testing

@testable import Library

@Suite("Store")
struct StoreTests {
  @Test("migrates an older file to the newest version and keeps its contents")
  func migrates() throws {
    let folder = TemporaryFolder()
    let path = folder.path + "/old.sqlite"
    let steps = ["CREATE TABLE a(x INTEGER);", "ALTER TABLE a ADD COLUMN y INTEGER DEFAULT 7;"]
    do {
      let old = try Database(path: path, isReader: false)
      try Schema.migrate(old, path: path, steps: [steps[0]])
      try old.run("INSERT INTO a(x) VALUES(\(5))")
    }
    let new = try Database(path: path, isReader: false)
    try Schema.migrate(new, path: path, steps: steps)
    #expect(try new.first("SELECT x + y FROM a") { $0.int(0) } == 12)
    #expect(try new.first("PRAGMA user_version") { $0.int(0) } == 2)
  }

  @Test("leaves a file unchanged if a step fails")
  func failedStep() throws {
    let path = TemporaryFolder().path + ".sqlite"
    defer { try? FileManager.default.removeItem(atPath: path) }
    let connection = try Database(path: path, isReader: false)
    #expect(throws: StoreError.self) {
      try Schema.migrate(connection, path: path, steps: ["CREATE TABLE a(x);", "NONSENSE"])
    }
    #expect(try connection.first("PRAGMA user_version") { $0.int(0) } == 0)
    #expect(try connection.rows("SELECT name FROM sqlite_schema") { $0.text(0) } == [])
  }

  @Test("rejects the file of a later version and says what to do")
  func newer() throws {
    let folder = TemporaryFolder()
    let path = folder.path + "/catalogue.sqlite"
    do {
      let later = try Database(path: path, isReader: false)
      try later.execute("PRAGMA user_version=99")
    }
    let error = #expect(throws: StoreError.self) { try Store(path: path) }
    #expect(error == .newer(path: path, version: 99, known: Schema.steps.count))
    #expect("\(try #require(error))".contains("version 99"))
    #expect("\(try #require(error))".contains("newer version"))
  }

  @Test("only its owner can read it, because it contains passwords")
  func mode() throws {
    let folder = TemporaryFolder()
    let path = folder.path + "/catalogue.sqlite"
    let store = try Store(path: path)
    try store.write { try $0.run("INSERT INTO known_file VALUES('a', 1, x'00')") }
    for ending in ["", "-wal", "-shm"] {
      let facts = try FileManager.default.attributesOfItem(atPath: path + ending)
      #expect((facts[.posixPermissions] as? NSNumber)?.intValue == 0o600, "\(ending)")
    }
  }

  @Test("writes a transaction completely or not at all, and names the statement that failed")
  func transactions() throws {
    let folder = TemporaryFolder()
    let store = try Store(path: folder.path + "/catalogue.sqlite")
    let error = #expect(throws: DatabaseError.self) {
      try store.write { rows in
        try rows.run("INSERT INTO known_file VALUES('a', 1, x'00')")
        try rows.run("INSERT INTO nowhere VALUES(1)")
      }
    }
    #expect(error?.subject == "INSERT INTO nowhere VALUES(1)")
    #expect(error?.message.contains("nowhere") == true)
    let count = try store.read { rows in
      try rows.first("SELECT COUNT(*) FROM known_file") { $0.int(0) }
    }
    #expect(count == 0)
  }

  @Test("returns every value unchanged")
  func values() throws {
    let folder = TemporaryFolder()
    let connection = try Database(path: folder.path + "/a.sqlite", isReader: false)
    try connection.execute("CREATE TABLE t(a, b, c, d, e, f)")
    let (text, bytes, none): (String, [UInt8], Int?) = ("日本\u{0}語", [0, 255], nil)
    try connection.run(
      "INSERT INTO t VALUES(\(text), \(""), \([UInt8]()), \(bytes), \(0.1), \(none))"
    )
    let row = try connection.first("SELECT * FROM t") { row in
      #expect(row.text(0) == "日本\u{0}語")
      #expect(row.optionalText(1) == "")
      #expect(row.optionalBlob(2) == [])
      #expect(row.blob(3) == [0, 255])
      #expect(row.real(4) == 0.1)
      #expect(row.optionalText(5) == nil)
      return true
    }
    #expect(row == true)
  }
}

@Suite("Word coding")
struct WordCodingTests {
  @Test("stores words and their boxes in a few bytes each")
  func roundTrip() {
    for seed in UInt64(0)..<100 {
      var random = SplitMix64(seed: seed)
      var start = 0
      let words = (0..<Int.random(in: 0...200, using: &random)).map { _ in
        start += Int.random(in: 0...3, using: &random)
        defer { start += 5 }
        let edges = (0..<4).map { _ in UInt16.random(in: 0...65_535, using: &random) }
        let box = Box(left: edges[0], top: edges[1], right: edges[2], bottom: edges[3])
        return WordBox(start: start, length: 5, box: box)
      }
      #expect(WordCoding.decoded(WordCoding.encoded(words)) == words, "seed \(seed)")
    }
    let line = (0..<10).map { index in
      let left = UInt16(1000 + 5200 * index)
      let box = Box(left: left, top: 900, right: left + 4800, bottom: 1800)
      return WordBox(start: 6 * index, length: 5, box: box)
    }
    #expect(WordCoding.encoded(line).count < 10 * 9)
  }

  @Test("never traps on foreign bytes")
  func noise() {
    for seed in UInt64(0)..<2000 {
      var random = SplitMix64(seed: seed)
      let bytes = (0..<Int.random(in: 0...80, using: &random)).map { _ in
        UInt8.random(in: 0...255, using: &random)
      }
      for word in WordCoding.decoded(bytes) { #expect(word.start >= 0 && word.length >= 0) }
    }
  }
}
