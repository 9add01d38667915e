internal import Dispatch
package import Fabric
internal import Foundation
package import Library
internal import Rooms
internal import Scene
internal import Synchronization
package import Telemetry
internal import WebServer

/// This process as a node of a cluster: which rooms it owns, and its messages to other nodes.
///
/// Any thread may call any function; none blocks. What concerns a room is passed to the service
/// thread of the room.
package final class ClusterNode: Sendable {
  struct State {
    var leases: Leases
    var clocks: [NodeID: PeerClock] = [:]
    var number = NodeNumber()
    var beats = 0
    /// The rooms that are being handed over, each with another node whose members are in it.
    var departing: [String: NodeID?] = [:]
    /// Whether this process hands its rooms over and takes no more.
    var isStopping = false
    var wakeTime = Double.infinity
  }

  let bus: any ClusterBus
  let threads: any NodeThreads
  let log: Log
  let metrics: ClusterMetrics
  let library: BookLibrary
  package let records: ClusterRecords
  let state: Mutex<State>
  private let queue = DispatchQueue(label: "lectern.cluster", qos: .userInteractive)

  /// Creates a node that is not connected yet.
  /// - Parameters:
  ///   - bus: The connection to the other nodes.
  ///   - address: Where this process can be reached, for people and tools.
  ///   - threads: The service threads.
  ///   - metrics: The metrics of the cluster.
  ///   - library: The library.
  ///   - log: The log.
  package init(
    bus: any ClusterBus,
    address: String,
    threads: any NodeThreads,
    metrics: ClusterMetrics,
    library: BookLibrary,
    log: Log
  ) {
    self.library = library
    let directory = threads.directory
    records = ClusterRecords(
      bus: bus,
      library: library,
      directory: directory,
      unixOffset: threads.environment.unixOffset,
      log: log
    )
    (self.bus, self.threads, self.metrics, self.log) = (bus, threads, metrics, log)
    let seed = UInt64.random(in: 1...UInt64.max)
    let leases = Leases(node: bus.node, address: address, seed: seed, at: Self.now())
    state = Mutex(State(leases: leases))
    // The first members may come before the number is confirmed; they must not share numbers.
    threads.setNode(state.withLock { $0.number.value })
  }

  /// The clock of leases in seconds, which also advances while the machine is suspended.
  static func now() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_BOOTTIME, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  /// Connects to the other nodes.
  package func start() {
    bus.start { [weak self] event in self?.handle(event) }
    act(.wake)
  }

  /// Announces that this process has no rooms any more, and disconnects.
  package func stop() {
    act(.ending)
    bus.stop()
  }

  // MARK: Rooms

  /// Returns the epoch in which this process owns a room at this instant; nil if it may not act as
  /// its owner.
  package func epoch(of room: String) -> UInt64? {
    state.withLock { $0.leases.epoch(of: room, at: Self.now()) }
  }

  /// Whether this process was paused and has not sent a heartbeat since.
  var isFenced: Bool { state.withLock { $0.leases.wakeTime + Leases.pauseSeconds < Self.now() } }

  /// The owners and epochs of the rooms of this process, up to a number of them.
  func owners(atMost count: Int) -> [(room: String, node: NodeID, epoch: UInt64)] {
    state.withLock { $0.leases.owners(atMost: count) }
  }

  // MARK: Handing over

  /// Notes that a room is being handed over to a node whose members are in it, or to the next one
  /// that needs it.
  func beginHandOver(of room: String, to node: NodeID?) {
    log.info(
      .roomHandedOver,
      "A room was handed over to another process, or to the next one that needs it.",
      ["room": .text(room), "node": node.map { .text($0.text) }]
    )
    state.withLock { state in
      state.isStopping = true
      state.departing.updateValue(node, forKey: room)
    }
  }

  /// Waits until all rooms are handed over, for a number of seconds at most; blocks.
  package func finishHandOvers(atMost seconds: Double) {
    let end = Self.now() + seconds
    while state.withLock({ !$0.departing.isEmpty }), Self.now() < end { usleep(2000) }
  }

  // MARK: Messages

  /// Sends a message to a node.
  package func send(_ message: ClusterMessage, to node: NodeID) {
    metrics.sent.add()
    bus.send(message.bytes, to: node)
  }

  /// Tells the other nodes that the shared store has changed.
  package func announceStoreChange(_ keys: [String]) { broadcast(.storeChanged(keys)) }

  /// Sends a message to all other nodes.
  package func broadcast(_ message: ClusterMessage) { bus.broadcast(message.bytes) }

  /// Returns how far the clock of the owner of a room is ahead of this process's, in seconds; nil
  /// if that is not known.
  package func clockLead(ofRoom room: String) -> Double? {
    let node = state.withLock { $0.leases.owner(of: room)?.node }
    return node.map { clockLead(of: $0) } ?? 0
  }

  /// Returns how far the clock of another node is ahead of this process's, and asks for it if the
  /// answer is not known or out of date.
  @discardableResult
  func clockLead(of node: NodeID) -> Double? {
    let now = WebServer.now()
    let (lead, asks) = state.withLock { state in
      (state.clocks[node]?.offset, state.clocks[node, default: PeerClock()].asks(at: now))
    }
    if asks { send(.clockRequest(sent: now), to: node) }
    return lead
  }

  // MARK: Leases

  /// Passes an event to the leases, and carries out what follows.
  func act(_ event: LeaseEvent) {
    // The lock is held until the effects are passed on, so that threads get them in order.
    state.withLock { state in
      for effect in state.leases.handle(event, at: Self.now()) { carryOut(effect, &state) }
      let wakeTime = state.leases.wakeTime
      if wakeTime != state.wakeTime {
        state.wakeTime = wakeTime
        queue.asyncAfter(deadline: .now() + max(0.001, wakeTime - Self.now())) { [weak self] in
          self?.wake(plannedFor: wakeTime)
        }
      }
      metrics.note(state.leases)
    }
  }

  private func wake(plannedFor time: Double) {
    let isCurrent = state.withLock { state in
      guard state.wakeTime == time else { return false }
      // Even if it is too early by the clock of leases, another wake is planned.
      state.wakeTime = .infinity
      return true
    }
    if isCurrent { act(.wake) }
  }

  /// Passes the answer to a request to the leases.
  private func answered(
    _ room: String,
    _ id: UInt64
  ) -> @Sendable (Result<LeaseAnswer, RecordFailure>) -> Void {
    { [weak self] in self?.act(.answered(room, id, $0)) }
  }

  private func carryOut(_ effect: LeaseEffect, _ state: inout State) {
    switch effect {
    case .read(let room, let id):
      let answer = answered(room, id)
      bus.read(.leases, room) { answer($0.map(LeaseAnswer.record)) }
    case .write(let room, let id, let value, let condition):
      let answer = answered(room, id)
      bus.write(.leases, room, value, after: condition) { answer($0.map(LeaseAnswer.written)) }
    case .delete(let room, let id, let condition):
      let answer = answered(room, id)
      bus.delete(.leases, room, after: condition) { answer($0.map { .deleted }) }
    case .heartbeat(let isEnding):
      if state.beats % Self.beatsOfClaim == 0 { claim(state.number) }
      if state.beats % Self.beatsOfRelease == 0 {
        threads.inAllRooms { $0.releaseForgotten() }
      }
      state.beats += 1
      broadcast(.heartbeat(isEnding: isEnding))
    case .gone(let node):
      state.clocks[node] = nil
      log.warning(.nodeGone, "A node is gone.", ["node": .text(node.text)])
      threads.nodeGone(node)
    case .owned(let room, let epoch):
      log.info(
        .roomOwned,
        "This node owns a room.",
        ["room": .text(room), "epoch": .count(Int(clamping: epoch))]
      )
      // NATS 2.9 may grant a lease to two nodes that ask for it within a few milliseconds.
      broadcast(.owned(room: room, epoch: epoch))
      inRoom(room) { $0.owned(room) }
    case .owner(let room, let owner): inRoom(room) { $0.owner(owner, of: room) }
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
      // The others learn of the next owner when it takes the room.
      if let next = state.departing.removeValue(forKey: room), let next {
        send(.notOwner(room: room, epoch: 0), to: next)
      }
    }
  }

  /// After how many heartbeats the number of this node is claimed again, and rooms are released
  /// that were forgotten.
  private static let (beatsOfClaim, beatsOfRelease) = (40, 4)

  /// Keeps the number of this node, or finds another one if a node has it already.
  private func claim(_ number: NodeNumber) {
    threads.setNode(number.value)
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

  func inRoom(_ room: String, _ work: @escaping @Sendable (Relays) -> Void) {
    threads.inRoom(room, work)
  }
}

/// The number of a node, which is a part of its members' numbers: no two present nodes share it.
struct NodeNumber: Sendable {
  let value = UInt32.random(in: 1...1023)

  /// The key of the record that reserves the number.
  var key: String { "number-\(value)" }
}
