internal import Fabric
internal import Rooms
internal import WebServer

// The nodes whose members are in rooms, and the rooms that move between nodes.
extension RoomRelays {
  /// Whether messages of a node's members for a room can be handled now, which notes the node.
  func admits(_ node: NodeID, to room: String) -> Bool {
    guard let standing = relays[room]?.standing else { return false }
    relays[room]?.edges.insert(node)
    return standing == .here
  }

  /// Does something once a room is open here; nothing if it is not about to be.
  func hold(for room: String, _ work: @escaping () -> Void) {
    guard relays[room]?.standing == .opening, relays[room]?.held.count ?? 0 < Self.heldMax else {
      return
    }
    relays[room]?.held.append(work)
  }

  /// Asks the nodes whose members are in rooms of this process to introduce them again.
  func askForIntroductions(by node: NodeID?) {
    for (room, relay) in relays where relay.standing == .here {
      for edge in relay.edges where node == nil || edge == node {
        cluster.send(.notOwner(room: room, epoch: 0), to: edge)
      }
    }
  }

  /// Introduces the members of a room again, because its owner does not know them.
  func rejected(_ room: String, by node: NodeID) {
    guard case .elsewhere(let owner) = relays[room]?.standing, owner.node == node else { return }
    for member in relays[room]?.guests ?? [] { guests[member]?.noteRejection() }
    wakeTime = min(wakeTime ?? .infinity, WebServer.now() + 0.1)
  }

  /// The rooms of this process in which members of a node are, which are forgotten as such.
  func removeEdge(_ node: NodeID) -> [String] {
    let rooms = relays.filter { $0.value.edges.contains(node) }.map(\.key)
    for room in rooms { relays[room]?.edges.remove(node) }
    return rooms
  }

  /// Introduces all members again whose room another node owns: messages of it were lost.
  func reintroduce(_ node: NodeID?, now: Double) {
    for (room, relay) in relays {
      guard case .elsewhere(let owner) = relay.standing, node == nil || owner.node == node else {
        continue
      }
      gateway?.endStreams(of: room, now: now)
      introduceAll(of: room, now: now, mayBeKnown: true)
    }
  }

  /// Passes on what has waited for the clock of a node.
  func clockKnown(of node: NodeID, now: Double) {
    for (room, relay) in relays where !relay.waiting.isEmpty {
      guard case .elsewhere(let owner) = relay.standing, owner.node == node else { continue }
      relays[room]?.waiting = []
      pass(relay.waiting, to: room, now: now)
    }
  }

  // MARK: Handing over

  /// The rooms that are computed here.
  var roomsHere: [String] { relays.filter { $0.value.standing == .here }.map(\.key) }

  /// Hands a room over to another node, or to none.
  /// - Parameters:
  ///   - room: The room.
  ///   - node: The next owner; nil for none.
  ///   - isStopping: Whether this process stops, so that its own members do not follow.
  func handOver(_ room: String, to node: NodeID?, isStopping: Bool = false) {
    guard let relay = relays[room], relay.standing == .here else { return }
    let now = WebServer.now()
    let state = host.handOver(room, now: now)
    gateway?.endStreams(of: room, now: now)
    relays[room]?.standing = .unknown
    relays[room]?.edges = []
    let isWanted = !relay.guests.isEmpty && !isStopping
    if !isWanted { relays[room] = nil }
    cluster.beginHandOver(of: room, edges: relay.edges)
    states.write(state, of: cluster) { [cluster] in
      cluster.release(room, to: node)
      if isWanted { cluster.want(room) }
    }
  }

  /// Hands all rooms over because this process stops: each to a node with members, if there is one.
  func handOverAll() {
    for room in roomsHere.sorted() {
      handOver(room, to: relays[room]?.edges.min(), isStopping: true)
    }
  }

  /// Hands rooms over to the nodes from which their presenters have led them for some time.
  func followPresenters(now: Double) {
    for room in roomsHere {
      guard let node = gateway?.nodeOfPresenter(inRoom: room) else {
        farPresenters[room] = nil
        continue
      }
      guard let far = farPresenters[room], far.node == node else {
        farPresenters[room] = (node, now)
        continue
      }
      guard far.since + Self.presenterSeconds <= now else { continue }
      farPresenters[room] = nil
      handOver(room, to: node)
    }
  }
}
