import Fabric
import TestCluster
import TestVectors

/// A cluster of nodes that want rooms, with everything that an observer of all of them can check.
// It is used by one thread only.
final class LeaseSimulation: @unchecked Sendable {
  struct Broken: Error, CustomStringConvertible {
    let description: String
  }

  /// What one node has been told about a room.
  struct Knowledge {
    /// The epoch with which the node acts as the owner.
    var acting: UInt64?
    var owner: RoomOwner?
  }

  final class Node: @unchecked Sendable {
    let bus: LocalBus
    var leases: RoomLeases
    var knowledge: [String: Knowledge] = [:]
    var wanted: Set<String> = []
    var lost = 0

    init(_ bus: LocalBus, seed: UInt64, at now: Double) {
      self.bus = bus
      leases = RoomLeases(node: bus.node, address: "here", seed: seed, at: now)
    }
  }

  let cluster: LocalCluster
  var random: SplitMix64
  private(set) var nodes: [NodeID: Node] = [:]
  /// The node of each epoch of each room that was ever acted for.
  private var history: [String: [UInt64: NodeID]] = [:]
  /// What went wrong first.
  private var broken: Broken?
  private(set) var counts: [String: Int] = [:]

  init(seed: UInt64) {
    cluster = LocalCluster(seed: seed)
    random = SplitMix64(seed: ~seed)
  }

  var now: Double { cluster.now }

  @discardableResult
  func addNode() -> NodeID {
    let id = NodeID(random.next())
    let node = Node(cluster.join(id), seed: random.next(), at: now)
    nodes[id] = node
    node.bus.start { [unowned self] event in handle(event, id) }
    perform(node, node.leases.wake(at: now))
    return id
  }

  private func handle(_ event: BusEvent, _ id: NodeID) {
    guard let node = nodes[id] else { return }
    switch event {
    case .broadcast(let bytes, let sender), .message(let bytes, let sender):
      if let heartbeat = Heartbeat(bytes) {
        perform(node, node.leases.heard(heartbeat, from: sender, at: now))
      } else if case .owned(let room, let epoch)? = try? ClusterMessage(bytes) {
        perform(node, node.leases.newerEpoch(room, epoch, at: now))
      }
    case .connected: perform(node, node.leases.setConnected(true, at: now))
    case .disconnected: perform(node, node.leases.setConnected(false, at: now))
    case .dropped: break
    }
  }

  func crash(_ id: NodeID) {
    nodes[id] = nil
    cluster.crash(id)
  }

  func want(_ room: String, _ id: NodeID) {
    guard let node = nodes[id] else { return }
    node.wanted.insert(room)
    perform(node, node.leases.want(room, at: now))
  }

  func forget(_ room: String, _ id: NodeID) {
    guard let node = nodes[id] else { return }
    node.wanted.remove(room)
    perform(node, node.leases.forget(room, at: now))
    node.knowledge[room]?.owner = nil
    if node.knowledge[room]?.acting != nil { release(room, id, to: nil) }
  }

  func release(_ room: String, _ id: NodeID, to successor: NodeID?) {
    guard let node = nodes[id] else { return }
    node.knowledge[room]?.acting = nil
    if successor == nil { node.wanted.remove(room) }
    perform(node, node.leases.release(room, to: successor, at: now))
  }

  func perform(_ node: Node, _ effects: [LeaseEffect]) {
    let id = node.bus.node
    for effect in effects {
      switch effect {
      case .read(let number, let room):
        node.bus.read(.leases, room) { [unowned self] answer in
          guard let node = nodes[id] else { return }
          perform(node, node.leases.answered(number, answer, at: now))
        }
      case .write(let number, let room, let value, let expectation):
        node.bus.write(.leases, room, value, after: expectation) { [unowned self] answer in
          guard let node = nodes[id] else { return }
          perform(node, node.leases.answered(number, answer, at: now))
        }
      case .delete(let number, let room, let expectation):
        node.bus.delete(.leases, room, after: expectation) { [unowned self] answer in
          guard let node = nodes[id] else { return }
          perform(node, node.leases.answered(number, answer, at: now))
        }
      case .heartbeat(let heartbeat):
        var bytes: [UInt8] = []
        heartbeat.encode(into: &bytes)
        node.bus.broadcast(bytes)
      default: learn(node, effect)
      }
    }
  }

  private func learn(_ node: Node, _ effect: LeaseEffect) {
    switch effect {
    case .owned(let room, let epoch):
      count("owned")
      node.knowledge[room, default: Knowledge()].acting = epoch
      node.knowledge[room]?.owner = nil
      node.bus.broadcast(ClusterMessage.owned(room: room, epoch: epoch).bytes)
    case .owner(let room, let owner):
      node.knowledge[room, default: Knowledge()].owner = owner
      talk(node.bus.node, room, owner)
    case .frozen(let room):
      count("frozen")
      node.knowledge[room]?.acting = nil
    case .thawed(let room):
      count("thawed")
      node.knowledge[room]?.acting = node.leases.epoch(of: room, at: now)
    case .lost(let room):
      count("lost")
      node.knowledge[room]?.acting = nil
      node.lost += 1
    case .released: count("released")
    default: break
    }
  }

  /// Lets a node send to the owner of a room now and then, which denies it if it is not true.
  private func talk(_ id: NodeID, _ room: String, _ owner: RoomOwner) {
    cluster.at(now + 0.5) { [unowned self] in
      guard let node = nodes[id], node.knowledge[room]?.owner == owner else { return }
      talk(id, room, owner)
      guard let other = nodes[owner.node], !cluster.isPaused(id), !cluster.isPaused(owner.node),
        other.leases.denies(room, at: now),
        cluster.cutOff.contains(id) == cluster.cutOff.contains(owner.node)
      else { return }
      perform(node, node.leases.review(room, deniedBy: owner.node, at: now))
    }
  }

  private func count(_ name: String) { counts[name, default: 0] += 1 }

  /// Runs until a time, and checks after every event that no room has two owners.
  func run(until end: Double) throws {
    while now < end {
      let awake = nodes.values.filter { !cluster.isPaused($0.bus.node) }
      let wake = awake.map { max(now, $0.leases.wakeTime) }.min() ?? .infinity
      let target = min(end, wake)
      guard !cluster.step(until: target) else {
        try check()
        continue
      }
      for node in awake.sorted(by: { $0.bus.node < $1.bus.node })
      where node.leases.wakeTime <= now { perform(node, node.leases.wake(at: now)) }
      try check()
    }
  }

  private func check() throws {
    for (id, node) in nodes where !cluster.isPaused(id) {
      for (room, known) in node.knowledge {
        guard let epoch = node.leases.epoch(of: room, at: now) else { continue }
        let first = history[room, default: [:]][epoch, default: id]
        history[room, default: [:]][epoch] = first
        if first != id {
          throw Broken(description: "\(id) and \(first) own \(room) in the epoch \(epoch)")
        }
        if known.acting != epoch {
          throw Broken(description: "\(id) was told \(known.acting ?? 0) of \(room), not \(epoch)")
        }
      }
    }
  }

  /// The nodes that may act for a room now, paused ones left out.
  func owners(of room: String) -> [NodeID] {
    nodes.filter { id, node in
      !cluster.isPaused(id) && node.leases.epoch(of: room, at: now) != nil
    }
    .keys.sorted()
  }

  /// Runs until a room has an owner other than the given one, and returns the seconds that it took.
  func timeToOwner(of room: String, otherThan old: NodeID?, within seconds: Double) throws -> Double
  {
    let start = now
    while now < start + seconds {
      if owners(of: room).contains(where: { $0 != old }) { return now - start }
      try run(until: now + 0.01)
    }
    throw Broken(description: "\(room) has no owner after \(seconds) s")
  }
}
