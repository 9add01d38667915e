internal import PressProtocol

/// Reads the colours of an SVG drawing.
package enum SVGColours {
  /// Returns the colours of fills and gradient stops as `0xRRGGBB` in document order, at most
  /// ``PressReply/coloursMax`` of them.
  package static func fills(_ bytes: [UInt8]) -> [UInt32] {
    let keys = ["fill=\"", "fill='", "fill:", "stop-color=\"", "stop-color:"].map { Array($0.utf8) }
    var found: [UInt32] = []
    for hash in bytes.indices where bytes[hash] == UInt8(ascii: "#") {
      guard found.count < PressReply.coloursMax else { break }
      // The attribute is in the few bytes before the `#`.
      let before = bytes[max(0, hash - 12)..<hash]
      guard keys.contains(where: { before.suffix($0.count).elementsEqual($0) }) else { continue }
      let digits = bytes[(hash + 1)...].prefix(6).prefix(while: isDigit)
      if let colour = colour(digits) { found.append(colour) }
    }
    return found
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte | 0x20)
  }

  /// Parses `rgb` and `rrggbb`.
  private static func colour(_ digits: ArraySlice<UInt8>) -> UInt32? {
    guard let number = UInt32(String(decoding: digits, as: UTF8.self), radix: 16) else {
      return nil
    }
    switch digits.count {
    case 6: return number
    case 3: return ((number & 0xF00) << 8 | (number & 0xF0) << 4 | number & 0xF) * 0x11
    default: return nil
    }
  }
}
