internal import Fabric

/// What precedes the bytes of each message: who sent it, and its place among those of its kind.
struct Envelope: Equatable, Sendable {
  let sender: NodeID
  /// The number of the message among those of the sender to the same receivers, from 1.
  let number: UInt64
  /// The number of this part of the message, from 0.
  let part: UInt16
  /// The number of parts of the message.
  let partCount: UInt16

  static let byteCount = 21
  private static let version: UInt8 = 1

  init(sender: NodeID, number: UInt64, part: UInt16 = 0, partCount: UInt16 = 1) {
    (self.sender, self.number, self.part, self.partCount) = (sender, number, part, partCount)
  }

  /// Reads an envelope, unless the bytes do not begin with one.
  init?(_ bytes: UnsafeRawBufferPointer) {
    guard bytes.count >= Self.byteCount, bytes[0] == Self.version else { return nil }
    sender = NodeID(UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: 1, as: UInt64.self)))
    number = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: 9, as: UInt64.self))
    part = UInt16(littleEndian: bytes.loadUnaligned(fromByteOffset: 17, as: UInt16.self))
    partCount = UInt16(littleEndian: bytes.loadUnaligned(fromByteOffset: 19, as: UInt16.self))
    guard part < partCount, number > 0 else { return nil }
  }

  /// Appends the envelope's bytes.
  func encode(into bytes: inout [UInt8]) {
    bytes.append(Self.version)
    withUnsafeBytes(of: sender.rawValue.littleEndian) { bytes += $0 }
    withUnsafeBytes(of: number.littleEndian) { bytes += $0 }
    withUnsafeBytes(of: part.littleEndian) { bytes += $0 }
    withUnsafeBytes(of: partCount.littleEndian) { bytes += $0 }
  }
}
