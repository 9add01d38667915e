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

  /// Returns bytes as hexadecimal digits.
  package static func text(_ bytes: [UInt8]) -> String {
    let digits = Array("0123456789abcdef".utf8)
    return String(
      decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] },
      as: UTF8.self
    )
  }

  /// Returns the bytes of hexadecimal digits; nil for any other text.
  package static func bytes(hexadecimal text: some StringProtocol) -> [UInt8]? {
    var bytes: [UInt8] = []
    var high: UInt8?
    for byte in text.utf8 {
      let digit: UInt8
      switch byte {
      case 0x30...0x39: digit = byte - 0x30
      case 0x61...0x66: digit = byte - 0x61 + 10
      default: return nil
      }
      guard let first = high else {
        high = digit
        continue
      }
      bytes.append(first << 4 | digit)
      high = nil
    }
    return high == nil ? bytes : nil
  }
}
