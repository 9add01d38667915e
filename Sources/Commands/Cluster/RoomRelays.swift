internal import Fabric
internal import Rooms
internal import Telemetry
internal import WebServer
internal import Wire

/// The rooms of one service thread in a cluster: each is computed here or by another node, its
/// owner, to which the messages of the members of this process are relayed.
///
/// It lives on the service thread. The members of a room whose owner is not known yet, or has
/// changed, are introduced to the new owner by this process; their pages only see another welcome.
final class RoomRelays {
  /// How long a presenter leads from another node before the room moves there, in seconds.
  static let presenterSeconds = 30.0
  /// The most messages of members that wait for the owner of a room.
  private static let waitingMax = 4096
  /// The most messages of other nodes that wait for a room to open.
  static let heldMax = 1024

  enum Standing: Equatable {
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

  struct Relay {
    var standing = Standing.unknown
    var guests: Set<MemberID> = []
    var waiting: [GatewayMessage] = []
    /// The nodes whose members are in the room, if this process owns it.
    var edges: Set<NodeID> = []
    /// What to do once the room is open.
    var held: [() -> Void] = []
  }

  let cluster: ClusterNode
  /// The rooms and the gateway of the thread; the gateway is set once, before the thread runs.
  let host: RoomHost
  weak var gateway: WebGateway?
  let states: RoomStates
  var relays: [String: Relay] = [:]
  var guests: [MemberID: Guest] = [:]
  /// The nodes of presenters that are behind other nodes, and since when.
  var farPresenters: [String: (node: NodeID, since: Double)] = [:]
  /// When ``wake(now:)`` has something to do, in seconds; nil at rest.
  var wakeTime: Double?

  init(cluster: ClusterNode, states: RoomStates, host: RoomHost) {
    (self.cluster, self.states, self.host) = (cluster, states, host)
  }

  /// Whether this process was paused and has not confirmed its leases since.
  var isFenced: Bool { cluster.isFenced }

  // MARK: Messages of members

  /// Notes what a message says about its member.
  /// - Returns: The room of the member, unless it is computed here.
  func roomElsewhere(of message: GatewayMessage) -> String? {
    guard let room = note(message) else { return nil }
    if relays[room] == nil {
      relays[room] = Relay()
      cluster.want(room)
    }
    note(message, in: room)
    return mayCompute(room) ? nil : room
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
    case .tooOften(let member), .blocked(let member), .unblocked(let member):
      return guests[member]?.room
    }
  }

  private func note(_ message: GatewayMessage, in room: String) {
    switch message {
    case .hello(let member, _, _, _): relays[room]?.guests.insert(member)
    case .left(let member, _): relays[room]?.guests.remove(member)
    case .packet, .tooOften, .blocked, .unblocked: break
    }
  }

  func pass(_ messages: [GatewayMessage], to room: String, now: Double) {
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

  func forgetIfEmpty(_ room: String) {
    guard let relay = relays[room], relay.guests.isEmpty, relay.edges.isEmpty else { return }
    switch relay.standing {
    case .here, .frozen, .opening: break
    case .unknown, .elsewhere:
      relays[room] = nil
      cluster.forget(room)
      gateway?.endStreams(of: room, now: WebServer.now())
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
    gateway?.deliver(messages, now: now)
  }

  /// Notes welcomes and new numbers of members in messages of any host.
  func note(_ messages: HostMessages) {
    for message in messages.list {
      switch message {
      case .send(let range, let member):
        guard messages.bytes[range].first == ServerKind.welcome.rawValue, guests[member] != nil,
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
}
