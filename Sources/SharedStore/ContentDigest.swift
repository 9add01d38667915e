internal import CCrypto
internal import Glibc

/// The SHA-256 digest of a content, which names it in a store.
///
/// Use it on one thread at a time.
package final class ContentDigest {
  private let context: OpaquePointer?

  /// Creates the digest of an empty content.
  package init() {
    context = EVP_MD_CTX_new()
    EVP_DigestInit_ex(context, EVP_sha256(), nil)
  }

  deinit { EVP_MD_CTX_free(context) }

  /// Adds bytes.
  package func update(_ bytes: UnsafeRawBufferPointer) {
    EVP_DigestUpdate(context, bytes.baseAddress, bytes.count)
  }

  /// Finishes the digest and returns its 32 bytes; call it once, after the last update.
  package func finished() -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: 32) { buffer, count in
      var length: UInt32 = 0
      EVP_DigestFinal_ex(context, buffer.baseAddress, &length)
      count = Int(length)
    }
  }

  /// Returns the digest of bytes.
  package static func of(_ bytes: [UInt8]) -> [UInt8] {
    let digest = ContentDigest()
    bytes.withUnsafeBytes { digest.update($0) }
    return digest.finished()
  }
}
