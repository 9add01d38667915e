import Foundation
import SharedStore
import Synchronization
import TestDocuments
import TestStores
import Testing

@testable import Library

/// A store that stops answering: every call waits until the store is freed.
private final class SilentStore: BlobStore {
  private let inner: any BlobStore
  private let isSilent = Mutex(false)
  private let gate = DispatchSemaphore(value: 0)

  init(_ inner: any BlobStore) { self.inner = inner }

  func beSilent() { isSilent.withLock { $0 = true } }

  /// Lets all calls go on.
  func free() {
    isSilent.withLock { $0 = false }
    gate.signal()
  }

  private func waited() -> any BlobStore {
    if isSilent.withLock({ $0 }) {
      gate.wait()
      gate.signal()
    }
    return inner
  }

  var location: String { inner.location }

  func put(_ bytes: [UInt8], at key: BlobKey) throws(BlobStoreError) {
    try waited().put(bytes, at: key)
  }

  func put(file path: String, at key: BlobKey) throws(BlobStoreError) {
    try waited().put(file: path, at: key)
  }

  func get(_ key: BlobKey, limit: Int) throws(BlobStoreError) -> [UInt8]? {
    try waited().get(key, limit: limit)
  }

  func get(_ key: BlobKey, to path: String, limit: Int) throws(BlobStoreError) -> Bool {
    try waited().get(key, to: path, limit: limit)
  }

  func size(of key: BlobKey) throws(BlobStoreError) -> Int? { try waited().size(of: key) }

  func list(
    _ group: BlobKey.Group,
    after key: BlobKey?
  ) throws(BlobStoreError) -> [BlobListing] { try waited().list(group, after: key) }

  func delete(_ key: BlobKey) throws(BlobStoreError) { try waited().delete(key) }
}

@Suite("Joining a shared store", .timeLimit(.minutes(2)))
struct JoiningTests {
  private let folder: StoreFolder
  private let store: SilentStore

  init() throws {
    folder = try StoreFolder()
    store = SilentStore(folder.store)
  }

  private func open(_ data: TemporaryFolder) throws -> BookLibrary {
    var sharing = BookLibrary.Sharing(store: store)
    sharing.joinSeconds = 0.2
    sharing.pollSeconds = 3600
    return try Shelves.open(nil, data: data, press: FakePress(), sharing: sharing, bell: Bell())
  }

  @Test("the first start with a store that is silent fails, and says what it waited for")
  func first() throws {
    let data = TemporaryFolder()
    store.beSilent()
    let error = #expect(throws: LibraryError.self) { try open(data) }
    try freeStore(joining: data)
    let text = error.map { "\($0)" } ?? ""
    #expect(text.contains(folder.store.location) && text.contains("--store"), "\(text)")
  }

  @Test("the first start with a store that is gone fails, and the next one takes its identity")
  func gone() throws {
    let (one, two) = (TemporaryFolder(), TemporaryFolder())
    let first = try open(one)
    let key = first.key
    #expect(first.flushStore(atMost: 60))
    first.stop()
    try folder.unmount()
    #expect(throws: LibraryError.self) { try open(two) }
    try folder.mount()
    let second = try open(two)
    #expect(second.key == key)
    second.stop()
  }

  @Test("a later start waits for nothing, and neither does a stop")
  func later() throws {
    let data = TemporaryFolder()
    let first = try open(data)
    let key = first.key
    #expect(first.flushStore(atMost: 60))
    first.stop()
    store.beSilent()
    // A start or a stop that waited for the store would exceed the time limit of the suite.
    let second = try open(data)
    #expect(second.key == key)
    second.stop()
    store.free()
  }

  @Test("a folder that has joined another store asks the new one")
  func moved() throws {
    let data = TemporaryFolder()
    let files = try StoredFiles(folder: data.path)
    try files.replace("store.joined", Array("elsewhere".utf8))
    store.beSilent()
    #expect(throws: LibraryError.self) { try open(data) }
    try freeStore(joining: data)
  }

  /// Lets the store answer, and waits until the start that gave up has stored what it got; it must
  /// not write into a folder that is being deleted.
  private func freeStore(joining data: TemporaryFolder) throws {
    store.free()
    let files = try StoredFiles(folder: data.path)
    let end = Date(timeIntervalSinceNow: 60)
    while files.text(named: "store.joined") != store.location, Date() < end { usleep(10_000) }
    #expect(files.text(named: "store.joined") == store.location)
  }
}
