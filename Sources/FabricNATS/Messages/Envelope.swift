internal import Bytes
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
    var reader = ByteCoder<ByteError>(reading: bytes)
    guard bytes.first == Self.version, let _ = try? reader.number(UInt8(0), "version"),
      let sender = try? reader.number(UInt64(0), "sender"),
      let number = try? reader.number(UInt64(0), "number"), number > 0,
      let part = try? reader.number(UInt16(0), "part"),
      let partCount = try? reader.number(UInt16(0), "parts"), part < partCount
    else { return nil }
    self.init(sender: NodeID(sender), number: number, part: part, partCount: partCount)
  }

  /// Appends the envelope's bytes.
  func encode(into bytes: inout [UInt8]) {
    bytes.append(Self.version)
    bytes.append64(sender.rawValue)
    bytes.append64(number)
    bytes.append16(part)
    bytes.append16(partCount)
  }
}
