internal import Bytes

typealias ClusterReader = ByteCoder<ByteError>

/// Writes the fields of messages between nodes: little-endian numbers, and bytes with their length.
struct ClusterWriter {
  var bytes: [UInt8] = []

  mutating func byte(_ value: UInt8) { bytes.append(value) }

  mutating func number<Number: FixedWidthInteger>(_ value: Number) {
    withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
  }

  mutating func flag(_ value: Bool) { byte(value ? 1 : 0) }

  mutating func double(_ value: Double) { number(value.bitPattern) }

  mutating func block(_ value: some Collection<UInt8>) {
    number(UInt32(clamping: value.count))
    bytes.append(contentsOf: value)
  }

  mutating func text(_ value: String) { block(value.utf8) }

  mutating func stream(_ stream: StreamID) {
    text(stream.room)
    number(stream.wanderer?.rawValue ?? 0)
  }
}

extension ClusterReader {
  mutating func byte(_ field: String) throws(ByteError) -> UInt8 { try number(0, field) }

  mutating func flag(_ field: String) throws(ByteError) -> Bool { try flag(false, field) }

  mutating func double(_ field: String) throws(ByteError) -> Double { try double(0, field) }

  /// Reads a block of bytes, which follow their count.
  mutating func block(_ field: String) throws(ByteError) -> UnsafeRawBufferPointer {
    try slice(count(field, bytesEach: 1), field)
  }

  mutating func text(_ field: String) throws(ByteError) -> String {
    try utf8("", field, count: try count(field, bytesEach: 1))
  }

  mutating func member() throws(ByteError) -> MemberID { MemberID(try number(0, "member")) }

  mutating func stream() throws(ByteError) -> StreamID {
    let (room, wanderer) = (try text("stream"), try number(UInt32(0), "wanderer"))
    return StreamID(room: room, wanderer: wanderer == 0 ? nil : MemberID(wanderer))
  }

  /// Reads a count of items that take at least one byte each.
  mutating func count(_ field: String, bytesEach: Int = 1) throws(ByteError) -> Int {
    try count(0, field, UInt32.self, limit: .max, bytesEach: bytesEach)
  }
}
