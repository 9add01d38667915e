package import Fabric
internal import Rooms
internal import Scene
internal import Telemetry
internal import WebServer
internal import Wire

/// The rooms of one service thread in a cluster: each is computed here or by another node, its
/// owner, to which the messages of the members of this process are relayed.
///
/// It lives on the service thread, whose gateway it uses. It never looks into the bytes that an
/// owner sends. The members of a room whose owner is not known yet, or has changed, are introduced
/// to the new owner by this process; their pages only see another welcome.
package final class Relays {
  /// The most messages that wait for the owner of a room, and for a room to open.
  private static let (waitingMax, heldMax) = (4096, 1024)

  private enum Phase: Equatable {
    /// The owner is being looked up.
    case unknown
    /// This process is the owner, and the state of the room is being read.
    case opening
    /// This process is the owner.
    case here
    /// This process may be the owner, which is being confirmed.
    case frozen
    /// Another node is the owner.
    case elsewhere(LeaseOwner)
  }

  private struct Relay {
    var phase = Phase.unknown
    var guests: Set<MemberID> = []
    /// Messages of guests that wait for the owner.
    var waiting: [GatewayMessage] = []
    /// The nodes whose members are in the room, if this process owns it.
    var edges: Set<NodeID> = []
    /// Messages of these nodes that wait for the room to open.
    var held: [(messages: [GatewayMessage], from: NodeID)] = []
  }

  private let cluster: ClusterNode
  /// The rooms and the gateway of the thread, which owns the relays.
  private unowned let thread: any RelayThread
  private var relays: [String: Relay] = [:]
  private var guests: [MemberID: Guest] = [:]
  /// When ``wake(now:)`` has something to do, in seconds; nil at rest.
  package private(set) var wakeTime: Double?

  package init(cluster: ClusterNode, thread: any RelayThread) {
    (self.cluster, self.thread) = (cluster, thread)
  }

  /// Whether this process was paused and has not confirmed its leases since.
  package var isFenced: Bool { cluster.isFenced }

  // MARK: Messages of members

  /// Notes what a message says about its member.
  /// - Returns: The room of the member, unless it is computed here.
  package func roomElsewhere(of message: GatewayMessage) -> String? {
    guard let room = note(message) else { return nil }
    return relays[room]?.phase == .here && cluster.epoch(of: room) != nil ? nil : room
  }

  /// Notes what a message says about its member, and returns the member's room.
  private func note(_ message: GatewayMessage) -> String? {
    switch message {
    case .hello(let member, let hello, let peer, let room):
      guests[member] = Guest(room: room, peer: peer, hello: hello)
      if relays[room] == nil {
        relays[room] = Relay()
        cluster.act(.want(room))
      }
      relays[room]?.guests.insert(member)
      return room
    case .packet(let member, let packet): guests[member]?.note(packet.message)
    case .left(let member, _):
      guard let room = guests.removeValue(forKey: member)?.room else { return nil }
      relays[room]?.guests.remove(member)
      return room
    case .tooOften, .blocked, .unblocked: break
    }
    return guests[message.member]?.room
  }

  /// Passes messages of guests to the owner of a room, now or when it is known.
  package func pass(_ messages: [GatewayMessage], to room: String, now: Double) {
    guard case .elsewhere(let owner) = relays[room]?.phase else {
      let space = max(0, Self.waitingMax - (relays[room]?.waiting.count ?? 0))
      relays[room]?.waiting += messages.prefix(space)
      return
    }
    noteIntroductions(in: messages, now: now)
    cluster.send(.toHost(messages, room: room, epoch: owner.epoch), to: owner.node)
  }

  /// Forgets a room of another node whose last member has left.
  package func forgetIfEmpty(_ room: String, now: Double) {
    guard let relay = relays[room], relay.guests.isEmpty, relay.edges.isEmpty else { return }
    switch relay.phase {
    case .here, .frozen, .opening: break
    case .unknown, .elsewhere:
      relays[room] = nil
      cluster.act(.forget(room))
      thread.endStreams(of: room, now: now)
    }
  }

  // MARK: Messages of hosts

  /// Delivers messages of the host of a room at another node.
  func deliver(_ messages: HostMessages, of room: String, epoch: UInt64, from node: NodeID) {
    guard case .elsewhere(let owner) = relays[room]?.phase, owner.node == node,
      owner.epoch == epoch
    else {
      cluster.metrics.fenced.add()
      return cluster.act(.doubt(room, epoch: epoch))
    }
    thread.deliver(messages, now: WebServer.now())
  }

  /// Notes what messages of any host say about guests.
  package func note(_ messages: HostMessages) {
    for message in messages.list {
      switch message {
      case .welcomed(let member, let rejoin): guests[member]?.noteWelcome(rejoin)
      case .adopt(let newer, let member):
        guard let guest = guests.removeValue(forKey: newer) else { continue }
        guests[member] = guest
        relays[guest.room]?.guests.remove(newer)
        relays[guest.room]?.guests.insert(member)
      default: break
      }
    }
  }

  // MARK: Owners

  /// This process owns a room from now on.
  func owned(_ room: String) {
    let now = WebServer.now()
    switch relays[room, default: Relay()].phase {
    // A room that nobody else has owned meanwhile is still open, in a new epoch.
    case .here, .frozen: resume(room, now: now)
    case .opening: break
    case .unknown, .elsewhere:
      thread.endStreams(of: room, now: now)
      relays[room, default: Relay()].phase = .opening
      cluster.records.readState(of: room) { [cluster] state in
        cluster.inRoom(room) { $0.open(room, state) }
      }
    }
  }

  /// Opens a room whose state was read; nil if nothing is stored.
  private func open(_ room: String, _ state: RoomState?) {
    guard relays[room]?.phase == .opening else { return }
    let now = WebServer.now()
    relays[room]?.phase = .here
    if let state { thread.restore(state, now: now) }
    introduceGuests(of: room, now: now)
    let held = relays[room]?.held ?? []
    relays[room]?.held = []
    for (messages, node) in held { thread.receive(messages, from: node, room: room) }
  }

  /// Another node owns a room from now on.
  func owner(_ owner: LeaseOwner, of room: String) {
    guard let relay = relays[room] else { return cluster.act(.forget(room)) }
    guard relay.phase != .elsewhere(owner) else { return }
    let now = WebServer.now()
    // The answer is here before the first frame.
    cluster.clockLead(of: owner.node)
    thread.endStreams(of: room, now: now)
    relays[room]?.phase = .elsewhere(owner)
    relays[room]?.edges = []
    introduceGuests(of: room, now: now)
    forgetIfEmpty(room, now: now)
  }

  /// Nothing may be computed in a room until it is thawed.
  func frozen(_ room: String) {
    guard relays[room]?.phase == .here else { return }
    relays[room]?.phase = .frozen
    thread.setPaused(true, room: room)
  }

  /// A frozen room may be computed again.
  func thawed(_ room: String) {
    if relays[room]?.phase == .frozen { resume(room, now: WebServer.now()) }
  }

  /// Computes a room again that is open here, beginning with what has waited.
  private func resume(_ room: String, now: Double) {
    relays[room]?.phase = .here
    thread.setPaused(false, room: room)
    let waiting = relays[room]?.waiting ?? []
    relays[room]?.waiting = []
    thread.handle(waiting, now: now)
  }

  /// A room of this process continues elsewhere, or nowhere.
  func lost(_ room: String) {
    let now = WebServer.now()
    _ = thread.handOver(room, isLost: true, now: now)
    thread.endStreams(of: room, now: now)
    guard let relay = relays[room] else { return }
    relays[room]?.phase = .unknown
    relays[room]?.edges = []
    // The nodes whose members are in the room may have nothing to send that would be rejected.
    askForIntroductions(to: room, of: relay.edges)
    forgetIfEmpty(room, now: now)
  }

  /// Gives up rooms that this process has forgotten, because they have been empty for long and
  /// there are many others.
  func releaseForgotten() {
    for (room, relay) in relays
    where relay.phase == .here && relay.guests.isEmpty && !thread.isOpen(room) {
      relays[room] = nil
      cluster.act(.release(room))
    }
  }

  /// Hands all rooms over because this process stops, each to a node with members if there is one.
  ///
  /// Members of this process do not follow, because their connections are about to end.
  package func handOverAll() {
    let now = WebServer.now()
    for (room, relay) in relays where relay.phase == .here {
      let state = thread.handOver(room, isLost: false, now: now)
      thread.endStreams(of: room, now: now)
      relays[room] = nil
      cluster.beginHandOver(of: room, to: relay.edges.min())
      guard let state else {
        cluster.act(.release(room))
        continue
      }
      cluster.records.write(state) { [cluster] _ in cluster.act(.release(room)) }
    }
  }

  // MARK: Introductions

  /// Introduces all guests of a room to its owner, and passes on what has waited.
  private func introduceGuests(of room: String, now: Double) {
    guard let relay = relays[room] else { return }
    var messages = relay.guests.sorted().flatMap { guests[$0]?.introduction(as: $0) ?? [] }
    messages += relay.waiting.filter { if case .hello = $0 { false } else { true } }
    relays[room]?.waiting = []
    guard relay.phase == .here else { return pass(messages, to: room, now: now) }
    noteIntroductions(in: messages, now: now)
    thread.handle(messages, now: now)
  }

  private func noteIntroductions(in messages: [GatewayMessage], now: Double) {
    for case .hello(let member, _, _, _) in messages {
      guests[member]?.noteIntroduction(at: now)
      noteDeadline(of: member)
    }
  }

  private func noteDeadline(of member: MemberID) {
    wakeTime = min(wakeTime ?? .infinity, guests[member]?.deadline ?? .infinity)
  }

  /// Introduces guests again that were not welcomed in time.
  package func wake(now: Double) {
    guard let wakeTime, wakeTime <= now else { return }
    self.wakeTime = nil
    for (member, guest) in guests where guest.deadline < .infinity {
      guard case .elsewhere = relays[guest.room]?.phase else { continue }
      if guest.deadline <= now {
        pass(guest.introduction(as: member), to: guest.room, now: now)
      } else {
        noteDeadline(of: member)
      }
    }
  }

  /// Introduces the guests of a room again soon, because its owner does not know them.
  func rejected(_ room: String, by node: NodeID) {
    guard case .elsewhere(let owner) = relays[room]?.phase, owner.node == node else { return }
    for member in relays[room]?.guests ?? [] {
      guests[member]?.noteRejection(at: WebServer.now())
      noteDeadline(of: member)
    }
  }

  /// Synchronizes the rooms of a node, or of all nodes, of which messages were lost: guests are
  /// introduced again to their owners, and to this one by their nodes.
  func messagesLost(of node: NodeID?) {
    let now = WebServer.now()
    for (room, relay) in relays {
      switch relay.phase {
      case .elsewhere(let owner) where node == nil || owner.node == node:
        thread.endStreams(of: room, now: now)
        introduceGuests(of: room, now: now)
      case .here:
        askForIntroductions(to: room, of: relay.edges.filter { node == nil || $0 == node })
      case .elsewhere, .unknown, .opening, .frozen: break
      }
    }
  }

  private func askForIntroductions(to room: String, of edges: Set<NodeID>) {
    for edge in edges { cluster.send(.notOwner(room: room, epoch: 0), to: edge) }
  }

  // MARK: Members of other nodes

  /// Whether messages of a node's members for a room can be handled now, which notes the node; if
  /// not, they wait for the room to open, or are dropped.
  package func admits(_ messages: [GatewayMessage], from node: NodeID, to room: String) -> Bool {
    guard let relay = relays[room] else { return false }
    relays[room]?.edges.insert(node)
    if relay.phase == .opening, relay.held.count < Self.heldMax {
      relays[room]?.held.append((messages, node))
    }
    return relay.phase == .here
  }

  /// The rooms of this process in which members of a node were, which is forgotten.
  package func removeEdge(_ node: NodeID) -> [String] {
    let rooms = relays.filter { $0.value.edges.contains(node) }.map(\.key)
    for room in rooms { relays[room]?.edges.remove(node) }
    return rooms
  }
}
