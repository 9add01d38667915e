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
    var owner: LeaseOwner?
  }

  final class Node: @unchecked Sendable {
    let bus: LocalBus
    var leases: Leases
    var knowledge: [String: Knowledge] = [:]
    var wanted: Set<String> = []
    /// The node that is told when a room is released.
    var successors: [String: NodeID] = [:]
    var lost = 0
    /// Whether the node is about to end, so that it wants no more rooms.
    var isStopping = false

    init(_ bus: LocalBus, seed: UInt64, at now: Double) {
      self.bus = bus
      leases = Leases(node: bus.node, address: "here", seed: seed, at: now)
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
    pass(.wake, to: node)
    return id
  }

  private func handle(_ event: BusEvent, _ id: NodeID) {
    guard let node = nodes[id] else { return }
    switch event {
    case .broadcast(let bytes, let sender), .message(let bytes, let sender):
      switch try? ClusterMessage(bytes) {
      case .heartbeat(let isEnding): pass(.heard(sender, isEnding: isEnding), to: node)
      case .owned(let room, let epoch), .notOwner(let room, let epoch):
        pass(.doubt(room, epoch: epoch), to: node)
      default: break
      }
    case .connected: pass(.connection(true), to: node)
    case .disconnected: pass(.connection(false), to: node)
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
    pass(.want(room), to: node)
  }

  func forget(_ room: String, _ id: NodeID) {
    guard let node = nodes[id] else { return }
    node.wanted.remove(room)
    pass(.forget(room), to: node)
    node.knowledge[room]?.owner = nil
    if node.knowledge[room]?.acting != nil { release(room, id, to: nil) }
  }

  /// Gives a room up in favour of another node, or of none.
  func release(_ room: String, _ id: NodeID, to successor: NodeID?) {
    guard let node = nodes[id] else { return }
    node.knowledge[room]?.acting = nil
    node.wanted.remove(room)
    node.successors[room] = successor
    pass(.release(room), to: node)
  }

  func pass(_ event: LeaseEvent, to node: Node) {
    perform(node, node.leases.handle(event, at: now))
  }

  private func answer(
    _ room: String,
    _ number: UInt64,
    to id: NodeID
  ) -> @Sendable (Result<LeaseAnswer, RecordFailure>) -> Void {
    { [unowned self] in
      if let node = nodes[id] { pass(.answered(room, number, $0), to: node) }
    }
  }

  private func perform(_ node: Node, _ effects: [LeaseEffect]) {
    for effect in effects {
      switch effect {
      case .read(let room, let number):
        let answer = answer(room, number, to: node.bus.node)
        node.bus.read(.leases, room) { answer($0.map(LeaseAnswer.record)) }
      case .write(let room, let number, let value, let expectation):
        let answer = answer(room, number, to: node.bus.node)
        node.bus.write(.leases, room, value, after: expectation) {
          answer($0.map(LeaseAnswer.written))
        }
      case .delete(let room, let number, let expectation):
        let answer = answer(room, number, to: node.bus.node)
        node.bus.delete(.leases, room, after: expectation) { answer($0.map { .deleted }) }
      case .heartbeat(let isEnding):
        node.bus.broadcast(ClusterMessage.heartbeat(isEnding: isEnding).bytes)
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
      guard node.wanted.contains(room) else { return pass(.forget(room), to: node) }
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
    case .released(let room):
      count("released")
      if let next = node.successors.removeValue(forKey: room) {
        node.bus.send(ClusterMessage.notOwner(room: room, epoch: 0).bytes, to: next)
      }
    default: break
    }
  }

  /// Lets a node send to the owner of a room now and then, which takes the room if its lease names
  /// it although it does not know the room.
  private func talk(_ id: NodeID, _ room: String, _ owner: LeaseOwner) {
    cluster.at(now + 0.5) { [unowned self] in
      guard let node = nodes[id], node.knowledge[room]?.owner == owner else { return }
      talk(id, room, owner)
      guard let other = nodes[owner.node], !cluster.isPaused(id), !cluster.isPaused(owner.node),
        other.leases.epoch(of: room, at: now) == nil,
        cluster.cutOff.contains(id) == cluster.cutOff.contains(owner.node)
      else { return }
      // Like a node that has no member there, it does not follow another owner.
      if !other.isStopping { pass(.want(room), to: other) }
      pass(.doubt(room, epoch: 0), to: node)
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
      where node.leases.wakeTime <= now { pass(.wake, to: node) }
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
