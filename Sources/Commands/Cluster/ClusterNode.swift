internal import Dispatch
internal import Fabric
internal import Foundation
internal import Library
internal import Rooms
internal import Scene
internal import Synchronization
internal import Telemetry
internal import WebServer

/// This process as a node of a cluster: which rooms it owns, and its messages to other nodes.
///
/// Any thread may call any function; none blocks. What concerns a room is passed to the service
/// thread of the room.
final class ClusterNode: Sendable {
  struct State {
    var leases: RoomLeases
    var clocks: [NodeID: PeerClock] = [:]
    /// The nodes whose members may be in rooms of this process.
    var known: Set<NodeID> = []
    var isConnected = false
    var number = NodeNumber()
    var beats = 0
    /// The rooms that are being handed over, with the other nodes whose members are in them.
    var departing: [String: Set<NodeID>] = [:]
    var wakeTime = Double.infinity
  }

  let bus: any ClusterBus
  let threads: ServiceThreads
  let log: Log
  let metrics: ClusterMetrics
  /// The library, whose store keeps rooms and readers if NATS has lost them.
  let library: BookLibrary
  let state: Mutex<State>
  private let wakeup = Wakeup()

  /// Creates a node that is not connected yet.
  /// - Parameters:
  ///   - bus: The connection to the other nodes.
  ///   - address: Where this process can be reached, for people and tools.
  ///   - threads: The service threads.
  ///   - metrics: The metrics of the cluster.
  ///   - library: The library.
  ///   - log: The log.
  init(
    bus: any ClusterBus,
    address: String,
    threads: ServiceThreads,
    metrics: ClusterMetrics,
    library: BookLibrary,
    log: Log
  ) {
    self.library = library
    (self.bus, self.threads, self.metrics, self.log) = (bus, threads, metrics, log)
    let seed = UInt64.random(in: 1...UInt64.max)
    let leases = RoomLeases(node: bus.node, address: address, seed: seed, at: Self.now())
    state = Mutex(State(leases: leases))
    // The first members may come before the number is confirmed; they must not share numbers.
    threads.members.setNode(state.withLock { $0.number.value })
  }

  /// The clock of leases in seconds, which also advances while the machine is suspended.
  static func now() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_BOOTTIME, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  /// Connects to the other nodes.
  func start() {
    wakeup.start { [weak self] in self?.act { $0.wake(at: Self.now()) } }
    bus.start { [weak self] event in self?.handle(event) }
    act { $0.wake(at: Self.now()) }
  }

  // MARK: Rooms

  /// Asks for the owner of a room, which is reported to the room's thread, now and when it changes.
  func want(_ room: String) { act { $0.want(room, at: Self.now()) } }

  /// Ends the reports of ``want(_:)``.
  func forget(_ room: String) { act { $0.forget(room, at: Self.now()) } }

  /// Gives up a room, which the caller no longer computes, in favour of another node or of none.
  func release(_ room: String, to node: NodeID?) {
    log.info(
      .roomHandedOver,
      "A room was handed over to another process, or to the next one that needs it.",
      ["room": .text(room), "node": node.map { .text($0.text) }]
    )
    act { $0.release(room, to: node, at: Self.now()) }
    if let node { send(.handOff(room: room), to: node) }
  }

  /// Returns the epoch in which this process owns a room at this instant; nil if it may not act as
  /// its owner.
  func epoch(of room: String) -> UInt64? {
    state.withLock { $0.leases.epoch(of: room, at: Self.now()) }
  }

  /// Whether this process was paused and has not sent a heartbeat since.
  var isFenced: Bool {
    state.withLock { $0.leases.wakeTime + RoomLeases.pauseSeconds < Self.now() }
  }

  /// Notes an epoch of a room that another node claims; a greater one than known is looked up.
  func noteEpoch(_ epoch: UInt64, of room: String) {
    act { $0.newerEpoch(room, epoch, at: Self.now()) }
  }

  /// The owners and epochs of the rooms of this process, up to a number of them.
  func owners(atMost count: Int) -> [(room: String, node: NodeID, epoch: UInt64)] {
    state.withLock { $0.leases.owners(atMost: count) }
  }

  /// The other nodes that are present and take rooms, the least busy first.
  var successors: [NodeID] {
    state.withLock { state in
      state.leases.others.filter { $0.value.state == .serving }
        .sorted { ($0.value.load, $0.key) < ($1.value.load, $1.key) }.map(\.key)
    }
  }

  /// Reports in heartbeats how busy this process is, in thousandths.
  func setLoad(_ load: UInt16) { state.withLock { $0.leases.load = load } }

  /// Announces that this process hands over its rooms and takes no more.
  func announceDrain() { act { $0.announce(.draining, at: Self.now()) } }

  /// Announces that this process has no rooms any more, and disconnects.
  func stop() {
    act { $0.announce(.ended, at: Self.now()) }
    wakeup.cancel()
    bus.stop()
  }

  // MARK: Handing over

  /// Notes that a room is being handed over, in which members of other nodes are.
  func beginHandOver(of room: String, edges: Set<NodeID>) {
    state.withLock { $0.departing[room] = edges }
  }

  /// Waits until all rooms are handed over, for a number of seconds at most; blocks.
  func finishHandOvers(atMost seconds: Double) {
    let end = Self.now() + seconds
    while state.withLock({ !$0.departing.isEmpty }), Self.now() < end { usleep(2000) }
  }

  // MARK: Messages

  /// Sends a message to a node.
  func send(_ message: ClusterMessage, to node: NodeID) {
    metrics.sent.add()
    bus.send(message.bytes, to: node)
  }

  /// Tells the other nodes that the shared store has changed.
  func announceStoreChange(_ keys: [String]) { broadcast(.storeChanged(keys)) }

  func broadcast(_ message: ClusterMessage) {
    bus.broadcast([Self.messageMark] + message.bytes)
  }

  /// The first byte of a broadcast heartbeat, and of another broadcast message.
  static let (heartbeatMark, messageMark): (UInt8, UInt8) = (0x48, 0x4d)

  /// Returns the clock of another node minus the clock of this one, in seconds; nil if it is not
  /// known yet, in which case it is asked for.
  func clockOffset(of node: NodeID) -> Double? {
    let now = WebServer.now()
    let (offset, asks) = state.withLock { state in
      (state.clocks[node]?.offset, state.clocks[node, default: PeerClock()].asks(at: now))
    }
    if asks { send(.clockRequest(sent: now), to: node) }
    return offset
  }

  // MARK: Leases

  /// Lets the leases act, and carries out what follows.
  func act(_ work: (inout RoomLeases) -> [LeaseEffect]) {
    // The lock is held until the effects are passed on, so that threads get them in order.
    state.withLock { state in
      for effect in work(&state.leases) { carryOut(effect, &state) }
      let gone = state.known.subtracting(state.leases.others.keys)
      if !gone.isEmpty { forget(gone, &state) }
      state.known.formUnion(state.leases.others.keys)
      schedule(&state)
      metrics.note(state.leases)
    }
  }

  private func schedule(_ state: inout State) {
    let next = state.leases.wakeTime
    guard next != state.wakeTime else { return }
    state.wakeTime = next
    let seconds = max(0.001, min(next - Self.now(), 1))
    wakeup.schedule(after: seconds)
  }

  private func forget(_ gone: Set<NodeID>, _ state: inout State) {
    for node in gone {
      state.known.remove(node)
      state.clocks[node] = nil
      log.warning(.nodeGone, "A node is gone.", ["node": .text(node.text)])
      for thread in threads.threads { thread.performOnGateway { $0.nodeGone(node) } }
    }
  }

  private func carryOut(_ effect: LeaseEffect, _ state: inout State) {
    switch effect {
    case .read(let id, let room):
      bus.read(.leases, room) { [weak self] result in
        self?.act { $0.answered(id, result, at: Self.now()) }
      }
    case .write(let id, let room, let value, let condition):
      bus.write(.leases, room, value, after: condition) { [weak self] result in
        self?.act { $0.answered(id, result, at: Self.now()) }
      }
    case .delete(let id, let room, let condition):
      bus.delete(.leases, room, after: condition) { [weak self] result in
        self?.act { $0.answered(id, result, at: Self.now()) }
      }
    case .heartbeat(let heartbeat):
      beat(&state)
      var bytes = [Self.heartbeatMark]
      heartbeat.encode(into: &bytes)
      bus.broadcast(bytes)
    case .owned(let room, let epoch):
      log.info(
        .roomOwned,
        "This node owns a room.",
        ["room": .text(room), "epoch": .count(Int(clamping: epoch))]
      )
      // NATS 2.9 may grant a lease to two nodes that ask for it within a few milliseconds.
      broadcast(.owned(room: room, epoch: epoch))
      inRoom(room) { $0.owned(room) }
    case .owner(let room, let owner):
      inRoom(room) { $0.owner(owner, of: room) }
    case .frozen(let room):
      metrics.frozen.add()
      log.warning(
        .roomFrozen,
        "A room is frozen until its lease is confirmed.",
        ["room": .text(room)]
      )
      inRoom(room) { $0.frozen(room) }
    case .thawed(let room): inRoom(room) { $0.thawed(room) }
    case .lost(let room):
      metrics.lost.add()
      log.warning(.roomLost, "A room continues at another node.", ["room": .text(room)])
      inRoom(room) { $0.lost(room) }
    case .released(let room):
      // The nodes whose members are in the room look for the next owner.
      for node in state.departing.removeValue(forKey: room) ?? [] {
        send(.notOwner(room: room, epoch: 0), to: node)
      }
    }
  }

  /// Does what is due with some heartbeats: keeps this node's number, and moves rooms to
  /// presenters.
  private func beat(_ state: inout State) {
    if state.beats % 40 == 0 { claim(state.number) }
    if state.beats % 10 == 0 {
      for thread in threads.threads {
        thread.performOnGateway { $0.withRelays { $0.followPresenters(now: WebServer.now()) } }
      }
    }
    state.beats += 1
  }

  /// Keeps the number of this node, or finds another one if a node has it already.
  private func claim(_ number: NodeNumber) {
    threads.members.setNode(number.value)
    let value = Array(bus.node.text.utf8)
    bus.read(.nodes, number.key) { [weak self] result in
      guard let self, case .success(let record) = result else { return }
      if let record, record.value != value {
        let other = NodeNumber()
        state.withLock { $0.number = other }
        claim(other)
      } else {
        let condition = record.map { WriteCondition.revision($0.revision) } ?? .absent
        bus.write(.nodes, number.key, value, after: condition) { _ in }
      }
    }
  }

  private func inRoom(_ room: String, _ work: @escaping @Sendable (RoomRelays) -> Void) {
    threads.threads[threads.index(ofRoom: room)].performOnGateway { $0.withRelays(work) }
  }
}

/// The number of a node, which is a part of its members' numbers: no two present nodes share it.
struct NodeNumber: Sendable {
  let value = UInt32.random(in: 1...1023)

  /// The key of the record that reserves the number.
  var key: String { "number-\(value)" }
}
