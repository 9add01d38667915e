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
    guard bytes.count >= 18, bytes[0] == Self.version, bytes.count == 18 + Int(bytes[17])
    else { return nil }
    func number(at start: Int) -> UInt64 {
      bytes[start..<start + 8].reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
    node = NodeID(number(at: 1))
    epoch = number(at: 9)
    address = String(decoding: bytes[18...], as: UTF8.self)
  }

  /// The bytes of the value.
  package var bytes: [UInt8] {
    var bytes = [Self.version]
    for number in [node.rawValue, epoch] {
      for shift in stride(from: UInt64(0), to: 64, by: 8) {
        bytes.append(UInt8(number >> shift & 0xff))
      }
    }
    // Shortening can split a character, whose replacement is longer.
    let text = address.utf8.prefix(255)
    return bytes + [UInt8(text.count)] + text
  }

  /// Returns the epoch of the ownership, given the record's revision.
  package func epoch(of record: Record) -> UInt64 { epoch == 0 ? record.revision : epoch }
}
