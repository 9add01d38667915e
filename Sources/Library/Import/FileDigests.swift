internal import Glibc
internal import SharedStore

// Digests of files and of descriptions.
extension ContentDigest {
  func update(_ text: String) { update(Array(text.utf8)) }

  /// Adds a number with a fixed length, so that it cannot be confused with the parts next to it.
  func update(_ number: Int) {
    update((0..<8).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) })
  }

  /// Computes the digest of a file, one megabyte at a time, and reports the progress in bytes.
  /// - Throws: EFBIG if the file is larger than the limit, ECANCELED once the flag is set.
  static func of(
    file path: String,
    limit: Int = .max,
    stop: Flag? = nil,
    progress: (Int) -> Void = { _ in }
  ) throws(FileFault) -> [UInt8] {
    let digest = ContentDigest()
    let file = try InputFile(path)
    var total = 0
    while true {
      guard stop?.isSet != true else { throw FileFault(path: path, code: ECANCELED) }
      let count = try file.read { digest.update($0) }
      guard count > 0 else { break }
      total += count
      guard total <= limit else { throw FileFault(path: path, code: EFBIG) }
      progress(total)
    }
    return digest.finished()
  }

  /// Returns a digest for a file that is too large to read: of its size and its beginning.
  static func ofBeginning(file path: String) throws(FileFault) -> [UInt8] {
    let digest = ContentDigest()
    let file = try InputFile(path)
    digest.update("beginning")
    digest.update(file.size)
    _ = try file.read { digest.update($0) }
    return digest.finished()
  }
}
