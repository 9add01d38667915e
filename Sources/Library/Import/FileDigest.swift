internal import CCrypto
internal import Glibc

/// An incremental SHA-256 digest.
struct FileDigest: ~Copyable {
  private let context: OpaquePointer?

  init() {
    context = EVP_MD_CTX_new()
    EVP_DigestInit_ex(context, EVP_sha256(), nil)
  }

  deinit { EVP_MD_CTX_free(context) }

  mutating func update(_ bytes: UnsafeRawBufferPointer) {
    EVP_DigestUpdate(context, bytes.baseAddress, bytes.count)
  }

  mutating func update(_ bytes: [UInt8]) {
    bytes.withUnsafeBytes { _ = EVP_DigestUpdate(context, $0.baseAddress, $0.count) }
  }

  mutating func update(_ text: String) { update(Array(text.utf8)) }

  /// Adds a number with a fixed length, so that it cannot be confused with the parts next to it.
  mutating func update(_ number: Int) {
    update((0..<8).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) })
  }

  /// Finishes the digest and returns its 32 bytes.
  consuming func finished() -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: 32) { buffer, count in
      var length: UInt32 = 0
      EVP_DigestFinal_ex(context, buffer.baseAddress, &length)
      count = Int(length)
    }
  }

  static func of(_ bytes: [UInt8]) -> [UInt8] {
    var digest = FileDigest()
    digest.update(bytes)
    return digest.finished()
  }

  /// Computes the digest of a file, one megabyte at a time, and reports the progress in bytes.
  /// - Throws: EFBIG if the file is larger than the limit, ECANCELED once the flag is set.
  static func of(
    file path: String,
    limit: Int = .max,
    stop: Flag? = nil,
    progress: (Int) -> Void = { _ in }
  ) throws(FileFault) -> [UInt8] {
    var digest = FileDigest()
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
    var digest = FileDigest()
    let file = try InputFile(path)
    digest.update("beginning")
    digest.update(file.size)
    _ = try file.read { digest.update($0) }
    return digest.finished()
  }
}
