internal import Bytes

/// Translates keys of records to the tokens that NATS allows in subjects.
///
/// Letters, digits, `-` and `_` stand for themselves, and each other byte for `=` with two
/// hexadecimal digits.
enum RecordKey {
  /// The maximum length of a key, in bytes.
  static let bytesMax = 200

  /// Returns the token for a key, unless the key is empty or too long.
  static func token(_ key: String) -> String? {
    guard !key.isEmpty, key.utf8.count <= bytesMax else { return nil }
    var token: [UInt8] = []
    for byte in key.utf8 {
      if isPlain(byte) {
        token.append(byte)
      } else {
        token += [equals] + Hexadecimal.text([byte]).uppercased().utf8
      }
    }
    return String(decoding: token, as: UTF8.self)
  }

  private static let equals = UInt8(ascii: "=")

  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
      true
    default: false
    }
  }
}
