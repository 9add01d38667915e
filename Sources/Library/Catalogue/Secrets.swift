internal import Bytes
internal import CCrypto
internal import Glibc
internal import SharedStore

/// Creates secrets, and creates and compares their stored digests.
package enum Secrets {
  /// Returns a new secret of 128 random bits, as 22 characters that need no escaping in an address.
  package static func fresh() -> String { Base64URL.text(randomBytes(16)) }

  /// Returns the stored form of a secret: its SHA-256 digest of 32 bytes.
  ///
  /// A fast digest suffices, because nobody can find 128 random bits by trying.
  package static func digest(of secret: some StringProtocol) -> [UInt8] {
    ContentDigest.of(Array(secret.utf8))
  }

  /// Compares two digests in a time that does not reveal where they differ.
  package static func isSame(_ one: [UInt8], _ other: [UInt8]) -> Bool {
    guard one.count == other.count else { return false }
    return zip(one, other).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
  }

  static func randomBytes(_ count: Int) -> [UInt8] {
    // The random numbers of the system are suitable for keys.
    var source = SystemRandomNumberGenerator()
    return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &source) }
  }
}

/// The secret of a data folder, from which unguessable names are derived.
///
/// Equal content has the same name within one folder, and different names in different folders.
struct FolderSecret: Sendable {
  /// The file in the data folder.
  static let name = "secret"
  private static let length = 32
  private let bytes: [UInt8]

  init(bytes: [UInt8]) { self.bytes = bytes }

  /// Reads the secret of a folder and creates it if necessary; only the folder's owner can read it.
  init(in files: StoredFiles) throws(FileFault) { bytes = try Self.stored(in: files) }

  /// Returns the bytes of the secret.
  static func stored(in files: StoredFiles) throws(FileFault) -> [UInt8] {
    let kept = try files.storeOnce(name) { Secrets.randomBytes(Self.length) }
    guard isFit(kept) else { throw FileFault(path: files.folder + "/" + name, code: EBADMSG) }
    return kept
  }

  /// Whether bytes can be a secret.
  static func isFit(_ bytes: [UInt8]) -> Bool { bytes.count == length }

  /// Returns the id of the book with this content: 124 bits as letters and digits.
  func bookID(of hash: [UInt8]) -> String {
    let number = keyed("book", hash).prefix(16).reduce(UInt128(0)) { $0 << 8 | UInt128($1) }
    let text = String(number, radix: 36)
    return String((String(repeating: "0", count: 24) + text).suffix(24))
  }

  /// Returns 128 bits of authentication of a text, as characters that need no escaping.
  func signature(of text: some StringProtocol) -> String {
    Base64URL.text(Array(keyed("pass", Array(text.utf8)).prefix(16)))
  }

  /// Returns the HMAC-SHA-256 (RFC 2104) of bytes, separated by purpose.
  private func keyed(_ purpose: StaticString, _ message: [UInt8]) -> [UInt8] {
    let message = Array("\(purpose)\0".utf8) + message
    return [UInt8](unsafeUninitializedCapacity: 32) { buffer, count in
      var length: UInt32 = 0
      HMAC(
        EVP_sha256(),
        bytes,
        Int32(bytes.count),
        message,
        message.count,
        buffer.baseAddress,
        &length
      )
      count = Int(length)
    }
  }
}
