/// Writes the fields of messages between nodes: little-endian numbers, and bytes with their length.
struct ClusterWriter {
  var bytes: [UInt8] = []

  mutating func byte(_ value: UInt8) { bytes.append(value) }

  mutating func flag(_ value: Bool) { bytes.append(value ? 1 : 0) }

  mutating func number<Number: FixedWidthInteger>(_ value: Number) {
    withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
  }

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

/// Why a message of another node cannot be read.
package enum ClusterFault: Error, Equatable, Sendable {
  /// It ends too early, or a length in it is wrong.
  case truncated
  /// It contains a value that this version does not know.
  case unknown
}

/// Reads what ``ClusterWriter`` wrote; every read is checked against the end of the bytes.
struct ClusterReader {
  let bytes: [UInt8]
  private(set) var offset = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  var isAtEnd: Bool { offset == bytes.count }

  mutating func number<Number: FixedWidthInteger>(
    _ type: Number.Type = Number.self
  ) throws(ClusterFault) -> Number {
    let place = try range(MemoryLayout<Number>.size)
    return bytes.withUnsafeBytes { bytes in
      Number(littleEndian: bytes.loadUnaligned(fromByteOffset: place.lowerBound, as: Number.self))
    }
  }

  mutating func byte() throws(ClusterFault) -> UInt8 { try number(UInt8.self) }

  mutating func flag() throws(ClusterFault) -> Bool { try byte() != 0 }

  mutating func double() throws(ClusterFault) -> Double {
    let value = Double(bitPattern: try number(UInt64.self))
    guard value.isFinite else { throw .unknown }
    return value
  }

  /// Reads a block and returns its range.
  mutating func block() throws(ClusterFault) -> Range<Int> {
    try range(Int(try number(UInt32.self)))
  }

  mutating func text() throws(ClusterFault) -> String {
    guard let text = String(validating: bytes[try block()], as: UTF8.self) else { throw .unknown }
    return text
  }

  mutating func member() throws(ClusterFault) -> MemberID { MemberID(try number(UInt32.self)) }

  mutating func stream() throws(ClusterFault) -> StreamID {
    let (room, wanderer) = (try text(), try number(UInt32.self))
    return StreamID(room: room, wanderer: wanderer == 0 ? nil : MemberID(wanderer))
  }

  /// Reads a count of items that take at least one byte each.
  mutating func count() throws(ClusterFault) -> Int {
    let count = Int(try number(UInt32.self))
    guard count <= bytes.count - offset else { throw .truncated }
    return count
  }

  private mutating func range(_ count: Int) throws(ClusterFault) -> Range<Int> {
    guard count <= bytes.count - offset else { throw .truncated }
    defer { offset += count }
    return offset..<offset + count
  }
}
