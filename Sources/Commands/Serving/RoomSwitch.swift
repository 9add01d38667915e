internal import Fabric
internal import Gateway
internal import Rooms
internal import WebServer

/// Passes messages between the gateway and the room host of one thread, and those of other threads.
///
/// It lives on the thread. With one thread, all messages stay on it, and the switch costs nothing
/// unless the process is a node of a cluster.
final class RoomSwitch {
  private let threads: ServiceThreads
  private let index: Int
  private var router = HostRouter<GatewayAddress>()
  /// The threads of the rooms of members of this thread's gateway, except those on this thread.
  private var elsewhere: [MemberID: Int] = [:]

  init(threads: ServiceThreads, index: Int) {
    self.threads = threads
    self.index = index
  }

  // MARK: From the gateway

  /// Passes on the messages of this thread's gateway for the rooms of other threads, and removes
  /// them from the list.
  func dispatch(_ messages: inout [GatewayMessage], now: Double) {
    guard !messages.isEmpty else { return }
    // A cluster needs to know the room of each hello, even if the room cannot be on another thread.
    guard threads.count > 1 || threads.cluster != nil else { return }
    var remote: [Int: [GatewayMessage]] = [:]
    messages = messages.compactMap { message in
      let message = addressed(message, now: now)
      guard let thread = elsewhere[message.member] else { return message }
      if case .left = message { elsewhere[message.member] = nil }
      remote[thread, default: []].append(message)
      return nil
    }
    for (thread, messages) in remote {
      threads.threads[thread].receive(messages, from: .thread(index))
    }
  }

  /// Adds to a hello the room to which it leads, and notes where that room lives.
  private func addressed(_ message: GatewayMessage, now: Double) -> GatewayMessage {
    guard case .hello(let member, let hello, let peer, _) = message else { return message }
    let room = threads.directory.destination(
      of: hello,
      environment: threads.environment,
      now: now
    )
    let thread = threads.index(ofRoom: room)
    elsewhere[member] = thread == index ? nil : thread
    return .hello(member, hello, peer: peer, room: room)
  }

  // MARK: To this thread's host

  /// Removes outdated messages from a list of another gateway, or of this one (nil).
  func accept(_ messages: inout [GatewayMessage], from address: GatewayAddress?) {
    if address == nil, router.isHomeOnly { return }
    messages.removeAll { !router.accepts($0, from: address) }
  }

  // MARK: From the hosts

  /// Passes on what this thread's host, or the host of another node, sends to other gateways, after
  /// this thread's gateway has executed it.
  func forward(_ messages: HostMessages, home gateway: inout Gateway, now: Double) {
    noteAdoptions(messages, thread: index)
    // Even an empty dictionary of parcels costs a lookup of its generic type.
    guard !router.isIdle else { return }
    let parcels = router.route(messages) { stream, parcel in
      gateway.introduce(stream, now: now, into: &parcel)
    }
    for (address, parcel) in parcels {
      switch address {
      case .thread(let thread): threads.threads[thread].deliver(parcel, from: index)
      case .relay(let node, let room):
        // Without the lease, this process may not speak for the room any more.
        guard let cluster = threads.cluster, let epoch = cluster.epoch(of: room) else { continue }
        cluster.send(.fromHost(parcel, room: room, epoch: epoch, sent: WebServer.now()), to: node)
      }
    }
  }

  /// Returns the members of a node in a room, and forgets that they are there.
  func remove(_ node: NodeID, room: String) -> [MemberID] {
    router.remove(.relay(node, room: room))
  }

  /// Notes which members of this thread's gateway are about to get another number.
  func noteAdoptions(_ messages: HostMessages, thread: Int) {
    guard threads.count > 1 else { return }
    for case .adopt(let newer, let member) in messages.list {
      let isHere = elsewhere.removeValue(forKey: newer) != nil
      elsewhere[member] = isHere && thread != index ? thread : nil
    }
  }
}
