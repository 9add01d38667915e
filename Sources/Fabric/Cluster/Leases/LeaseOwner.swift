internal import Bytes

/// The node that owns a room: the value of a record in ``Bucket/leases``.
package struct LeaseOwner: Equatable, Sendable {
  /// The owner.
  package let node: NodeID
  /// The epoch of the ownership: of two owners, the one with the greater epoch is the later one.
  ///
  /// In a value that is written, 0 stands for the revision of the write.
  package let epoch: UInt64
  /// Where the owner can be reached, for people and tools; at most 255 bytes.
  package let address: String

  private static let version: UInt8 = 1

  /// Creates an owner; an address that is too long is shortened.
  package init(node: NodeID, epoch: UInt64, address: String) {
    (self.node, self.epoch) = (node, epoch)
    self.address = String(decoding: address.utf8.prefix(255), as: UTF8.self)
  }

  /// Reads the owner from a record, unless the record names none.
  package init?(_ record: Record) {
    let read = try? ClusterReader.read(record.value) { reader throws(ByteError) in
      guard try reader.byte("version") == Self.version else { throw .invalid(field: "version") }
      let node = try reader.number(UInt64(0), "node")
      let epoch = try reader.number(UInt64(0), "epoch")
      let count = Int(try reader.byte("address"))
      let address = String(decoding: try reader.slice(count, "address"), as: UTF8.self)
      return (NodeID(node), epoch, address)
    }
    guard let (node, epoch, address) = read else { return nil }
    (self.node, self.address) = (node, address)
    self.epoch = epoch == 0 ? record.revision : epoch
  }

  /// The value of the record.
  package var bytes: [UInt8] {
    // Shortening can split a character, whose replacement is longer.
    let text = address.utf8.prefix(255)
    var writer = ClusterWriter(bytes: [Self.version])
    writer.number(node.rawValue)
    writer.number(epoch)
    writer.byte(UInt8(text.count))
    return writer.bytes + text
  }
}
