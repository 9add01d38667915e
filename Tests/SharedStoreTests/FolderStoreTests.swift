import Foundation
import TestStores
import Testing

@testable import SharedStore

@Suite("Stores in folders")
struct FolderStoreTests {
  @Test("a missing share is an outage that ends when the share is back")
  func outage() throws {
    let folder = try StoreFolder()
    let key = try #require(BlobKey.meta(ContentDigest.of([1])))
    try folder.store.put([1], at: key)
    try folder.unmount()
    for use in [
      { try folder.store.put([2], at: key) }, { _ = try folder.store.get(key, limit: 9) },
      { _ = try folder.store.list(.meta, after: nil) }, { try folder.store.delete(key) },
    ] {
      let error = #expect(throws: BlobStoreError.self) { try use() }
      #expect(error?.isOutage == true && error?.description.contains(folder.path) == true)
    }
    #expect(!FileManager.default.fileExists(atPath: folder.path), "the share must not be created")
    try folder.mount()
    #expect(try folder.store.get(key, limit: 9) == [1])
    try folder.store.put([2], at: key)
    #expect(try folder.store.get(key, limit: 9) == [2])
  }

  @Test("readers on other threads see whole blobs only")
  func atomic() async throws {
    let folder = try StoreFolder()
    let key = try #require(BlobKey.meta(ContentDigest.of([1])))
    let contents = (0..<8).map { [UInt8](repeating: UInt8($0), count: 200_000 + $0) }
    try folder.store.put(contents[0], at: key)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for content in contents {
        group.addTask { for _ in 0..<5 { try folder.store.put(content, at: key) } }
        group.addTask {
          for _ in 0..<20 {
            let found = try folder.store.get(key, limit: 1 << 20)
            #expect(found.map(contents.contains) == true)
          }
        }
      }
      try await group.waitForAll()
    }
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path + "/meta")
    #expect(names.count == 1, "temporary files are left: \(names)")
  }

  @Test("what another program left behind is not listed, and removed when it is old")
  func strays() throws {
    let folder = try StoreFolder()
    let key = try #require(BlobKey.meta(ContentDigest.of([1])))
    try folder.store.put([1], at: key)
    let paths = [".tmp-old", ".tmp-new", "Thumbs.db", "notes.json.bak"].map {
      folder.path + "/meta/" + $0
    }
    for path in paths { try Data([1]).write(to: URL(fileURLWithPath: path)) }
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSinceNow: -200_000)],
      ofItemAtPath: paths[0]
    )
    #expect(try folder.store.listAll(.meta).map(\.key) == [key])
    #expect(paths.map { FileManager.default.fileExists(atPath: $0) } == [false, true, true, true])
  }

  @Test("only valid keys are keys")
  func keys() {
    let hash = String(repeating: "a0", count: 32)
    for text in [
      "books/\(hash)", "meta/\(hash).json", "places/\(hash).json", "rooms/amber-1.json",
      "pages/\(hash)/0-screen-1", "pages/\(hash)/\(hash)", "cluster/identity.json",
    ] {
      #expect(BlobKey(text)?.text == text)
    }
    for text in [
      "", "books", "books/", "books/\(hash)/", "books/\(hash)0", "books/\(hash.uppercased())",
      "books/../\(hash)", "meta/\(hash)", "meta/\(hash).json/x", "meta/.json", "rooms/..json",
      "rooms/../a.json", "rooms/a b.json", "rooms/A.json", "rooms/\u{e4}.json", "rooms//a.json",
      "pages/\(hash)/..", "pages/\(hash)/.a", "pages/\(hash)/a/b", "pages/\(hash)", "other/a.json",
      "/books/\(hash)", "rooms/" + String(repeating: "a", count: 300) + ".json",
    ] {
      #expect(BlobKey(text) == nil, "\(text)")
    }
    #expect(BlobKey.book([1, 2]) == nil)
    #expect(BlobKey.room("../x") == nil)
    #expect(BlobKey.room("Ab-1") != BlobKey.room("ab-1"))
    #expect(BlobKey("books/\(hash)")?.contentDigest == hash)
    #expect(BlobKey("meta/\(hash).json")?.contentDigest == nil)
    #expect(BlobKey("meta/\(hash).json")?.digest?.count == 32)
    #expect(BlobKey("rooms/a.json")?.digest == nil)
  }
}
