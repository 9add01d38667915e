internal import Bytes
internal import Glibc
internal import Synchronization

/// A store in a folder that several machines share, such as one on NFS or SMB.
///
/// A blob is written under a temporary name in its folder, flushed and renamed, so that every
/// machine sees it whole or not at all. The store uses no locks and no database, which network file
/// systems do not support well.
package final class FolderStore: BlobStore {
  /// The path of the folder.
  package let location: String
  private let numbers = Atomic<UInt64>(0)
  private let nonce = UInt64.random(in: .min ... .max)
  /// The age at which an incomplete file counts as left behind, in seconds.
  private static let leftBehind = 86_400

  /// Uses a folder.
  ///
  /// The folder need not exist yet: while it is missing, for instance because it is not mounted,
  /// every operation fails and can be repeated later.
  package init(path: String) {
    var path = path
    while path.utf8.count > 1, path.hasSuffix("/") { path.removeLast() }
    location = path
  }

  private func path(of key: BlobKey) -> String { location + "/" + key.text }

  // MARK: Writing

  /// Stores bytes under a key.
  package func put(_ bytes: [UInt8], at key: BlobKey) throws(BlobStoreError) {
    if let digest = key.contentDigest {
      guard Hexadecimal.text(ContentDigest.of(bytes)) == digest else {
        throw error(.put, key, .damaged("the content is not the one that the key names"))
      }
      if try size(of: key) == bytes.count { return }
    }
    try write(key) { file throws(LocalFile.Failure) in try file.write(bytes) }
  }

  /// Stores a file under a key.
  package func put(file path: String, at key: BlobKey) throws(BlobStoreError) {
    let digest = ContentDigest()
    var failure: LocalFile.Failure?
    if key.contentDigest != nil {
      let facts: (digest: [UInt8], size: Int)
      do throws(LocalFile.Failure) { facts = try LocalFile.digest(of: path) } catch {
        throw self.error(.put, key, .localFile(error.text))
      }
      if try size(of: key) == facts.size { return }
    }
    try write(key) { file throws(LocalFile.Failure) in
      do throws(LocalFile.Failure) {
        let source = try LocalFile(reading: path)
        while true {
          let bytes = try source.read()
          guard !bytes.isEmpty else { break }
          digest.update(bytes)
          try file.write(bytes)
        }
      } catch {
        if error.path == path { failure = error }
        throw error
      }
      let digest = Hexadecimal.text(digest.finished())
      if let expected = key.contentDigest, expected != digest {
        throw LocalFile.Failure(path: path, code: EBADMSG)
      }
    } failure: {
      failure.map { .localFile($0.text) }
    }
  }

  /// Writes a temporary file and gives it its name.
  private func write(
    _ key: BlobKey,
    write: (LocalFile) throws(LocalFile.Failure) -> Void,
    failure: () -> BlobStoreError.Reason? = { nil }
  ) throws(BlobStoreError) {
    let target = path(of: key)
    let folder = String(target[..<(target.lastIndex(of: "/") ?? target.startIndex)])
    let number = numbers.add(1, ordering: .relaxed).newValue
    let temporary = "\(folder)/.tmp-\(String(nonce, radix: 36))-\(number)"
    do throws(LocalFile.Failure) {
      try makeFolders(of: folder)
      let file = try LocalFile(creating: temporary)
      do throws(LocalFile.Failure) {
        try write(file)
        try file.sync()
      } catch {
        unlink(temporary)
        throw error
      }
      guard LocalFile.again({ rename(temporary, target) }) == 0 else {
        let code = errno
        unlink(temporary)
        throw LocalFile.Failure(path: target, code: code)
      }
      Self.sync(folder)
    } catch {
      throw self.error(.put, key, failure() ?? reason(error))
    }
  }

  /// Creates the folders between the store and a blob, but never the store's own folder: a missing
  /// one is a share that is not mounted.
  private func makeFolders(of folder: String) throws(LocalFile.Failure) {
    if access(folder, F_OK) == 0 { return }
    guard access(location, F_OK) == 0 else { throw LocalFile.Failure(path: location, code: errno) }
    var path = location
    for part in folder.dropFirst(location.count).split(separator: "/") {
      path += "/" + part
      guard mkdir(path, 0o700) == 0 || errno == EEXIST else {
        throw LocalFile.Failure(path: path, code: errno)
      }
    }
  }

  /// Makes a new name survive a crash; some network file systems cannot, and need not, do so.
  private static func sync(_ folder: String) {
    let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    fsync(descriptor)
    close(descriptor)
  }

  /// Deletes what is under a key.
  package func delete(_ key: BlobKey) throws(BlobStoreError) {
    guard LocalFile.again({ unlink(path(of: key)) }) != 0 else { return }
    let code = errno
    if try isAbsent(code) { return }
    throw error(.delete, key, reason(LocalFile.Failure(path: path(of: key), code: code)))
  }

  // MARK: Reading

  /// Reads the bytes under a key.
  package func get(_ key: BlobKey, limit: Int) throws(BlobStoreError) -> [UInt8]? {
    var content: [UInt8] = []
    let isThere = try read(key, limit: limit) { content += $0 }
    guard isThere else { return nil }
    return content
  }

  /// Reads what is under a key into a file.
  package func get(_ key: BlobKey, to path: String, limit: Int) throws(BlobStoreError) -> Bool {
    let file: LocalFile
    do throws(LocalFile.Failure) { file = try LocalFile(creating: path) } catch {
      throw self.error(.get, key, .localFile(error.text))
    }
    var failure: LocalFile.Failure?
    do throws(BlobStoreError) {
      let isThere = try read(key, limit: limit) { bytes in
        guard failure == nil else { return }
        do throws(LocalFile.Failure) { try file.write(bytes) } catch { failure = error }
      }
      if isThere, failure == nil {
        do throws(LocalFile.Failure) { try file.sync() } catch { failure = error }
      }
      if let failure { throw error(.get, key, .localFile(failure.text)) }
      if !isThere { unlink(path) }
      return isThere
    } catch {
      unlink(path)
      throw error
    }
  }

  /// Reads a blob piece by piece and verifies it.
  /// - Returns: Whether there is such a blob.
  private func read(
    _ key: BlobKey,
    limit: Int,
    sink: ([UInt8]) -> Void
  ) throws(BlobStoreError) -> Bool {
    let digest = ContentDigest()
    var size = 0
    do throws(LocalFile.Failure) {
      let file = try LocalFile(reading: path(of: key))
      while size <= limit {
        let bytes = try file.read()
        guard !bytes.isEmpty else { break }
        size += bytes.count
        digest.update(bytes)
        if size <= limit { sink(bytes) }
      }
    } catch {
      if try isAbsent(error.code) { return false }
      throw self.error(.get, key, reason(error))
    }
    guard size <= limit else { throw error(.get, key, .tooLarge(limit: limit)) }
    let found = Hexadecimal.text(digest.finished())
    if let expected = key.contentDigest, expected != found {
      throw error(.get, key, .damaged("its content is not the one that its key names"))
    }
    return true
  }

  /// Reads the size of what is under a key.
  package func size(of key: BlobKey) throws(BlobStoreError) -> Int? {
    var facts = stat()
    guard LocalFile.again({ stat(path(of: key), &facts) }) == 0 else {
      let code = errno
      if try isAbsent(code) { return nil }
      throw error(.get, key, reason(LocalFile.Failure(path: path(of: key), code: code)))
    }
    return Int(facts.st_size)
  }

  /// Returns whether a missing file means a missing blob, and not a missing store.
  private func isAbsent(_ code: Int32) throws(BlobStoreError) -> Bool {
    guard code == ENOENT || code == ENOTDIR else { return false }
    guard LocalFile.again({ access(location, F_OK) }) == 0 else { return false }
    return true
  }

  // MARK: Lists

  /// Lists a page of the keys of a group.
  package func list(
    _ group: BlobKey.Group,
    after key: BlobKey?
  ) throws(BlobStoreError) -> [BlobListing] {
    let prefix = group.rawValue
    let path = location + "/" + prefix
    guard let folder = opendir(path) else {
      let code = errno
      if try isAbsent(code) { return [] }
      throw error(.list, prefix, reason(LocalFile.Failure(path: path, code: code)))
    }
    defer { closedir(folder) }
    var keys: [BlobKey] = []
    while let entry = readdir(folder) {
      guard let name = entry.name else { continue }
      if name.hasPrefix(".tmp-") { Self.removeOld(path + "/" + name) }
      guard let found = BlobKey(prefix + "/" + name) else { continue }
      if let key, found.text <= key.text { continue }
      keys.append(found)
    }
    var list: [BlobListing] = []
    for key in keys.sorted(by: { $0.text < $1.text }) where list.count < BlobListing.max {
      var facts = stat()
      // A blob may have been deleted in the meantime.
      guard LocalFile.again({ stat(self.path(of: key), &facts) }) == 0,
        facts.st_mode & S_IFMT == S_IFREG
      else { continue }
      let time = facts.st_mtim
      let tag = "\(time.tv_sec).\(time.tv_nsec)-\(facts.st_size)-\(facts.st_ino)"
      list.append(BlobListing(key: key, size: Int(facts.st_size), tag: tag))
    }
    return list
  }

  /// Removes an incomplete file that a machine left behind long ago.
  private static func removeOld(_ path: String) {
    var facts = stat()
    guard stat(path, &facts) == 0, facts.st_mtim.tv_sec + leftBehind < time(nil) else { return }
    unlink(path)
  }

  // MARK: Errors

  private func error(
    _ operation: BlobStoreError.Operation,
    _ key: some CustomStringConvertible,
    _ reason: BlobStoreError.Reason
  ) -> BlobStoreError { BlobStoreError(operation, "\(key)", location, reason) }

  private func reason(_ failure: LocalFile.Failure) -> BlobStoreError.Reason {
    switch failure.code {
    case ENOSPC, EDQUOT: .full(failure.text)
    case EACCES, EPERM, EROFS: .denied(failure.text)
    case EBADMSG: .damaged("\(failure.path) is not the content that the key names")
    case ENOENT, ENOTDIR, ESTALE, EIO, ETIMEDOUT, EHOSTDOWN, ENOTCONN, ENODEV, ENXIO:
      .unreachable(failure.text)
    default: .failed(failure.text)
    }
  }
}

extension UnsafeMutablePointer<dirent> {
  /// The name; nil if it is not UTF-8.
  ///
  /// It is read in place: an entry is shorter than its type, so a copy would read past the
  /// memory of the folder that is being read.
  package var name: String? {
    withUnsafeBytes(of: &pointee.d_name) { bytes in
      String(validating: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
  }
}
