/// The hexadecimal form of bytes, in lowercase digits.
package enum Hexadecimal {
  private static let digits = Array("0123456789abcdef".utf8)

  /// Returns two digits for each byte.
  package static func text(_ bytes: some Sequence<UInt8>) -> String {
    String(
      decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] },
      as: UTF8.self
    )
  }

  /// Returns all digits of a number, with leading zeros.
  package static func text<Number: FixedWidthInteger>(of number: Number) -> String {
    withUnsafeBytes(of: number.bigEndian) { text($0) }
  }

  /// Returns the bytes of a text, unless it is not pairs of lowercase digits.
  package static func bytes(_ text: some StringProtocol) -> [UInt8]? {
    var bytes: [UInt8] = []
    var high: UInt8?
    for byte in text.utf8 {
      guard let digit = value(of: byte) else { return nil }
      guard let first = high else {
        high = digit
        continue
      }
      bytes.append(first << 4 | digit)
      high = nil
    }
    return high == nil ? bytes : nil
  }

  /// Returns the 32 bytes of a digest, unless a text is not its 64 digits.
  package static func digest(_ text: some StringProtocol) -> [UInt8]? {
    text.utf8.count == 64 ? bytes(text) : nil
  }

  /// Returns a text in which a mark and two digits of either case stand for a byte, as bytes; nil
  /// if a mark has no digits.
  package static func unescaped(_ text: some StringProtocol, mark: Character = "%") -> [UInt8]? {
    let mark = mark.asciiValue
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      guard byte == mark else {
        bytes.append(byte)
        continue
      }
      guard rest.count >= 2, let high = value(of: rest.removeFirst() | 0x20),
        let low = value(of: rest.removeFirst() | 0x20)
      else { return nil }
      bytes.append(high << 4 | low)
    }
    return bytes
  }

  private static func value(of digit: UInt8) -> UInt8? {
    switch digit {
    case 0x30...0x39: digit - 0x30
    case 0x61...0x66: digit - 0x61 + 10
    default: nil
    }
  }
}
