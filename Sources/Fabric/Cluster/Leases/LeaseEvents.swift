/// Something that ``Leases`` must know.
package enum LeaseEvent: Sendable {
  /// Members of a room are connected to this node.
  ///
  /// ``LeaseEffect/owned(_:epoch:)`` or ``LeaseEffect/owner(_:_:)`` follows, and again whenever the
  /// owner or the epoch changes, until the room is forgotten.
  case want(String)
  /// No member of a room is connected to this node any more. A room that this node owns remains its
  /// own until it is released.
  case forget(String)
  /// The caller has stopped acting as the owner of a room, which it gives up.
  case release(String)
  /// Another node mentioned an epoch of a room, or contradicted what is known here (0); a greater
  /// epoch than the known one is looked up.
  case doubt(String, epoch: UInt64)
  /// A request is answered, with its number.
  case answered(String, UInt64, Result<LeaseAnswer, RecordFailure>)
  /// Another node sent a message, perhaps the last one.
  case heard(NodeID, isEnding: Bool)
  /// The bus was connected or disconnected.
  case connection(Bool)
  /// This node is about to end. It has released its rooms; what is left is taken by others at once.
  case ending
  /// ``Leases/wakeTime`` has come.
  case wake
}

/// The answer to a request of a lease.
package enum LeaseAnswer: Sendable {
  case record(Record?)
  /// The new revision.
  case written(UInt64)
  case deleted
}

/// What ``Leases`` asks for or reports, in order.
package enum LeaseEffect: Equatable, Sendable {
  /// Read the lease of a room, and pass on the answer with the number.
  case read(String, UInt64)
  /// Write the lease of a room, and pass on the answer with the number.
  case write(String, UInt64, [UInt8], after: WriteCondition)
  /// Delete the lease of a room, and pass on the answer with the number.
  case delete(String, UInt64, after: WriteCondition)
  /// Broadcast that this node is there, or that it ends.
  case heartbeat(isEnding: Bool)
  /// Another node has ended or is silent.
  case gone(NodeID)
  /// This node owns a room: it took it, or its ownership has a new epoch.
  case owned(String, epoch: UInt64)
  /// Another node owns a room that this node wants.
  case owner(String, LeaseOwner)
  /// This node must not act as the owner of a room until it is thawed or lost.
  case frozen(String)
  /// This node is confirmed as the owner of a room that was frozen; the epoch is the same.
  case thawed(String)
  /// This node is no longer the owner of a room, which continues elsewhere, if at all.
  case lost(String)
  /// A room that this node released has another owner or none, or its lease could not be deleted.
  case released(String)
}
