internal import Fabric
internal import Rooms
internal import Scene
internal import Telemetry
internal import WebServer
internal import Wire

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

/// The rooms of one service thread in a cluster: each is computed here or by another node, its owner,
/// to which the messages of the members of this process are relayed.
///
/// It lives on the service thread. The members of a room whose owner is not known yet, or has
/// changed, are introduced to the new owner by this process; their pages only see another welcome.
final class RoomRelays {
  /// The time after which a member that was not welcomed is introduced again, in seconds.
  private static let patience = 1.0
  /// How long a presenter leads from another node before the room moves there, in seconds.
  private static let presenterSeconds = 30.0
  /// The most messages of members that wait for the owner of a room.
  private static let waitingMax = 4096
  /// The most messages of other nodes that wait for a room to open.
  private static let heldMax = 1024

  private enum Standing: Equatable {
    /// The owner is being looked up.
    case unknown
    /// This process is the owner, and the state of the room is being read.
    case opening
    /// This process is the owner.
    case here
    /// This process may be the owner, which is being confirmed.
    case frozen
    /// Another node is the owner.
    case elsewhere(RoomOwner)
  }

  private struct Relay {
    var standing = Standing.unknown
    var guests: Set<MemberID> = []
    var waiting: [GatewayMessage] = []
    /// The nodes whose members are in the room, if this process owns it.
    var edges: Set<NodeID> = []
    /// What to do once the room is open.
    var held: [() -> Void] = []
  }

  private let cluster: ClusterNode
  /// The thread; set once, before the thread runs.
  weak var site: (any RelaySite)?
  private let states: RoomStates
  private var relays: [String: Relay] = [:]
  private var guests: [MemberID: Guest] = [:]
  /// The nodes of presenters that are behind other nodes, and since when.
  private var farPresenters: [String: (node: NodeID, since: Double)] = [:]
  /// When ``wake(now:)`` has something to do, in seconds; nil at rest.
  private(set) var wakeTime: Double?

  init(cluster: ClusterNode, states: RoomStates) { (self.cluster, self.states) = (cluster, states) }

  /// Whether this process was paused and has not confirmed its leases since.
  var isFenced: Bool { cluster.isFenced }

  // MARK: Messages of members

  /// Takes the messages of members whose rooms are not computed here out of a list.
  func take(_ messages: inout [GatewayMessage], now: Double) {
    var relayed: [String: [GatewayMessage]] = [:]
    var order: [String] = []
    messages = messages.compactMap { message in
      guard let room = note(message) else { return message }
      if relays[room] == nil {
        relays[room] = Relay()
        cluster.want(room)
      }
      note(message, in: room)
      if mayCompute(room) { return message }
      if relayed[room] == nil { order.append(room) }
      relayed[room, default: []].append(message)
      return nil
    }
    for room in order { pass(relayed[room] ?? [], to: room, now: now) }
  }

  /// Whether this process may compute a room at this instant.
  func mayCompute(_ room: String) -> Bool {
    relays[room]?.standing == .here && cluster.epoch(of: room) != nil
  }

  /// Returns the room of a message, and notes what the message says about its member.
  private func note(_ message: GatewayMessage) -> String? {
    switch message {
    case .hello(let member, let hello, let peer, let room):
      guests[member] = Guest(room: room, peer: peer, hello: hello)
      return room
    case .packet(let member, let packet):
      guests[member]?.note(packet.message)
      return guests[member]?.room
    case .left(let member, _): return guests.removeValue(forKey: member)?.room
    default: return guests[message.member]?.room
    }
  }

  private func note(_ message: GatewayMessage, in room: String) {
    switch message {
    case .hello(let member, _, _, _): relays[room]?.guests.insert(member)
    case .left(let member, _):
      relays[room]?.guests.remove(member)
      forgetIfEmpty(room)
    default: break
    }
  }

  private func pass(_ messages: [GatewayMessage], to room: String, now: Double) {
    guard case .elsewhere(let owner) = relays[room]?.standing,
      let offset = cluster.clockOffset(of: owner.node)
    else {
      let space = max(0, Self.waitingMax - (relays[room]?.waiting.count ?? 0))
      relays[room]?.waiting += messages.prefix(space)
      return
    }
    for case .hello(let member, _, _, _) in messages { noteIntroduction(of: member, now: now) }
    let shifted = messages.map { $0.shifted(by: offset) }
    cluster.send(.toHost(shifted, room: room, epoch: owner.epoch), to: owner.node)
  }

  private func forgetIfEmpty(_ room: String) {
    guard let relay = relays[room], relay.guests.isEmpty, relay.edges.isEmpty else { return }
    switch relay.standing {
    case .here, .frozen, .opening: break
    case .unknown, .elsewhere:
      relays[room] = nil
      cluster.forget(room)
      site?.endStreams(of: room, now: WebServer.now())
    }
  }

  // MARK: Owners

  /// This process owns a room from now on.
  func owned(_ room: String) {
    let now = WebServer.now()
    if relays[room] == nil { relays[room] = Relay() }
    let seen = site?.lastPlace(inRoom: room)
    if case .elsewhere = relays[room]?.standing { site?.endStreams(of: room, now: now) }
    relays[room]?.standing = .opening
    states.read(room, of: cluster) { [cluster] state in
      cluster.threads.threads[cluster.threads.index(ofRoom: room)].performOnGateway { gateway in
        gateway.withRelays { $0.open(room, state, seen: seen) }
      }
    }
  }

  /// Opens a room whose state was read; nil if nothing is stored.
  private func open(_ room: String, _ state: RoomState?, seen: BookPlace?) {
    guard relays[room]?.standing == .opening else { return }
    let now = WebServer.now()
    relays[room]?.standing = .here
    if var state {
      if let seen, state.openBook == seen.book { state.move(to: seen) }
      site?.restore(state, now: now)
    }
    introduceAll(of: room, now: now)
    let held = relays[room]?.held ?? []
    relays[room]?.held = []
    for work in held { work() }
  }

  /// Another node owns a room from now on.
  func owner(_ owner: RoomOwner, of room: String) {
    guard let relay = relays[room] else { return cluster.forget(room) }
    guard relay.standing != .elsewhere(owner) else { return }
    let now = WebServer.now()
    if relay.standing != .unknown { site?.endStreams(of: room, now: now) }
    relays[room]?.standing = .elsewhere(owner)
    relays[room]?.edges = []
    introduceAll(of: room, now: now)
    forgetIfEmpty(room)
  }

  /// Nothing may be computed in a room until it is thawed.
  func frozen(_ room: String) {
    guard relays[room]?.standing == .here else { return }
    relays[room]?.standing = .frozen
    site?.setPaused(true, room: room, now: WebServer.now())
  }

  /// A frozen room may be computed again.
  func thawed(_ room: String) {
    guard relays[room]?.standing == .frozen else { return }
    relays[room]?.standing = .here
    let now = WebServer.now()
    site?.setPaused(false, room: room, now: now)
    let waiting = relays[room]?.waiting ?? []
    relays[room]?.waiting = []
    site?.receiveHere(waiting, now: now)
  }

  /// A room of this process continues elsewhere, or nowhere.
  func lost(_ room: String) {
    let now = WebServer.now()
    _ = site?.handOver(room, now: now)
    site?.endStreams(of: room, now: now)
    guard let relay = relays[room] else { return }
    relays[room]?.standing = .unknown
    relays[room]?.edges = []
    if relay.guests.isEmpty { forgetIfEmpty(room) } else { cluster.want(room) }
  }

  /// Introduces all members of a room to its owner, and passes on what has waited.
  private func introduceAll(of room: String, now: Double) {
    guard let relay = relays[room] else { return }
    var messages: [GatewayMessage] = []
    for member in relay.guests.sorted(by: { $0.rawValue < $1.rawValue }) {
      guests[member]?.isWelcome = false
      messages += guests[member]?.introduction(as: member) ?? []
    }
    for message in relay.waiting {
      if case .hello = message { continue }
      messages.append(message)
    }
    relays[room]?.waiting = []
    if relay.standing == .here {
      for member in relay.guests { noteIntroduction(of: member, now: now) }
      site?.receiveHere(messages, now: now)
    } else {
      pass(messages, to: room, now: now)
    }
  }

  private func noteIntroduction(of member: MemberID, now: Double) {
    guests[member]?.introducedAt = now
    wakeTime = min(wakeTime ?? .infinity, now + Self.patience)
  }

  /// Introduces members again that were not welcomed in time.
  func wake(now: Double) {
    guard let wakeTime, wakeTime <= now else { return }
    self.wakeTime = nil
    for (member, guest) in guests where !guest.isWelcome {
      guard case .elsewhere = relays[guest.room]?.standing else { continue }
      if guest.introducedAt + Self.patience <= now {
        pass(guest.introduction(as: member), to: guest.room, now: now)
      } else {
        self.wakeTime = min(self.wakeTime ?? .infinity, guest.introducedAt + Self.patience)
      }
    }
  }

  // MARK: Messages of owners

  /// Delivers messages of the host of a room at another node.
  func deliver(_ messages: HostMessages, of room: String, epoch: UInt64, from node: NodeID) {
    guard case .elsewhere(let owner) = relays[room]?.standing, owner.node == node,
      owner.epoch == epoch
    else {
      cluster.metrics.fenced.add()
      return cluster.noteEpoch(epoch, of: room)
    }
    let now = WebServer.now()
    var messages = messages
    messages.shiftTimes(by: -(cluster.clockOffset(of: node) ?? 0))
    note(messages)
    site?.deliverHere(messages, now: now)
  }

  /// Notes welcomes and new numbers of members in messages of any host.
  func note(_ messages: HostMessages) {
    for message in messages.list {
      switch message {
      case .send(let range, let member):
        guard messages.bytes[range].first == ServerMessage.welcomeByte, guests[member] != nil,
          let welcome = messages.welcome(in: range)
        else { continue }
        guests[member]?.note(welcome)
      case .adopt(let newer, let member):
        guard let guest = guests.removeValue(forKey: newer) else { continue }
        guests[member] = guest
        relays[guest.room]?.guests.remove(newer)
        relays[guest.room]?.guests.insert(member)
      default: break
      }
    }
  }

  // MARK: Nodes

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
    for member in relays[room]?.guests ?? [] { guests[member]?.isWelcome = false }
    wakeTime = min(wakeTime ?? .infinity, WebServer.now() + 0.1)
    for member in relays[room]?.guests ?? [] { guests[member]?.introducedAt = 0 }
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
      site?.endStreams(of: room, now: now)
      introduceAll(of: room, now: now)
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
  /// - Parameter isStopping: Whether this process stops, so that its own members do not follow.
  func handOver(_ room: String, to node: NodeID?, isStopping: Bool = false) {
    guard let relay = relays[room], relay.standing == .here else { return }
    let now = WebServer.now()
    let state = site?.handOver(room, now: now)
    site?.endStreams(of: room, now: now)
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
      guard let node = site?.nodeOfPresenter(inRoom: room) else {
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
