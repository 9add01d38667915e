/// Appends the fields of the protocol to a buffer.
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

  /// Appends a non-negative number; a number beyond the range of the field is clamped.
  mutating func appendCount(_ value: Int) { append32(UInt32(clamping: value)) }

  mutating func appendSigned(_ value: Int) { append64(UInt64(bitPattern: Int64(value))) }

  mutating func appendDouble(_ value: Double) { append64(value.bitPattern) }

  mutating func appendString(_ text: String) {
    appendCount(text.utf8.count)
    append(contentsOf: text.utf8)
  }

  mutating func appendBytes(_ bytes: [UInt8]) {
    appendCount(bytes.count)
    append(contentsOf: bytes)
  }

  /// Appends a page that may be missing; the highest number means none.
  mutating func appendPage(_ page: Int?) { appendCount(page ?? Int(UInt32.max)) }

  mutating func appendBox(_ box: Box) {
    append16(box.left)
    append16(box.top)
    append16(box.right)
    append16(box.bottom)
  }
}
