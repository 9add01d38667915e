/// Writing of little-endian fields at the end of a buffer that keeps its capacity.
extension [UInt8] {
  mutating func append16(_ value: UInt16) {
    append(UInt8(truncatingIfNeeded: value))
    append(UInt8(truncatingIfNeeded: value &>> 8))
  }

  mutating func append32(_ value: UInt32) {
    append16(UInt16(truncatingIfNeeded: value))
    append16(UInt16(truncatingIfNeeded: value &>> 16))
  }

  mutating func append64(_ value: UInt64) {
    append32(UInt32(truncatingIfNeeded: value))
    append32(UInt32(truncatingIfNeeded: value &>> 32))
  }

  mutating func appendFloat(_ value: Float) { append32(value.bitPattern) }

  mutating func appendFloat(_ value: Double) { append32(Float(value).bitPattern) }

  mutating func appendDouble(_ value: Double) { append64(value.bitPattern) }

  /// Appends a text with its length, cut between two characters if it is too long.
  mutating func appendString(_ text: String) {
    var end = text.endIndex
    if text.utf8.count > WireLimits.textBytes {
      end = text.startIndex
      var bytes = 0
      for index in text.indices {
        bytes += text[index].utf8.count
        if bytes > WireLimits.textBytes { break }
        end = text.index(after: index)
      }
    }
    let utf8 = text[..<end].utf8
    append16(UInt16(truncatingIfNeeded: utf8.count))
    append(contentsOf: utf8)
  }

  /// Overwrites two bytes that were left open.
  mutating func set16(_ value: UInt16, at offset: Int) {
    self[offset] = UInt8(truncatingIfNeeded: value)
    self[offset + 1] = UInt8(truncatingIfNeeded: value &>> 8)
  }
}
