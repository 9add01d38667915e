internal import Glibc

/// What would keep a server from using a data folder; looks at it without changing it.
package enum DataFolderCheck {
  /// Returns the faults of a folder, as sentences that say what to do; none if it is not there yet.
  ///
  /// A server applies the same rules when it opens the folder.
  package static func faults(of folder: String) -> [String] {
    [
      DataFolder.diskFault(of: folder), owner(folder), secret(folder), key(folder),
      catalogue(folder),
    ].compactMap { $0 }
  }

  private static func owner(_ folder: String) -> String? {
    let path = DataFolder.ownerLock(in: folder)
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    // The lock goes with the descriptor, so a server that starts right now only tries again.
    defer { close(file) }
    guard flock(file, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK else { return nil }
    return DataFolder.ownerSentence(folder)
  }

  private static func secret(_ folder: String) -> String? {
    fault(folder + "/" + FolderSecret.name) { bytes in FolderSecret.isFit(bytes) }
  }

  private static func key(_ folder: String) -> String? {
    fault(folder + "/" + StoredFiles.keyName) { bytes in StoredFiles.key(in: bytes) != nil }
  }

  /// Returns the fault of a file that a server would read.
  private static func fault(_ path: String, isFit: ([UInt8]) -> Bool) -> String? {
    guard access(path, F_OK) == 0 else { return nil }
    do throws(FileFault) {
      guard isFit(try InputFile.head(of: path, limit: 1024)) else {
        return "\(FileFault(path: path, code: EBADMSG))"
      }
      return nil
    } catch { return "\(error)" }
  }

  private static func catalogue(_ folder: String) -> String? {
    let path = DataFolder.database(in: folder)
    guard access(path, F_OK) == 0 else { return nil }
    do throws(DatabaseError) {
      let version = try Database(path: path, isReader: true).version()
      let known = Schema.steps.count
      guard version > known else { return nil }
      return StoreError.newer(path: path, version: version, known: known).description
    } catch {
      return "\(error) A server restores the catalogue from a backup, if there is one."
    }
  }
}
