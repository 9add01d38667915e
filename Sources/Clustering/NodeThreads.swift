package import Fabric
package import Rooms

/// The service threads of a node's process, as the node needs them; any thread may call them.
package protocol NodeThreads: AnyObject, Sendable {
  /// What all hosts of the process know together.
  var directory: RoomDirectory { get }
  /// Names, secrets and keys for the rooms.
  var environment: Environment { get }

  /// Sets the number of the node, which is a part of its members' numbers.
  func setNode(_ number: UInt32)
  /// Runs work with the relays of the thread of a room.
  func inRoom(_ room: String, _ work: @escaping @Sendable (Relays) -> Void)
  /// Runs work with the relays of each thread.
  func inAllRooms(_ work: @escaping @Sendable (Relays) -> Void)
  /// Ends the passes of members that were made before a time, in Unix seconds.
  func endPasses(of members: [MemberID], before date: Double)
  /// Removes the members of a node that is gone.
  func nodeGone(_ node: NodeID)
  /// Handles messages of a node's members for a room of this process.
  func receive(_ messages: [GatewayMessage], from node: NodeID, room: String)
  /// Continues with the hello of a member, whose room was looked up, on a thread.
  func foundRoom(of member: MemberID, onThread index: Int)
}

/// The rooms and the gateway of one service thread, as its relays use them.
package protocol RelayThread: AnyObject {
  /// Opens a room with the state of its previous owner, unless it is open already.
  func restore(_ state: RoomState, now: Double)
  /// Closes a room that continues at another node, and returns its state; nothing more is stored of
  /// a room that is lost.
  func handOver(_ room: String, isLost: Bool, now: Double) -> RoomState?
  /// Whether a room is kept here, be it empty.
  func isOpen(_ room: String) -> Bool
  /// Sets whether the motion of a room waits because another node may own the room.
  func setPaused(_ isPaused: Bool, room: String)
  /// Handles messages of members in the rooms of this thread.
  func handle(_ messages: [GatewayMessage], now: Double)
  /// Handles messages of a node's members for a room.
  func receive(_ messages: [GatewayMessage], from node: NodeID, room: String)
  /// Delivers messages of the host of a room to its members behind this gateway.
  /// - Returns: Whether a message to a whole room was published.
  @discardableResult func deliver(_ messages: HostMessages, now: Double) -> Bool
  /// Ends the streams of a room at the gateways of this process.
  func endStreams(of room: String, now: Double)
}
