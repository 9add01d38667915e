internal import Bytes
internal import Glibc
internal import Synchronization

/// Static files compressed with gzip, each compressed once and kept in memory.
///
/// A file is compressed when the server starts, and again when it has changed. A file that is too
/// large, that does not become smaller, or for which there is no room is sent uncompressed. Several
/// threads may use it.
final class CompressedFiles: Sendable {
  /// The maximum size of a file that is compressed, in bytes.
  private static let fileBytesMax = 262_144
  /// The maximum number of compressed bytes that are kept.
  private static let bytesMax = 8_388_608
  /// The maximum number of files that are kept.
  private static let filesMax = 1024
  /// The maximum depth of the folders that are searched when the server starts.
  private static let depthMax = 8

  struct Content {
    let bytes: [UInt8]
    /// Changes when the bytes do.
    let entityTag: String
  }

  private struct Entry {
    var state: FileState
    var content: Content?
  }

  private struct FileState: Equatable {
    var changed: UInt64
    var count: Int
  }

  private struct Cache {
    var entries: [String: Entry] = [:]
    var bytes = 0
  }

  private let cache = Mutex(Cache())

  /// Compresses the text files below a folder and does not follow links.
  func compressFiles(below folder: String, depth: Int = 0) {
    guard depth < Self.depthMax, let listing = opendir(folder) else { return }
    defer { closedir(listing) }
    while cache.withLock({ $0.entries.count }) < Self.filesMax, let item = readdir(listing) {
      // In place, since an entry is shorter than its type: a copy would read past its memory.
      let name = withUnsafeBytes(of: &item.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      guard name.utf8.first != UInt8(ascii: ".") else { continue }
      let path = folder + "/" + name
      switch Int32(item.pointee.d_type) {
      case Int32(DT_DIR): compressFiles(below: path, depth: depth + 1)
      case Int32(DT_REG): if ContentType(path: path).isText { _ = content(of: path) }
      default: break
      }
    }
  }

  /// Returns a file compressed with gzip; nil for a file to send uncompressed.
  ///
  /// The path must contain no links, and its file is trusted.
  func content(of path: String) -> Content? {
    guard let state = Self.state(of: path) else { return nil }
    return cache.withLock { cache in
      if let entry = cache.entries[path], entry.state == state { return entry.content }
      cache.bytes -= cache.entries.removeValue(forKey: path)?.content?.bytes.count ?? 0
      guard cache.entries.count < Self.filesMax, state.count <= Self.fileBytesMax else {
        return nil
      }
      let content = Self.compress(path, state, room: Self.bytesMax - cache.bytes)
      cache.bytes += content?.bytes.count ?? 0
      cache.entries[path] = Entry(state: state, content: content)
      return content
    }
  }

  /// Returns the bytes of a file that is not too large to be compressed.
  static func bytes(of path: String) -> [UInt8]? {
    state(of: path).flatMap { $0.count <= fileBytesMax ? read(path, count: $0.count) : nil }
  }

  private static func compress(_ path: String, _ state: FileState, room: Int) -> Content? {
    guard let bytes = read(path, count: state.count),
      let packed = Gzip.compressed(bytes, level: 9), packed.count < bytes.count,
      packed.count <= room
    else { return nil }
    return Content(bytes: packed, entityTag: String(FNV1a.hash(packed), radix: 16))
  }

  private static func state(of path: String) -> FileState? {
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    return FileState(changed: Transfer.stamp(of: status.st_mtim), count: Int(status.st_size))
  }

  /// Returns the bytes of a file; nil if its size has changed.
  private static func read(_ path: String, count: Int) -> [UInt8]? {
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var taken = 0
    // One byte more than expected, to detect a file that has grown.
    let bytes = [UInt8](unsafeUninitializedCapacity: count + 1) { buffer, filled in
      while taken <= count {
        let more = Glibc.read(file, buffer.baseAddress.map { $0 + taken }, count + 1 - taken)
        guard more > 0 else { break }
        taken += more
      }
      filled = taken
    }
    return taken == count ? bytes : nil
  }
}
