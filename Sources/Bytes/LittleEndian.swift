/// Writing of little-endian numbers into a buffer, which keeps its capacity.
extension [UInt8] {
  /// Appends two bytes.
  @inlinable public mutating func append16(_ value: UInt16) {
    append(UInt8(truncatingIfNeeded: value))
    append(UInt8(truncatingIfNeeded: value &>> 8))
  }

  /// Appends four bytes.
  @inlinable public mutating func append32(_ value: UInt32) {
    append16(UInt16(truncatingIfNeeded: value))
    append16(UInt16(truncatingIfNeeded: value &>> 16))
  }

  /// Appends eight bytes.
  @inlinable public mutating func append64(_ value: UInt64) {
    append32(UInt32(truncatingIfNeeded: value))
    append32(UInt32(truncatingIfNeeded: value &>> 32))
  }

  /// Appends a number, seven bits at a time, lowest first; the high bit means that another byte
  /// follows.
  @inlinable public mutating func appendGroups(_ value: UInt64) {
    var rest = value
    while rest > 0x7f {
      append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest &>>= 7
    }
    append(UInt8(truncatingIfNeeded: rest))
  }

  /// Overwrites two bytes that were reserved earlier.
  @inlinable public mutating func set16(_ value: UInt16, at offset: Int) {
    self[offset] = UInt8(truncatingIfNeeded: value)
    self[offset + 1] = UInt8(truncatingIfNeeded: value &>> 8)
  }
}
