/// The SHA-256 digest of a file that is coming in, piece by piece.
///
/// Belongs to one thread or queue at a time.
public final class RunningDigest {
  private var digest: FileDigest? = FileDigest()

  /// Creates the digest of no bytes yet.
  public init() {}

  /// Adds the next bytes of the file; of no effect after ``finish()``.
  public func update(_ bytes: [UInt8]) { digest?.update(bytes) }

  /// Ends the digest.
  /// - Returns: Its 32 bytes; nil if it was ended before.
  public func finish() -> [UInt8]? {
    // Taken out first, since ending it consumes it.
    guard let digest = digest.take() else { return nil }
    return digest.finished()
  }
}
