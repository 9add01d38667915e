/// What ``RoomLeases`` asks for or reports, in order.
package enum LeaseEffect: Equatable, Sendable {
  /// Read the lease of a room, and pass on the answer with the number.
  case read(UInt64, room: String)
  /// Write the lease of a room, and pass on the answer with the number.
  case write(UInt64, room: String, [UInt8], after: WriteCondition)
  /// Delete the lease of a room, and pass on the answer with the number.
  case delete(UInt64, room: String, after: WriteCondition)
  /// Broadcast a heartbeat.
  case heartbeat(Heartbeat)
  /// This node owns a room: it took it, or its ownership has a new epoch.
  case owned(String, epoch: UInt64)
  /// Another node owns a room that this node wants.
  case owner(String, RoomOwner)
  /// This node must not act as the owner of a room until it is thawed or lost.
  case frozen(String)
  /// This node is confirmed as the owner of a room that was frozen; the epoch is the same.
  case thawed(String)
  /// This node is no longer the owner of a room, which continues elsewhere, if at all.
  case lost(String)
  /// A room that this node released has another owner or none; or the release failed for so long
  /// that the others have to find out for themselves.
  case released(String)
}

/// The node that owns a room.
package struct RoomOwner: Equatable, Sendable {
  /// The owner.
  package let node: NodeID
  /// The epoch of the ownership: of two owners, the one with the greater epoch is the later one.
  package let epoch: UInt64
  /// Where the owner can be reached, for people and tools.
  package let address: String

  /// Creates an owner.
  package init(node: NodeID, epoch: UInt64, address: String) {
    (self.node, self.epoch, self.address) = (node, epoch, address)
  }
}
