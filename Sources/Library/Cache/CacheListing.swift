internal import Glibc

/// Lists the pictures that an earlier process left in the cache folder.
enum CacheListing {
  private struct Found {
    var name: RenditionName
    /// When it was last written or, if the file system records it, last read; seconds.
    var used: Double
  }

  /// Lists the folder and removes temporary files and everything that is not a complete picture.
  static func index(_ folder: String) -> RenditionIndex {
    for file in StoredFiles.names(in: folder) where file.hasPrefix(".tmp-") {
      unlink(folder + "/" + file)
    }
    var found: [Found] = []
    for number in 0..<256 {
      let inner = RenditionName.folder(number)
      for file in StoredFiles.names(in: folder + "/" + inner) {
        let path = folder + "/" + inner + "/" + file
        if let entry = entry(file, path), entry.name.path == inner + "/" + file {
          found.append(entry)
        } else {
          unlink(path)
        }
      }
    }
    found.sort { $0.used < $1.used }
    var index = RenditionIndex()
    for entry in found {
      // After a crash there can be two files of one key; the newer one counts.
      guard let older = index.insert(entry.name) else { continue }
      unlink(folder + "/" + older.path)
    }
    return index
  }

  private static func entry(_ file: String, _ path: String) -> Found? {
    guard let name = RenditionName(file: file),
      RenditionIndex.canHold(name.key, byteCount: name.byteCount)
    else { return nil }
    var facts = stat()
    guard lstat(path, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG,
      Int(facts.st_size) == name.byteCount
    else { return nil }
    return Found(name: name, used: max(facts.st_atim.seconds, facts.st_mtim.seconds))
  }
}
