import Foundation
import TestStores
import Testing

@testable import SharedStore

/// The kinds of stores, which must behave the same.
enum StoreKind: String, CaseIterable, Sendable {
  case folder
  case bucket

  func open() throws -> OpenStore {
    switch self {
    case .folder:
      let folder = try StoreFolder()
      return OpenStore(store: folder.store, folder: folder)
    case .bucket: return OpenStore(store: try S3Server.shared.get().store(), folder: nil)
    }
  }
}

/// A store, and the folder that must outlive it.
struct OpenStore {
  let store: any BlobStore
  let folder: StoreFolder?
}

@Suite("Blob stores", .timeLimit(.minutes(5)))
struct BlobStoreTests {
  private static let text = Array("A page, or a whole book.".utf8)

  private static func book(_ bytes: [UInt8]) throws -> BlobKey {
    try #require(BlobKey.book(ContentDigest.of(bytes)))
  }

  private static func meta(_ number: Int) throws -> BlobKey {
    try #require(BlobKey.meta(ContentDigest.of([UInt8(number & 255), UInt8(number >> 8)])))
  }

  @Test("what is stored can be read, again and again, and deleted", arguments: StoreKind.allCases)
  func roundTrip(_ kind: StoreKind) throws {
    let open = try kind.open()
    let (store, key) = (open.store, try Self.book(Self.text))
    #expect(try store.get(key, limit: 100) == nil)
    #expect(try store.size(of: key) == nil)
    for _ in 0..<2 { try store.put(Self.text, at: key) }
    #expect(try store.get(key, limit: 100) == Self.text)
    #expect(try store.size(of: key) == Self.text.count)
    for _ in 0..<2 { try store.delete(key) }
    #expect(try store.get(key, limit: 100) == nil)
  }

  @Test("files of several megabytes arrive unchanged", arguments: StoreKind.allCases)
  func files(_ kind: StoreKind) throws {
    let open = try kind.open()
    let folder = try StoreFolder()
    let (store, path) = (open.store, folder.path + "/book")
    let bytes = (0..<5 << 20).map { UInt8(truncatingIfNeeded: $0 ^ $0 >> 8 ^ $0 >> 16) }
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    let key = try Self.book(bytes)
    for _ in 0..<2 { try store.put(file: path, at: key) }
    #expect(try store.size(of: key) == bytes.count)
    #expect(try store.get(key, to: path + ".copy", limit: bytes.count))
    #expect(FileManager.default.contents(atPath: path + ".copy") == Data(bytes))
    #expect(try !store.get(Self.book([1]), to: path + ".none", limit: 9))
    #expect(!FileManager.default.fileExists(atPath: path + ".none"))
  }

  @Test("an empty blob is a blob", arguments: StoreKind.allCases)
  func empty(_ kind: StoreKind) throws {
    let open = try kind.open()
    let key = try Self.book([])
    try open.store.put([], at: key)
    #expect(try open.store.size(of: key) == 0)
    #expect(try open.store.get(key, limit: 0) == [])
  }

  @Test("a record is replaced, a content only stored once", arguments: StoreKind.allCases)
  func replacing(_ kind: StoreKind) throws {
    let open = try kind.open()
    let key = try Self.meta(0)
    try open.store.put([1], at: key)
    let first = try #require(try open.store.list(.meta, after: nil).first)
    try open.store.put([2, 3], at: key)
    let second = try #require(try open.store.list(.meta, after: nil).first)
    #expect(try open.store.get(key, limit: 9) == [2, 3])
    #expect(first.key == key && second.key == key)
    #expect(first.tag != second.tag && first.size == 1 && second.size == 2)
  }

  @Test("a content that its key does not name is not stored", arguments: StoreKind.allCases)
  func wrongContent(_ kind: StoreKind) throws {
    let open = try kind.open()
    let key = try Self.book(Self.text)
    let folder = try StoreFolder()
    let path = folder.path + "/file"
    try Data([1, 2]).write(to: URL(fileURLWithPath: path))
    for put in [
      { try open.store.put([1, 2], at: key) }, { try open.store.put(file: path, at: key) },
    ] {
      let error = #expect(throws: BlobStoreError.self) { try put() }
      let words = try #require(error?.description)
      #expect(words.contains(key.text) && words.contains("store"), "\(words)")
    }
    #expect(try open.store.size(of: key) == nil)
  }

  @Test("a damaged or too large blob is not returned", arguments: StoreKind.allCases)
  func damaged(_ kind: StoreKind) throws {
    let open = try kind.open()
    let key = try Self.book(Self.text)
    try open.store.put(Self.text, at: key)
    let target = try StoreFolder()
    #expect(throws: BlobStoreError.self) { try open.store.get(key, limit: Self.text.count - 1) }
    if let folder = open.folder {
      try Data([7]).write(to: URL(fileURLWithPath: folder.path + "/" + key.text))
    } else {
      let prefix = try #require(open.store.location.split(separator: " ").first)
      let name = prefix.split(separator: "/").last.map(String.init) ?? ""
      try S3Server.shared.get().damage(name + "/" + key.text)
    }
    for read in [
      { _ = try open.store.get(key, limit: 99) },
      { _ = try open.store.get(key, to: target.path + "/x", limit: 99) },
    ] {
      let error = #expect(throws: BlobStoreError.self) { try read() }
      guard case .damaged = error?.reason else {
        Issue.record("\(String(describing: error))")
        continue
      }
    }
    #expect(!FileManager.default.fileExists(atPath: target.path + "/x"))
  }

  @Test("lists have pages, in order, with one group each", arguments: StoreKind.allCases)
  func lists(_ kind: StoreKind) throws {
    let open = try kind.open()
    #expect(try open.store.list(.meta, after: nil) == [])
    let keys = try (0..<7).map { try Self.meta($0) }.sorted { $0.text < $1.text }
    for key in keys { try open.store.put([1], at: key) }
    try open.store.put([1], at: #require(BlobKey.room("Amber-heron-48217")))
    try open.store.put([9], at: #require(BlobKey.page(ContentDigest.of([6]), "0-screen-1")))
    #expect(try open.store.listAll(.meta).map(\.key) == keys)
    #expect(try open.store.list(.meta, after: keys[3]).map(\.key) == Array(keys[4...]))
    #expect(try open.store.listAll(.rooms).map(\.key.text) == ["rooms/_amber-heron-48217.json"])
  }

  @Test("more blobs than one answer lists are all listed", arguments: StoreKind.allCases)
  func longLists(_ kind: StoreKind) throws {
    let open = try kind.open()
    let keys = try (0..<BlobListing.max + 5).map { try Self.meta($0) }
    for key in keys { try open.store.put([1], at: key) }
    #expect(try open.store.list(.meta, after: nil).count == BlobListing.max)
    #expect(try Set(open.store.listAll(.meta).map(\.key)) == Set(keys))
  }
}
