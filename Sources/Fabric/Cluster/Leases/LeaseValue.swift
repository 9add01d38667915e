internal import Bytes

/// The value of a record in ``Bucket/leases``: the node that owns a room.
package struct LeaseValue: Equatable, Sendable {
  /// The owner.
  package let node: NodeID
  /// The epoch of the ownership; 0 if it is the revision of the record.
  package let epoch: UInt64
  /// Where the owner can be reached, for people and tools; at most 255 bytes.
  package let address: String

  private static let version: UInt8 = 1

  /// Creates the value; an address that is too long is shortened.
  package init(node: NodeID, epoch: UInt64, address: String) {
    (self.node, self.epoch) = (node, epoch)
    self.address = String(decoding: address.utf8.prefix(255), as: UTF8.self)
  }

  /// Reads the value of a record, unless it is not one.
  package init?(_ bytes: [UInt8]) {
    let read = try? ClusterReader.read(bytes) { reader throws(ByteError) in
      guard try reader.byte("version") == Self.version else { throw .invalid(field: "version") }
      let (node, epoch) = (
        try reader.number(UInt64(0), "node"), try reader.number(UInt64(0), "epoch")
      )
      let count = Int(try reader.byte("address"))
      let address = String(decoding: try reader.slice(count, "address"), as: UTF8.self)
      return (NodeID(node), epoch, address)
    }
    guard let read else { return nil }
    (node, epoch, address) = read
  }

  /// The bytes of the value.
  package var bytes: [UInt8] {
    var writer = ClusterWriter(bytes: [Self.version])
    writer.number(node.rawValue)
    writer.number(epoch)
    // Shortening can split a character, whose replacement is longer.
    let text = address.utf8.prefix(255)
    writer.byte(UInt8(text.count))
    return writer.bytes + text
  }

  /// Returns the epoch of the ownership, given the record's revision.
  package func epoch(of record: Record) -> UInt64 { epoch == 0 ? record.revision : epoch }
}
