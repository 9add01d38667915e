/// Decodes the fields of one message and checks every read against its end.
struct ByteReader {
  private let bytes: UnsafeRawBufferPointer
  private var offset = 0

  /// Creates a reader; the bytes must outlive it.
  init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  private var available: Int { bytes.count - offset }

  private func require(_ needed: Int, _ field: String) throws(PressProtocolError) {
    guard available >= needed else {
      throw .truncated(field: field, needed: needed, available: available)
    }
  }

  func finish() throws(PressProtocolError) {
    guard available == 0 else { throw .trailingBytes(count: available) }
  }

  private mutating func load<T: FixedWidthInteger & BitwiseCopyable>(
    _ type: T.Type,
    _ field: String
  ) throws(PressProtocolError) -> T {
    let size = MemoryLayout<T>.size
    try require(size, field)
    defer { offset += size }
    return T(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: type))
  }

  mutating func uint8(_ field: String) throws(PressProtocolError) -> UInt8 {
    try load(UInt8.self, field)
  }

  mutating func uint16(_ field: String) throws(PressProtocolError) -> UInt16 {
    try load(UInt16.self, field)
  }

  mutating func uint32(_ field: String) throws(PressProtocolError) -> UInt32 {
    try load(UInt32.self, field)
  }

  mutating func count(_ field: String) throws(PressProtocolError) -> Int {
    Int(try load(UInt32.self, field))
  }

  mutating func signed(_ field: String) throws(PressProtocolError) -> Int {
    Int(try load(Int64.self, field))
  }

  mutating func bool(_ field: String) throws(PressProtocolError) -> Bool {
    let value = try uint8(field)
    guard value <= 1 else { throw .unknownValue(field: field, value: value) }
    return value == 1
  }

  /// Reads a size, from a thousandth to a billion of its unit.
  mutating func size(_ field: String) throws(PressProtocolError) -> Double {
    let value = Double(bitPattern: try load(UInt64.self, field))
    guard (0.001...1e9).contains(value) else { throw .outOfRange(field: field) }
    return value
  }

  mutating func choice<T: RawRepresentable>(
    _ type: T.Type,
    _ field: String
  ) throws(PressProtocolError) -> T where T.RawValue == UInt8 {
    let value = try uint8(field)
    guard let choice = T(rawValue: value) else { throw .unknownValue(field: field, value: value) }
    return choice
  }

  mutating func page(_ field: String) throws(PressProtocolError) -> Int? {
    let value = try count(field)
    return value == Int(UInt32.max) ? nil : value
  }

  mutating func box(_ field: String) throws(PressProtocolError) -> Box {
    let left = try uint16(field)
    let top = try uint16(field)
    let right = try uint16(field)
    let bottom = try uint16(field)
    guard left <= right, top <= bottom else { throw .outOfRange(field: field) }
    return Box(left: left, top: top, right: right, bottom: bottom)
  }

  private mutating func slice(_ field: String) throws(PressProtocolError) -> UnsafeRawBufferPointer
  {
    let count = try count(field)
    try require(count, field)
    defer { offset += count }
    return UnsafeRawBufferPointer(rebasing: bytes[offset..<(offset + count)])
  }

  mutating func string(_ field: String) throws(PressProtocolError) -> String {
    guard let text = String(validating: try slice(field), as: UTF8.self) else {
      throw .notUTF8(field: field)
    }
    return text
  }

  mutating func byteArray(_ field: String) throws(PressProtocolError) -> [UInt8] {
    [UInt8](try slice(field))
  }

  /// Reads a text as one line up to a limit.
  mutating func line(
    _ field: String,
    _ limit: PressText.Limit
  ) throws(PressProtocolError) -> String {
    PressText.line(try string(field), limit)
  }

  /// Reads a list with a maximum count, whose items have a minimum size.
  ///
  /// The count is checked before memory is reserved, because a large count is cheap to send.
  mutating func list<T>(
    _ field: String,
    atMost limit: Int,
    bytesEach: Int,
    _ read: (inout ByteReader) throws(PressProtocolError) -> T
  ) throws(PressProtocolError) -> [T] {
    let count = try count(field)
    guard count <= limit else { throw .outOfRange(field: field) }
    try require(count * bytesEach, field)
    var list: [T] = []
    list.reserveCapacity(count)
    for _ in 0..<count { list.append(try read(&self)) }
    return list
  }
}

extension ByteReader {
  /// Decodes a whole message from an array.
  static func whole<T>(
    _ bytes: [UInt8],
    _ read: (inout ByteReader) throws(PressProtocolError) -> T
  ) throws(PressProtocolError) -> T {
    let result = bytes.withUnsafeBytes { buffer -> Result<T, PressProtocolError> in
      var reader = ByteReader(buffer)
      do throws(PressProtocolError) {
        let value = try read(&reader)
        try reader.finish()
        return .success(value)
      } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }
}
