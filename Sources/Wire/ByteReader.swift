internal import Scene

/// Decodes the fields of one message from a peer; every read is checked against the message's end.
struct ByteReader {
  private let bytes: UnsafeRawBufferPointer
  /// The offset of the next byte.
  private(set) var offset = 0

  /// Creates a reader; the bytes must outlive it.
  init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  /// The number of unread bytes.
  var available: Int { bytes.count - offset }

  /// Checks that enough bytes are left.
  func require(_ needed: Int, _ field: String) throws(WireError) {
    guard available >= needed else {
      throw .truncated(field: field, offset: offset, needed: needed, available: available)
    }
  }

  /// Checks that no bytes are left.
  func finish() throws(WireError) {
    guard available == 0 else { throw .trailingBytes(offset: offset, count: available) }
  }

  private mutating func load<T: BitwiseCopyable>(
    _ type: T.Type,
    _ field: String
  ) throws(WireError) -> T {
    let size = MemoryLayout<T>.size
    try require(size, field)
    defer { offset += size }
    return bytes.loadUnaligned(fromByteOffset: offset, as: type)
  }

  mutating func uint8(_ field: String) throws(WireError) -> UInt8 { try load(UInt8.self, field) }

  mutating func uint16(_ field: String) throws(WireError) -> UInt16 {
    UInt16(littleEndian: try load(UInt16.self, field))
  }

  mutating func uint32(_ field: String) throws(WireError) -> UInt32 {
    UInt32(littleEndian: try load(UInt32.self, field))
  }

  /// Reads a number of at most 52 bits, seven bits at a time, lowest first.
  mutating func number(_ field: String) throws(WireError) -> UInt64 {
    let start = offset
    let value = try groups(field)
    guard value <= ElementNumbers.max else { throw .tooLarge(field: field, offset: start) }
    return value
  }

  /// Reads a number of at most eight groups of seven bits, in its shortest form.
  mutating func groups(_ field: String) throws(WireError) -> UInt64 {
    let start = offset
    var value: UInt64 = 0
    for shift in stride(from: UInt64(0), to: 56, by: 7) {
      let byte = try uint8(field)
      value |= UInt64(byte & 0x7f) &<< shift
      guard byte & 0x80 == 0 else { continue }
      guard byte != 0 || shift == 0 else { throw .notShortest(field: field, offset: start) }
      return value
    }
    throw .tooLarge(field: field, offset: start)
  }

  mutating func float(_ field: String) throws(WireError) -> Float {
    let value = Float(bitPattern: try uint32(field))
    guard value.isFinite else { throw .notFinite(field: field) }
    return value
  }

  mutating func double(_ field: String) throws(WireError) -> Double {
    let value = Double(bitPattern: UInt64(littleEndian: try load(UInt64.self, field)))
    guard value.isFinite else { throw .notFinite(field: field) }
    return value
  }

  /// Reads a Float32 and checks its range.
  mutating func float(
    _ field: String,
    _ lowest: Double,
    _ highest: Double
  ) throws(WireError) -> Double {
    let value = Double(try float(field))
    guard value >= lowest, value <= highest else {
      throw .outOfRange(field: field, value: value, lowest: lowest, highest: highest)
    }
    return value
  }

  /// Reads flags and checks that no unknown bits are set.
  mutating func flags(_ field: String, known: UInt8) throws(WireError) -> UInt8 {
    let value = try uint8(field)
    guard value & ~known == 0 else { throw .unknownValue(field: field, value: value) }
    return value
  }

  /// Reads a set, in which the number of each item is that of its bit; unknown items are ignored.
  mutating func set<Items: OptionSet>(
    _ field: String,
    known: Items
  ) throws(WireError) -> Items where Items.RawValue: FixedWidthInteger {
    var bits: Items.RawValue = 0
    for _ in 0..<(try uint8(field)) {
      let item = try uint8(field)
      if item < Items.RawValue.bitWidth { bits |= 1 &<< Items.RawValue(item) }
    }
    return Items(rawValue: bits & known.rawValue)
  }

  /// Reads one byte of an enumeration.
  mutating func choice<T: RawRepresentable>(
    _ type: T.Type,
    _ field: String
  ) throws(WireError) -> T where T.RawValue == UInt8 {
    let value = try uint8(field)
    guard let choice = T(rawValue: value) else { throw .unknownValue(field: field, value: value) }
    return choice
  }

  /// Reads a text: its length in bytes, then UTF-8.
  mutating func string(
    _ field: String,
    limit: Int = WireLimits.textBytes
  ) throws(WireError) -> String {
    let start = offset
    let count = Int(try uint16(field))
    guard count <= limit else {
      throw .tooMany(field: "bytes of \(field)", count: count, limit: limit)
    }
    try require(count, field)
    let slice = UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + count])
    guard let text = String(validating: slice, as: UTF8.self) else {
      throw .notUTF8(field: field, offset: start)
    }
    offset += count
    return text
  }

  /// Reads the number of items, each of which has a minimum size.
  ///
  /// The number is checked before memory is reserved, because a large number is cheap to send.
  mutating func count16(
    _ field: String,
    limit: Int,
    bytesEach: Int
  ) throws(WireError) -> Int {
    let count = Int(try uint16(field))
    guard count <= limit else { throw .tooMany(field: field, count: count, limit: limit) }
    try require(count * bytesEach, field)
    return count
  }

  /// Splits off a reader of the next bytes.
  mutating func part(_ count: Int, _ field: String) throws(WireError) -> ByteReader {
    try require(count, field)
    defer { offset += count }
    return ByteReader(UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + count]))
  }
}
