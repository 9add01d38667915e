internal import Fabric
internal import Rooms
internal import Scene

/// What relays need from the service thread on which they live.
protocol RelaySite: AnyObject {
  /// Passes messages to the host of this thread.
  func receiveHere(_ messages: [GatewayMessage], now: Double)
  /// Executes messages of another node's host at the gateways of this process.
  func deliverHere(_ messages: HostMessages, now: Double)
  /// Ends the streams of a room at the gateways of this process.
  func endStreams(of room: String, now: Double)
  /// Opens a room with a state, unless it is open.
  func restore(_ state: RoomState, now: Double)
  /// Closes a room and returns its state.
  func handOver(_ room: String, now: Double) -> RoomState?
  /// Where the shared book of a room was open when a gateway of this thread last saw it.
  func lastPlace(inRoom room: String) -> BookPlace?
  /// The node behind which the presenter of a room is; nil if it is this one.
  func nodeOfPresenter(inRoom room: String) -> NodeID?
  /// Sets whether the motion of a room waits.
  func setPaused(_ isPaused: Bool, room: String, now: Double)
}
