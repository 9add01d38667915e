/// A message between two nodes of a cluster.
///
/// Times are seconds of the clock of the node that owns the room, also those within bytes.
package enum ClusterMessage: Equatable, Sendable {
  /// Messages of members of a room, to its owner.
  case toHost([GatewayMessage], room: String, epoch: UInt64)
  /// Messages of the host of a room, from its owner in an epoch, with the time at which it sent
  /// them.
  case fromHost(HostMessages, room: String, epoch: UInt64, sent: Double)
  /// The sender does not own a room in the epoch that the receiver has named, but in another one,
  /// or not at all (0). A sender that has just given the room up leaves it to the receiver.
  case notOwner(room: String, epoch: UInt64)
  /// The sender owns a room from now on, in an epoch. A node that owns the room in a lesser epoch
  /// gives it up.
  case owned(room: String, epoch: UInt64)
  /// The sender is there, or is about to end.
  case heartbeat(isEnding: Bool)
  /// Asks for the receiver's clock; the answer repeats the sender's time.
  case clockRequest(sent: Double)
  /// The answer to a request for the clock.
  case clock(sent: Double, time: Double)
  /// Questions to all room hosts, with a number for the answer.
  case questions([HostQuestion], id: UInt64)
  /// The answers to questions, in their order.
  case answers([Bool], id: UInt64)
  /// The library has changed in the shared store, under these keys.
  case storeChanged([String])
}
