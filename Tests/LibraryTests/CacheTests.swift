import Foundation
import Glibc
import PressProtocol
import Pressroom
import TestDocuments
import TestVectors
import Testing

@testable import Library

@Suite("Rendition cache")
struct CacheTests {
  let folder = TemporaryFolder()

  private func key(_ page: Int, book: String = "moby", revision: Int = 1) -> RenditionKey {
    RenditionKey(book: book, page: page, size: .screen, revision: revision)
  }

  private func picture(_ bytes: Int, _ fill: UInt8 = 7) -> RenditionBytes {
    RenditionBytes(
      bytes: Array(repeating: fill, count: bytes),
      mediaType: .webp,
      width: 3,
      height: 4,
      kind: .text
    )
  }

  private func cache(bytes: Int = 100, entries: Int = 10) throws -> RenditionCache {
    try RenditionCache(folder: folder.path, bytesMax: bytes, entriesMax: entries)
  }

  @Test("a stored picture is found complete with its type, and nothing else is found")
  func stored() throws {
    let cache = try cache()
    #expect(cache.path(for: key(1)) == nil)
    let stored = try cache.store(picture(5), for: key(1))
    #expect(cache.path(for: key(1)) == stored)
    #expect(stored.mediaType == .webp)
    #expect(stored.byteCount == 5)
    #expect(FileManager.default.contents(atPath: stored.path) == Data(repeating: 7, count: 5))
    #expect(cache.path(for: key(1, revision: 2)) == nil)
    #expect(cache.path(for: key(-1)) == nil)
    #expect(throws: RenditionCacheError.self) { try cache.store(picture(5), for: key(-1)) }
  }

  @Test("a book's id never becomes a path, whatever it contains")
  func hostileNames() throws {
    let books = ["../../etc/passwd", "/", "", ".", "a.b", "%2e", "Ω", "\u{0}", "-_aZ9"]
    let cache = try cache(bytes: 1000, entries: 100)
    for book in books {
      let stored = try cache.store(picture(3), for: key(0, book: book))
      #expect(stored.path.hasPrefix(folder.path + "/"))
      #expect(stored.path.dropFirst(folder.path.count).split(separator: "/").count == 2)
    }
    #expect(cache.count == books.count)
    let again = try self.cache(bytes: 1000, entries: 100)
    for book in books { #expect(again.path(for: key(0, book: book)) != nil, "\(book)") }
    let long = String(repeating: "x", count: 1000)
    #expect(throws: RenditionCacheError.self) {
      try cache.store(picture(3), for: key(0, book: long))
    }
  }

  @Test("the least recently used pictures are evicted when they exceed the byte limit")
  func eviction() throws {
    let cache = try cache()
    for page in 0..<4 { try cache.store(picture(25), for: key(page)) }
    _ = cache.path(for: key(0))
    try cache.store(picture(30), for: key(4))
    #expect((0...4).map { cache.path(for: key($0)) != nil } == [true, false, false, true, true])
    #expect(cache.byteCount == 80)
    #expect(folder.files().count == 3)
  }

  @Test("the least recently used pictures are also evicted when they exceed the maximum number")
  func entryLimit() throws {
    let cache = try cache(bytes: 1000, entries: 3)
    for page in 0..<5 { try cache.store(picture(1), for: key(page)) }
    #expect((0..<5).map { cache.path(for: key($0)) != nil } == [false, false, true, true, true])
  }

  @Test("a picture larger than the cache is kept until the next one is stored")
  func large() throws {
    let cache = try cache()
    try cache.store(picture(10), for: key(0))
    let large = try cache.store(picture(500), for: key(1))
    #expect(cache.count == 1)
    #expect(FileManager.default.fileExists(atPath: large.path))
    try cache.store(picture(10), for: key(2))
    #expect(cache.path(for: key(1)) == nil)
    #expect(folder.files().count == 1)
  }

  @Test("a picture that is stored again replaces the first")
  func replaced() throws {
    let cache = try cache()
    try cache.store(picture(10), for: key(0))
    try cache.store(picture(20, 9), for: key(0))
    let found = try #require(cache.path(for: key(0)))
    #expect(FileManager.default.contents(atPath: found.path) == Data(repeating: 9, count: 20))
    #expect(cache.byteCount == 20)
    #expect(folder.files().count == 1)
  }

  @Test("a restart keeps the pictures and their order by the times of the files")
  func restart() throws {
    let first = try cache()
    for page in 0..<4 {
      let stored = try first.store(picture(25), for: key(page))
      // Page 2 is the least recently used, then 3, 0, 1.
      let date = Date(timeIntervalSince1970: [300, 400, 100, 200][page])
      setTimes(stored.path, date)
    }
    let second = try cache()
    #expect(second.count == 4)
    #expect(second.byteCount == 100)
    try second.store(picture(50), for: key(9))
    #expect((0..<4).map { second.path(for: key($0)) != nil } == [true, true, false, false])
  }

  @Test("a restart with a smaller limit evicts the excess")
  func smaller() throws {
    let first = try cache()
    for page in 0..<4 { try first.store(picture(25), for: key(page)) }
    #expect(try cache(bytes: 50).count == 2)
    #expect(folder.files().count == 2)
  }

  @Test("a restart removes temporary, truncated and foreign files")
  func leftovers() throws {
    let first = try cache()
    let short = try first.store(picture(20), for: key(0))
    let good = try first.store(picture(20), for: key(1))
    try Data([1]).write(to: URL(fileURLWithPath: short.path))
    for stray in ["/.tmp-1-2", "/00/strange", "/00/moby.7.screen.1.1.0.webp"] {
      try Data([1]).write(to: URL(fileURLWithPath: folder.path + stray))
    }
    let second = try cache()
    #expect(second.path(for: key(0)) == nil)
    #expect(second.path(for: key(7)) == nil)
    #expect(second.path(for: key(1)) == good)
    #expect(folder.files() == [good.path])
  }

  @Test("a file that is cut, filled with zeros or changed is not intact")
  func damage() throws {
    let first = try cache(bytes: 1000)
    let paths = try (0..<4).map { try first.store(picture(100), for: key($0)).path }
    #expect((0..<4).allSatisfy { first.isIntact(key($0)) } && !first.isIntact(key(9)))
    for damage in [Data(count: 100), Data([7]), Data(repeating: 7, count: 99) + [8]] {
      let cache = try self.cache(bytes: 1000)
      #expect(cache.isIntact(key(0)))
      try damage.write(to: URL(fileURLWithPath: paths[0]))
      #expect(!cache.isIntact(key(0)))
      try Data(repeating: 7, count: 100).write(to: URL(fileURLWithPath: paths[0]))
      #expect(cache.isIntact(key(0)))
    }
    for (path, damage) in zip(paths, [Data(count: 100), Data(repeating: 7, count: 99) + [0]]) {
      try damage.write(to: URL(fileURLWithPath: path))
    }
    let second = try cache(bytes: 1000)
    #expect((0..<4).map { second.isIntact(key($0)) } == [false, false, true, true])
  }

  @Test("pictures with dates beyond the range of nanoseconds are kept, the newest last")
  func farDates() throws {
    let pictures = try (0..<3).map { try cache(bytes: 200).store(picture(40), for: key($0)).path }
    for (path, seconds) in zip(pictures, [15_000_000_000, -1_000_000_000, 10_413_792_000]) {
      let time = timespec(tv_sec: seconds, tv_nsec: 1)
      try #require(utimensat(AT_FDCWD, path, [time, time], 0) == 0)
    }
    let again = try cache(bytes: 90)
    #expect(again.path(for: key(1)) == nil)
    #expect(again.count == 2)
  }

  @Test("all pictures of a book, or a single bad one, can be removed")
  func removal() throws {
    let cache = try cache()
    for page in 0..<3 { try cache.store(picture(10), for: key(page)) }
    try cache.store(picture(10), for: key(0, book: "dick"))
    cache.remove(key(2))
    #expect(cache.path(for: key(2)) == nil)
    cache.removeAll(of: "moby")
    #expect(cache.count == 1)
    #expect(cache.byteCount == 10)
    #expect(folder.files().count == 1)
  }

  @Test("a folder that cannot be written is reported")
  func unwritable() throws {
    #expect(throws: RenditionCacheError.self) { try RenditionCache(folder: "/proc/nowhere") }
    let cache = try cache()
    folder.remove()
    #expect(throws: RenditionCacheError.self) { try cache.store(picture(1), for: key(0)) }
    #expect(cache.path(for: key(0)) == nil)
  }

  @Test("the index agrees with a simple model for any sequence of uses")
  func model() {
    for seed in UInt64(0)..<50 {
      var random = SplitMix64(seed: seed)
      var index = RenditionIndex()
      var order: [RenditionName] = []
      for _ in 0..<300 {
        let key = key(
          .random(in: 0..<6, using: &random),
          book: ["a", "b", "c"].randomElement(using: &random) ?? ""
        )
        switch Int.random(in: 0..<8, using: &random) {
        case 0..<4:
          let name = RenditionName(
            key: key,
            mediaType: .png,
            byteCount: .random(in: 0..<9, using: &random),
            digest: .random(in: 0..<9, using: &random)
          )
          let old = order.firstIndex { $0.key == key }.map { order.remove(at: $0) }
          order.append(name)
          #expect(index.insert(name) == old, "seed \(seed)")
        case 4, 5:
          let found = order.firstIndex { $0.key == key }.map { order.remove(at: $0) }
          if let found { order.append(found) }
          #expect(index.use(key) == found, "seed \(seed)")
        case 6:
          let oldest = order.count > 1 ? order.removeFirst() : nil
          #expect(index.removeOldest() == oldest, "seed \(seed)")
        default:
          let gone = Set(order.filter { $0.key.book == key.book }.map(\.path))
          order.removeAll { $0.key.book == key.book }
          #expect(Set(index.removeAll(of: key.book).map(\.path)) == gone, "seed \(seed)")
        }
        #expect(index.count == order.count)
        #expect(index.byteCount == order.reduce(0) { $0 + $1.byteCount })
      }
    }
  }

  @Test("concurrent stores and lookups leave files and index consistent")
  func concurrency() throws {
    let cache = try cache(bytes: 2000, entries: 50)
    DispatchQueue.concurrentPerform(iterations: 8) { thread in
      var random = SplitMix64(seed: UInt64(thread))
      for _ in 0..<300 {
        let key = key(.random(in: 0..<80, using: &random))
        switch Int.random(in: 0..<10, using: &random) {
        case 0..<6: _ = try? cache.store(picture(.random(in: 1..<90, using: &random)), for: key)
        case 6: cache.remove(key)
        default: _ = cache.path(for: key)
        }
      }
    }
    #expect(cache.byteCount <= 2000)
    let found = (0..<80).compactMap { cache.path(for: key($0)) }
    #expect(found.count == cache.count)
    #expect(Set(found.map(\.path)) == Set(folder.files()))
    for entry in found {
      #expect(FileManager.default.contents(atPath: entry.path)?.count == entry.byteCount)
    }
  }

  private func setTimes(_ path: String, _ date: Date) {
    var times = [timeval](
      repeating: timeval(tv_sec: Int(date.timeIntervalSince1970), tv_usec: 0),
      count: 2
    )
    utimes(path, &times)
  }
}
