/// Encoding of little-endian fields into a buffer, which keeps its capacity.
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

  /// Appends a number, seven bits at a time, lowest first; the high bit means that another byte
  /// follows.
  mutating func appendNumber(_ value: UInt64) {
    var rest = value
    while rest > 0x7f {
      append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest &>>= 7
    }
    append(UInt8(truncatingIfNeeded: rest))
  }

  mutating func appendFloat(_ value: Float) { append32(value.bitPattern) }

  mutating func appendFloat(_ value: Double) { append32(Float(value).bitPattern) }

  mutating func appendDouble(_ value: Double) { append64(value.bitPattern) }

  /// Appends a text with its length; a text that is too long is truncated between two characters.
  mutating func appendString(_ text: String, limit: Int = WireLimits.textBytes) {
    let utf8 = text.utf8.count > limit ? text.prefix(bytes: limit).utf8 : text[...].utf8
    append16(UInt16(truncatingIfNeeded: utf8.count))
    append(contentsOf: utf8)
  }

  /// Appends a two-byte count and then as many of the items as end before a position in the buffer.
  /// - Returns: The number of items written.
  @discardableResult
  mutating func appendList<List: Collection>(
    _ list: List,
    before limit: Int,
    _ write: (inout [UInt8], List.Element) -> Void
  ) -> Int {
    append16(0)
    let head = count
    var written = 0
    for thing in list.prefix(Int(UInt16.max)) {
      let end = count
      write(&self, thing)
      if count > limit {
        removeLast(count - end)
        break
      }
      written += 1
    }
    set16(UInt16(truncatingIfNeeded: written), at: head - 2)
    return written
  }

  /// Appends a set: the count of its items, then the number of each item, which is that of its bit.
  mutating func appendSet<Items: OptionSet>(_ items: Items)
  where Items.RawValue: FixedWidthInteger {
    var rest = items.rawValue
    append(UInt8(truncatingIfNeeded: rest.nonzeroBitCount))
    while rest != 0 {
      append(UInt8(truncatingIfNeeded: rest.trailingZeroBitCount))
      rest &= rest &- 1
    }
  }

  /// Overwrites two bytes that were reserved earlier.
  mutating func set16(_ value: UInt16, at offset: Int) {
    self[offset] = UInt8(truncatingIfNeeded: value)
    self[offset + 1] = UInt8(truncatingIfNeeded: value &>> 8)
  }
}

extension String {
  /// Returns the longest prefix within a number of bytes of UTF-8 that ends between two characters.
  ///
  /// If the first character alone is longer, it is cut between its scalars.
  func prefix(bytes limit: Int) -> Substring {
    var (end, bytes) = (startIndex, 0)
    for index in indices {
      bytes += self[index].utf8.count
      if bytes > limit { break }
      end = self.index(after: index)
    }
    guard end == startIndex else { return self[..<end] }
    bytes = 0
    for index in unicodeScalars.indices {
      bytes += unicodeScalars[index].utf8.count
      if bytes > limit { break }
      end = unicodeScalars.index(after: index)
    }
    return self[..<end]
  }
}
