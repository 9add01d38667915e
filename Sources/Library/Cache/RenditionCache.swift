internal import Glibc
internal import PressProtocol
internal import Pressroom
internal import SharedStore
internal import Synchronization

/// A cache of rendered pictures in files, with a limit of bytes; evicts the least recently used.
///
/// Safe to use from any thread. ``path(for:)`` reads memory only and never waits for a file
/// operation. Files are written under a temporary name, synced, and appear complete or not at all.
/// A cache belongs to one process: two caches in one folder would remove each other's files.
final class RenditionCache: Sendable {
  private let folder: String
  private let bytesMax: Int
  private let entriesMax: Int
  private let index: Mutex<RenditionIndex>
  /// Held while a file and its entry appear or disappear together, so that a late removal does not
  /// delete a file that was stored again.
  ///
  /// Never taken while the other lock is held.
  private let disk = Mutex(())
  private let lastTemporary = Atomic<UInt64>(0)

  /// Opens a cache and lists its pictures in the order of use.
  ///
  /// Blocks; a million files take a few seconds. Incomplete pictures are removed.
  /// - Parameters:
  ///   - folder: The folder of the pictures, created if it is missing. It must contain nothing
  ///     else.
  ///   - bytesMax: The maximum size of all pictures, in bytes. The newest picture is kept even if
  ///     it is larger.
  ///   - entriesMax: The maximum number of pictures, which bounds the memory of the index to about
  ///     90 MB.
  /// - Throws: ``RenditionCacheError`` if the folders cannot be created.
  init(
    folder: String,
    bytesMax: Int = 2 << 30,
    entriesMax: Int = 1_000_000
  ) throws(RenditionCacheError) {
    (self.folder, self.bytesMax, self.entriesMax) = (folder, bytesMax, entriesMax)
    try Self.makeFolder(folder)
    for number in 0..<256 { try Self.makeFolder(folder + "/" + RenditionName.folder(number)) }
    index = Mutex(RenditionIndex(listing: folder))
    disk.withLock { _ in evict() }
  }

  /// The size of all pictures, in bytes.
  var byteCount: Int { index.withLock { $0.byteCount } }

  /// The number of pictures.
  var count: Int { index.withLock { $0.count } }

  /// Finds a picture, which becomes the most recently used one.
  func path(for key: RenditionKey) -> CachedRendition? {
    index.withLock { $0.use(key) }.map(rendition)
  }

  /// Returns whether the file of a picture is what was stored.
  ///
  /// Its digest is compared once, and again whenever the file has changed; otherwise the call costs
  /// one system call.
  func isIntact(_ key: RenditionKey) -> Bool {
    guard let (name, since) = index.withLock({ $0.entry(key) }) else { return false }
    let path = folder + "/" + name.path
    var facts = stat()
    guard lstat(path, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG,
      Int(facts.st_size) == name.byteCount
    else { return false }
    if facts.changeTime == since { return true }
    guard let digest = try? ContentDigest.of(file: path, limit: name.byteCount),
      RenditionName.digest(digest) == name.digest
    else { return false }
    index.withLock { $0.setIntact(name, since: facts.changeTime) }
    return true
  }

  /// Stores a picture and replaces any other with the same key.
  ///
  /// Blocks while it is written.
  @discardableResult func store(
    _ bytes: RenditionBytes,
    for key: RenditionKey
  ) throws(RenditionCacheError) -> CachedRendition {
    let name = RenditionName(
      key: key,
      mediaType: bytes.mediaType,
      byteCount: bytes.bytes.count,
      digest: RenditionName.digest(ContentDigest.of(bytes.bytes))
    )
    guard RenditionIndex.canHold(key, byteCount: name.byteCount),
      RenditionName.escaped(key.book).utf8.count <= RenditionName.bookBytesMax
    else { throw RenditionCacheError(path: key.book, reason: "its key does not fit a file name") }
    let number = lastTemporary.add(1, ordering: .relaxed).newValue
    let temporary = "\(folder)/.tmp-\(getpid())-\(number)"
    try Self.write(bytes.bytes, to: temporary)
    let path = folder + "/" + name.path
    let failure = disk.withLock { _ -> Int32? in
      guard rename(temporary, path) == 0 else { return errno }
      let previous = index.withLock { $0.insert(name) }
      var facts = stat()
      if lstat(path, &facts) == 0 { index.withLock { $0.setIntact(name, since: facts.changeTime) } }
      if let previous, previous != name { unlink(folder + "/" + previous.path) }
      evict()
      return nil
    }
    if let failure {
      unlink(temporary)
      throw RenditionCacheError(path: path, reason: SystemError(failure).reason)
    }
    return rendition(name)
  }

  /// Removes a picture because its file was missing or incomplete.
  func remove(_ key: RenditionKey) {
    disk.withLock { _ in
      if let name = index.withLock({ $0.remove(key) }) { unlink(folder + "/" + name.path) }
    }
  }

  /// Removes all pictures of a book; blocks while their files are deleted.
  func removeAll(of book: String) {
    disk.withLock { _ in
      for name in index.withLock({ $0.removeAll(of: book) }) { unlink(folder + "/" + name.path) }
    }
  }

  /// Evicts the least recently used pictures until the limits hold; the disk lock is held.
  private func evict() {
    while let name = index.withLock({ index in
      index.byteCount > bytesMax || index.count > entriesMax ? index.removeOldest() : nil
    }) {
      unlink(folder + "/" + name.path)
    }
  }

  private func rendition(_ name: RenditionName) -> CachedRendition {
    CachedRendition(
      path: folder + "/" + name.path,
      mediaType: name.mediaType,
      byteCount: name.byteCount
    )
  }

  private static func makeFolder(_ path: String) throws(RenditionCacheError) {
    guard mkdir(path, 0o700) != 0, errno != EEXIST else { return }
    throw RenditionCacheError(path: path, reason: SystemError(errno).reason)
  }

  /// Writes a new file completely or not at all.
  private static func write(_ bytes: [UInt8], to path: String) throws(RenditionCacheError) {
    let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard file >= 0 else {
      throw RenditionCacheError(path: path, reason: SystemError(errno).reason)
    }
    var written = 0
    var failure: Int32 = 0
    while written < bytes.count, failure == 0 {
      let count = bytes.withUnsafeBytes { buffer in
        Glibc.write(file, buffer.baseAddress.map { $0 + written }, buffer.count - written)
      }
      if count > 0 { written += count } else if errno != EINTR { failure = errno }
    }
    // After a crash, a file that was renamed before it was written would be full of zeros.
    if failure == 0, fdatasync(file) != 0 { failure = errno }
    if close(file) != 0, failure == 0 { failure = errno }
    guard failure == 0 else {
      unlink(path)
      throw RenditionCacheError(path: path, reason: SystemError(failure).reason)
    }
  }
}

/// A reason that a picture cannot be stored.
struct RenditionCacheError: Error, Equatable, CustomStringConvertible {
  /// The file or the folder.
  let path: String
  /// The error message of the system.
  let reason: String

  /// What is wrong and what to do.
  var description: String {
    "The cache cannot use \(path): \(reason). Check the free space and the permissions."
  }
}

extension stat {
  /// When the file was last changed, in nanoseconds; wraps around far from now.
  fileprivate var changeTime: Int64 {
    Int64(truncatingIfNeeded: st_mtim.tv_sec) &* 1_000_000_000 &+ Int64(st_mtim.tv_nsec)
  }
}
