internal import Bytes
internal import Glibc
internal import SharedStore

/// The files that Lectern stores itself: copies of books and images from archives, named by their
/// content.
///
/// A file is written under a temporary name, flushed to the disk and then renamed, so that a name
/// always refers to a complete file. ``clean(keeping:)`` removes files that a crash left behind.
struct StoredFiles: Sendable {
  /// The kinds of files; each has its own folder.
  enum Kind: String, CaseIterable {
    case originals
    case assets
  }

  /// The data folder.
  let folder: String
  private var unfinished: String { folder + "/unfinished" }

  init(folder: String) throws(FileFault) {
    self.folder = folder
    try Self.make(folder)
    for name in Kind.allCases.map(\.rawValue) + ["unfinished"] {
      try Self.make(folder + "/" + name)
    }
  }

  /// Returns the path in the data folder of the file with this digest.
  static func name(_ kind: Kind, _ hash: [UInt8]) -> String {
    let text = Hexadecimal.text(hash)
    return "\(kind.rawValue)/\(text.prefix(2))/\(text)"
  }

  func path(_ kind: Kind, _ hash: [UInt8]) -> String { folder + "/" + Self.name(kind, hash) }

  /// Stores bytes.
  ///
  /// Bytes that are already stored are not written again.
  /// - Returns: Their digest.
  func store(_ bytes: [UInt8], as kind: Kind) throws(FileFault) -> [UInt8] {
    let hash = ContentDigest.of(bytes)
    guard access(path(kind, hash), F_OK) != 0 else { return hash }
    let file = try OutputFile(in: unfinished)
    try file.write(bytes)
    try give(file.path, kind, hash, syncing: file)
    return hash
  }

  /// Stores a copy of a file, computes its digest on the way, and returns the digest.
  func copy(_ source: String, as kind: Kind, progress: (Int) -> Void) throws(FileFault) -> [UInt8] {
    let input = try InputFile(source)
    let file = try OutputFile(in: unfinished)
    let digest = ContentDigest()
    var total = 0
    while true {
      let count = try input.read { bytes throws(FileFault) in
        digest.update(bytes)
        try file.write(bytes)
      }
      guard count > 0 else { break }
      total += count
      progress(total)
    }
    let hash = digest.finished()
    guard access(path(kind, hash), F_OK) != 0 else { return hash }
    try give(file.path, kind, hash, syncing: file)
    return hash
  }

  /// Moves a file by flushing and renaming it within a file system, otherwise by copying it.
  func move(_ source: String, as kind: Kind, hash: [UInt8]) throws(FileFault) {
    try makeFolder(of: kind, hash)
    try InputFile(source).sync()
    if rename(source, path(kind, hash)) == 0 { return }
    _ = try copy(source, as: kind) { _ in }
    unlink(source)
  }

  /// Stores a file that is created only once, readable by its owner only.
  /// - Returns: The contents of the file, which another process may have created first.
  func storeOnce(_ name: String, _ make: () -> [UInt8]) throws(FileFault) -> [UInt8] {
    let path = folder + "/" + name
    if access(path, F_OK) != 0 {
      let file = try OutputFile(in: unfinished)
      try file.write(make())
      try file.sync()
      // Unlike a new file, a second link never replaces an existing file.
      guard link(file.path, path) == 0 || errno == EEXIST else {
        throw FileFault(path: path, code: errno)
      }
    }
    chmod(path, 0o600)
    return try InputFile.head(of: path, limit: 1024)
  }

  /// Replaces a small file that only its owner may read, completely or not at all.
  func replace(_ name: String, _ bytes: [UInt8]) throws(FileFault) {
    let path = folder + "/" + name
    let file = try OutputFile(in: unfinished)
    try file.write(bytes)
    try file.sync()
    guard rename(file.path, path) == 0 else { throw FileFault(path: path, code: errno) }
    chmod(path, 0o600)
  }

  /// Returns the text of a small file of the data folder; nil without one.
  func text(named name: String) -> String? {
    guard let bytes = try? InputFile.head(of: folder + "/" + name, limit: 4096) else { return nil }
    return String(validating: bytes, as: UTF8.self)
  }

  /// Returns an unused path for an incomplete file, which is removed after a crash.
  func unfinishedPath() -> String {
    unfinished + "/fetched-" + String(UInt64.random(in: .min ... .max), radix: 36)
  }

  /// The file of the data folder with the key of the whole library.
  static let keyName = "library.key"

  /// The path of the file with the key of the whole library.
  var keyPath: String { folder + "/" + Self.keyName }

  /// Returns the key of the whole library: 128 random bits, unless the file contains another.
  func libraryKey() throws(FileFault) -> String {
    let kept = try storeOnce(Self.keyName) { Array((Secrets.fresh() + "\n").utf8) }
    guard let key = Self.key(in: kept) else { throw FileFault(path: keyPath, code: EBADMSG) }
    return key
  }

  /// Returns the key in the contents of its file; nil if they cannot be one.
  static func key(in bytes: [UInt8]) -> String? {
    let words = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isWhitespace)
    guard words.count == 1, words[0].utf8.count >= 16 else { return nil }
    return String(words[0])
  }

  /// Replaces the key of the whole library.
  func replaceLibraryKey(_ key: String) throws(FileFault) {
    try replace(Self.keyName, Array((key + "\n").utf8))
  }

  func has(_ kind: Kind, _ hash: [UInt8]) -> Bool { access(path(kind, hash), R_OK) == 0 }

  /// Removes unneeded files: incomplete ones left by a crash, and those that are not listed.
  ///
  /// Only the process that owns the folder may call this, because another process may be about to
  /// list the files that it stores.
  func clean(keeping isKept: (Kind, String) -> Bool) {
    for name in Self.names(in: unfinished) { unlink(unfinished + "/" + name) }
    for kind in Kind.allCases {
      for prefix in Self.names(in: folder + "/" + kind.rawValue) {
        let inner = "\(folder)/\(kind.rawValue)/\(prefix)"
        for name in Self.names(in: inner) where !isKept(kind, name) { unlink(inner + "/" + name) }
      }
    }
  }

  private func give(
    _ path: String,
    _ kind: Kind,
    _ hash: [UInt8],
    syncing file: borrowing OutputFile
  ) throws(FileFault) {
    try file.sync()
    try makeFolder(of: kind, hash)
    let target = self.path(kind, hash)
    guard rename(path, target) == 0 else { throw FileFault(path: target, code: errno) }
  }

  private func makeFolder(of kind: Kind, _ hash: [UInt8]) throws(FileFault) {
    try Self.make("\(folder)/\(kind.rawValue)/\(Hexadecimal.text([hash[0]]))")
  }

  /// Creates a folder for this user only, and its missing parents.
  static func make(_ path: String) throws(FileFault) {
    if mkdir(path, 0o700) == 0 { return }
    switch errno {
    case EEXIST: return
    case ENOENT:
      guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { break }
      try make(String(path[..<slash]))
      if mkdir(path, 0o700) == 0 || errno == EEXIST { return }
    default: break
    }
    throw FileFault(path: path, code: errno)
  }

  static func names(in path: String) -> [String] {
    guard let folder = opendir(path) else { return [] }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
      let name = entry.name
      if let name, name != ".", name != ".." { names.append(name) }
    }
    return names
  }
}

/// A file that is being written, deleted together with the value unless it was renamed.
private struct OutputFile: ~Copyable {
  let path: String
  private let descriptor: Int32

  init(in folder: String) throws(FileFault) {
    var template = Array((folder + "/" + String(repeating: "X", count: 6)).utf8CString)
    descriptor = mkstemp(&template)
    path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    guard descriptor >= 0 else { throw FileFault(path: folder, code: errno) }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
  }

  deinit {
    guard descriptor >= 0 else { return }
    close(descriptor)
    unlink(path)
  }

  func write(_ bytes: UnsafeRawBufferPointer) throws(FileFault) {
    var rest = bytes
    while !rest.isEmpty {
      let count = Glibc.write(descriptor, rest.baseAddress, rest.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw FileFault(path: path, code: errno) }
      rest = UnsafeRawBufferPointer(rebasing: rest[count...])
    }
  }

  func write(_ bytes: [UInt8]) throws(FileFault) {
    let result = bytes.withUnsafeBytes { bytes in
      Result { () throws(FileFault) in try write(bytes) }
    }
    try result.get()
  }

  func sync() throws(FileFault) {
    guard fsync(descriptor) == 0 else { throw FileFault(path: path, code: errno) }
  }
}
