/// The incremental SHA-256 digest of a file while it is received.
///
/// Use it on one thread or queue at a time.
package final class RunningDigest {
  private var digest: FileDigest? = FileDigest()

  /// Creates the digest of an empty file.
  package init() {}

  /// Adds the next bytes of the file; has no effect after ``finish()``.
  package func update(_ bytes: [UInt8]) { digest?.update(bytes) }

  /// Finishes the digest.
  /// - Returns: Its 32 bytes; nil if it was finished before.
  package func finish() -> [UInt8]? {
    // Taken first, because finishing consumes it.
    guard let digest = digest.take() else { return nil }
    return digest.finished()
  }
}
