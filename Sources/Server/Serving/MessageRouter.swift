internal import Clustering
internal import Fabric
internal import Gateway
internal import Rooms
internal import WebServer
internal import Wire

/// Decides where each message of a member is handled, and which gateways get what a host sends.
///
/// A member is served by the thread of its room, except in a large room, and a room is computed by
/// this process or by another node. The router lives on a service thread. With one thread and no
/// cluster, everything is handled here at no cost.
final class MessageRouter {
  /// Where a message is handled.
  enum Destination: Equatable {
    /// By the host of this thread.
    case here
    /// By the host of another thread, because the member's room is large.
    case thread(Int)
    /// By the thread that serves the member from now on.
    case move(Int)
    /// By the node that owns a room, or here once it is known who does.
    case node(room: String)
    /// Nowhere until the member's room is found.
    case hold
    /// Nowhere: the member has continued over another connection.
    case nowhere
  }

  /// Moves a member's connection to another thread, where its messages are routed.
  typealias Move = (MemberID, [GatewayMessage], _ thread: Int) -> Void

  private let threads: ServiceThreads
  private let cluster: ClusterNode?
  private let index: Int
  private let host: RoomHost
  private let relays: Relays?
  private let held: HeldMessages?
  /// Whether everything is handled here.
  private let isAlone: Bool
  private var gateways = HostRouter<GatewayAddress>()
  /// The threads of the rooms of members that this thread serves for them.
  private var homes: [MemberID: Int] = [:]
  private var toThreads: [Int: [GatewayMessage]] = [:]
  private var toNodes: [String: [GatewayMessage]] = [:]
  private var moving: [MemberID: (thread: Int, messages: [GatewayMessage])] = [:]

  /// Creates the router of a thread.
  init(
    threads: ServiceThreads,
    cluster: ClusterNode?,
    index: Int,
    host: RoomHost,
    relays: Relays?
  ) {
    (self.threads, self.cluster, self.index, self.host) = (threads, cluster, index, host)
    self.relays = relays
    held = cluster.map { HeldMessages(cluster: $0, index: index) }
    isAlone = threads.count == 1 && cluster == nil
  }

  // MARK: Messages of members

  /// Passes on all messages except those for the host of this thread, which remain.
  /// - Parameters:
  ///   - messages: The messages, in order.
  ///   - address: The gateway from which they are; nil for the one of this thread.
  ///   - now: The time, in seconds.
  ///   - move: Called for each member that another thread serves from now on.
  func route(
    _ messages: inout [GatewayMessage],
    from address: GatewayAddress?,
    now: Double,
    move: Move
  ) {
    guard !isAlone, !messages.isEmpty else { return }
    messages = messages.compactMap { message in
      var message = message
      switch destination(of: &message, from: address, now: now) {
      case .here: return message
      case .thread(let thread): toThreads[thread, default: []].append(message)
      case .move(let thread): moving[message.member, default: (thread, [])].messages.append(message)
      case .node(let room): toNodes[room, default: []].append(message)
      case .hold, .nowhere: break
      }
      return nil
    }
    send(now: now, move: move)
  }

  /// Returns where a message is handled, and completes a hello with the room to which it leads.
  private func destination(
    of message: inout GatewayMessage,
    from address: GatewayAddress?,
    now: Double
  ) -> Destination {
    let member = message.member
    if address == nil {
      if held?.holds(message, now: now) == true { return .hold }
      if let (thread, _) = moving[member] { return .move(thread) }
      if let thread = thread(forHello: &message, now: now), thread != index { return .move(thread) }
      if let home = homes[member] {
        if case .left = message { homes[member] = nil }
        return .thread(home)
      }
    }
    guard gateways.accepts(message, from: address) else { return .nowhere }
    // What another node sends has passed its relay.
    if case .relay = address { return .here }
    return relays?.roomElsewhere(of: message).map { .node(room: $0) } ?? .here
  }

  /// Returns the thread that is to serve the member of a hello; nil for another message, and for a
  /// member that this thread serves for a large room of another one.
  private func thread(forHello message: inout GatewayMessage, now: Double) -> Int? {
    guard case .hello(let member, let hello, let peer, var room) = message, homes[member] == nil
    else { return nil }
    if room.isEmpty { room = self.room(of: hello, now: now) }
    message = .hello(member, hello, peer: peer, room: room)
    let home = threads.index(ofRoom: room)
    guard home == index else { return home }
    return threads.index(ofMemberAfter: host.memberCount(inRoom: room), inRoomAt: home)
  }

  private func room(of hello: Hello, now: Double) -> String {
    threads.directory.destination(of: hello, environment: threads.environment, now: now)
  }

  /// Passes on what was routed.
  private func send(now: Double, move: Move) {
    for (thread, messages) in toThreads {
      threads.threads[thread].performOnGateway { [index] in
        $0.receive(messages, from: .thread(index))
      }
    }
    for (room, messages) in toNodes.sorted(by: { $0.key < $1.key }) {
      relays?.pass(messages, to: room, now: now)
      // Only now: the owner must learn that the last member has left.
      relays?.forgetIfEmpty(room, now: now)
    }
    for (member, moved) in moving { move(member, moved.messages, moved.thread) }
    (toThreads, toNodes, moving) = ([:], [:], [:])
  }

  /// Returns the messages of a member whose room was looked up, in order.
  func found(_ member: MemberID, now: Double) -> [GatewayMessage] {
    (held?.found(member) ?? []).map { message in
      guard case .hello(_, let hello, let peer, _) = message else { return message }
      return .hello(member, hello, peer: peer, room: room(of: hello, now: now))
    }
  }

  /// Notes that this thread serves a member from now on, which has sent a hello.
  func serve(_ messages: [GatewayMessage]) {
    for case .hello(let member, _, _, let room) in messages {
      let home = threads.index(ofRoom: room)
      homes[member] = home == index ? nil : home
    }
  }

  // MARK: Messages of hosts

  /// Passes on what this thread's host, or the host of another node, sends to other gateways, after
  /// this thread's gateway has executed it.
  func forward(_ messages: HostMessages, home gateway: inout Gateway, now: Double) {
    // Even an empty dictionary of parcels costs a lookup of its generic type.
    guard !gateways.isIdle else { return }
    let parcels = gateways.route(messages) { stream, parcel in
      gateway.introduce(stream, now: now, into: &parcel)
    }
    for (address, parcel) in parcels {
      switch address {
      case .thread(let thread): threads.threads[thread].performOnGateway { $0.receive(parcel) }
      case .relay(let node, let room):
        // Without the lease, this process may not speak for the room any more.
        guard let cluster, let epoch = cluster.epoch(of: room) else { continue }
        cluster.send(.fromHost(parcel, room: room, epoch: epoch, sent: WebServer.now()), to: node)
      }
    }
  }

  /// Notes which members that this thread serves for another one are about to get another number.
  func noteAdoptions(_ messages: HostMessages) {
    guard !homes.isEmpty else { return }
    for case .adopt(let newer, let member) in messages.list {
      homes[member] = homes.removeValue(forKey: newer)
    }
  }

  /// Returns the members of a node in a room, and forgets that they are there.
  func remove(_ node: NodeID, room: String) -> [MemberID] {
    gateways.remove(.relay(node, room: room))
  }
}
