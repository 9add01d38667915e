/// Encodes bytes as text that needs no escaping in an address (RFC 4648, section 5), without
/// padding.
package enum Base64URL {
  private static let digits = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8
  )

  /// Returns the text of bytes.
  package static func text(_ bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    var bits = 0
    var value = 0
    for byte in bytes {
      value = value << 8 | Int(byte)
      bits += 8
      while bits >= 6 {
        bits -= 6
        text.append(digits[value >> bits & 63])
      }
      value &= 1 << bits - 1
    }
    if bits > 0 { text.append(digits[value << (6 - bits) & 63]) }
    return String(decoding: text, as: UTF8.self)
  }
}
