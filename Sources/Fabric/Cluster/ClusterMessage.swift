/// A message between two nodes of a cluster.
///
/// Times are seconds of the clock of the node that owns the room.
package enum ClusterMessage: Equatable, Sendable {
  /// Messages of members of a room, to its owner.
  case toHost([GatewayMessage], room: String, epoch: UInt64)
  /// Messages of the host of a room, from its owner in an epoch, with the time at which it sent
  /// them.
  case fromHost(HostMessages, room: String, epoch: UInt64, sent: Double)
  /// The receiver does not own a room; a greater epoch than that of the sender's message is known,
  /// or 0 for none.
  case notOwner(room: String, epoch: UInt64)
  /// The sender neither owns a room nor is about to, whatever the lease of the room says.
  case denied(room: String)
  /// The sender owns a room from now on, in an epoch. A node that owns the room in a lesser epoch
  /// gives it up.
  case owned(room: String, epoch: UInt64)
  /// The sender names the receiver as the next owner of a room.
  case handOff(room: String)
  /// Asks for the receiver's clock; the answer repeats the sender's time.
  case clockRequest(sent: Double)
  /// The answer to a request for the clock.
  case clock(sent: Double, time: Double)
  /// The passes of members that were issued before a time, in Unix seconds, open nothing any more.
  case endPasses([MemberID], before: Double)
  /// The library has changed in the shared store, under these keys.
  case storeChanged([String])
}
