internal import Clustering
internal import Fabric
internal import Gateway
internal import Rooms
internal import Scene
internal import WebServer
internal import Wire

// What other nodes bring about at this gateway.
extension WebGateway {
  /// Runs work on the relays, if the process is a node of a cluster, and delivers what follows.
  func withRelays(_ work: (Relays) -> Void) {
    guard let relays else { return }
    work(relays)
    exchange(now: WebServer.now())
  }

  /// Continues with a hello whose room was looked up.
  func foundWay(of member: MemberID) {
    let now = WebServer.now()
    exchange(router.found(member, now: now), now: now)
  }

  /// Removes the members of a node that is gone.
  func nodeGone(_ node: NodeID) {
    guard let relays else { return }
    let now = WebServer.now()
    for room in relays.removeEdge(node) {
      let members = router.remove(node, room: room)
      host.receive(members.map { .left($0, code: Self.lostCode) }, now: now)
    }
    exchange(now: now)
  }

  /// The code of a connection that was lost without a close frame.
  private static let lostCode: UInt16 = 1006
}

extension WebGateway: RelayThread {
  func restore(_ state: RoomState, now: Double) { host.restore(state, now: now) }

  func handOver(_ room: String, isLost: Bool, now: Double) -> RoomState? {
    host.handOver(room, isLost: isLost, now: now)
  }

  func isOpen(_ room: String) -> Bool { host.isOpen(room) }

  func setPaused(_ isPaused: Bool, room: String) {
    host.setPaused(isPaused, room: room)
  }

  func handle(_ messages: [GatewayMessage], now: Double) { host.receive(messages, now: now) }

  func receive(_ messages: [GatewayMessage], from node: NodeID, room: String) {
    receive(messages, from: .relay(node, room: room))
  }

  func endStreams(of room: String, now: Double) {
    var messages = HostMessages(reserving: 0)
    for stream in gateway.streams(ofRoom: room) { messages.append(.end(stream)) }
    deliver(messages, now: now)
  }
}
