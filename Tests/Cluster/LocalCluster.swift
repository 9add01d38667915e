package import Fabric
internal import TestVectors

/// Nodes of one process whose messages and records take simulated time and fail as a seed decides.
///
/// ```swift
/// let cluster = LocalCluster(seed: 7)
/// let bus = cluster.join(NodeID(1))
/// while cluster.step() {}
/// ```
// It is used by one thread only: everything happens in `step`.
package final class LocalCluster: @unchecked Sendable {
  /// What goes wrong, and how often.
  package struct Faults: Sendable {
    /// The least and the greatest time of a message or of half a request, in seconds.
    package var delay = 0.0002...0.003
    /// The probability that a message is lost.
    package var loss = 0.0
    /// The probability that a request has no answer; half of the writes are made nevertheless, some
    /// of them later.
    package var lostAnswers = 0.0
    /// The probability that a write is answered with a conflict, whether it is made or not.
    package var falseConflicts = 0.0
    /// For how long after a write another one with the same condition is made as well, in seconds.
    package var staleness = 0.0

    package init() {}
  }

  private struct Event {
    let time: Double
    let order: Int
    let work: () -> Void
  }

  /// The time in seconds.
  package private(set) var now = 0.0
  package var faults = Faults()
  /// Whether the servers that store the records have a quorum.
  package var hasQuorum = true
  /// The nodes that reach neither the servers nor the nodes outside this set.
  package var cutOff: Set<NodeID> = [] { didSet { reportConnections(since: oldValue) } }
  /// The messages that were lost on purpose.
  package private(set) var lostCount = 0

  var random: SplitMix64
  private var events: [Event] = []
  private var order = 0
  private var buses: [NodeID: LocalBus] = [:]
  private var arrivals: [String: Double] = [:]
  private var waiting: [NodeID: [() -> Void]] = [:]
  private var store: [Bucket: [String: Record]] = [:]
  private var revision: UInt64 = 1 << 32
  /// The revision of each record before its last write, and the time of that write.
  private var earlier: [Bucket: [String: (revision: UInt64, writtenAt: Double)]] = [:]

  package init(seed: UInt64) { random = SplitMix64(seed: seed) }

  /// Adds a node to the cluster.
  package func join(_ node: NodeID) -> LocalBus {
    let bus = LocalBus(node, self)
    buses[node] = bus
    return bus
  }

  /// Removes a node without notice; what it has sent still arrives.
  package func crash(_ node: NodeID) {
    buses[node]?.handler = nil
    buses[node] = nil
    waiting[node] = nil
  }

  /// Stops a node as SIGSTOP does: what is for it waits.
  package func pause(_ node: NodeID) { if waiting[node] == nil { waiting[node] = [] } }

  /// Continues a paused node; what waited for it follows.
  package func resume(_ node: NodeID) {
    // What is on its way at this instant comes after what waited.
    at(now) { [self] in for work in waiting.removeValue(forKey: node) ?? [] { give(node, work) } }
  }

  package func isPaused(_ node: NodeID) -> Bool { waiting[node] != nil }

  /// The record of a key, as the leader has it.
  package func record(_ bucket: Bucket, _ key: String) -> Record? { store[bucket]?[key] }

  /// Removes a record as an expiry does.
  package func expire(_ bucket: Bucket, _ key: String) { store[bucket]?[key] = nil }

  /// The time of the next event; infinite if there is none.
  package var nextTime: Double { events.first?.time ?? .infinity }

  /// Advances the time to that of the next event and runs it, if it is not after a given time.
  /// - Returns: Whether there was one; without one, the time is the given one.
  @discardableResult
  package func step(until end: Double = .infinity) -> Bool {
    guard let event = events.first, event.time <= end else {
      if end < .infinity { now = max(now, end) }
      return false
    }
    events.removeFirst()
    now = max(now, event.time)
    event.work()
    return true
  }

  /// Runs work at a time.
  package func at(_ time: Double, _ work: @escaping () -> Void) {
    order += 1
    let event = Event(time: max(now, time), order: order, work: work)
    // The events are few, and most new ones are among the last.
    var place = events.count
    while place > 0, events[place - 1].time > event.time { place -= 1 }
    events.insert(event, at: place)
  }

  /// Runs work of a node, once it is not paused, unless it has crashed.
  private func give(_ node: NodeID, _ work: @escaping () -> Void) {
    guard buses[node] != nil else { return }
    if waiting[node] != nil { waiting[node]?.append(work) } else { work() }
  }

  private func reportConnections(since old: Set<NodeID>) {
    for node in cutOff.symmetricDifference(old).sorted() {
      deliver(cutOff.contains(node) ? .disconnected("cut off") : .connected, to: node)
    }
  }

  func deliver(_ event: BusEvent, to node: NodeID) {
    at(now) { [self] in give(node) { [self] in buses[node]?.handler?(event) } }
  }

  private func delay() -> Double { Double.random(in: faults.delay, using: &random) }

  private func areJoined(_ first: NodeID, _ second: NodeID) -> Bool {
    cutOff.contains(first) == cutOff.contains(second)
  }

  // MARK: - Messages

  func send(_ event: BusEvent, kind: String, from sender: NodeID, to node: NodeID) {
    guard areJoined(sender, node), !random.happens(faults.loss) else { return lostCount += 1 }
    // The messages of a kind keep their order.
    let path = "\(kind) \(sender) \(node)"
    let time = max(now + delay(), arrivals[path] ?? 0)
    arrivals[path] = time
    at(time) { [self] in
      guard areJoined(sender, node) else { return lostCount += 1 }
      give(node) { [self] in buses[node]?.handler?(event) }
    }
  }

  func others(than node: NodeID) -> [NodeID] { buses.keys.filter { $0 != node }.sorted() }

  // MARK: - Records

  /// Makes a request of a node and answers it, or fails on the way.
  func request<Answer>(
    of node: NodeID,
    isWrite: Bool,
    _ work: @escaping () -> Result<Answer, RecordFailure>,
    _ answer: @escaping (Result<Answer, RecordFailure>) -> Void
  ) {
    func reply(_ result: Result<Answer, RecordFailure>, at time: Double) {
      at(time) { [self] in give(node) { answer(result) } }
    }
    guard hasQuorum, !cutOff.contains(node) else {
      return reply(.failure(.unavailable("no quorum")), at: now + delay())
    }
    if random.happens(faults.lostAnswers) {
      if isWrite, random.happens(0.5) {
        at(now + Double.random(in: 0...1.5, using: &random)) { _ = work() }
      }
      return reply(.failure(.unknown("no answer")), at: now + 0.8)
    }
    at(now + delay()) { [self] in
      if isWrite, random.happens(faults.falseConflicts) {
        if random.happens(0.5) { _ = work() }
        return reply(.failure(.conflict), at: now + delay())
      }
      let result = work()
      if cutOff.contains(node) { return reply(.failure(.unknown("cut off")), at: now + 0.8) }
      reply(result, at: now + delay())
    }
  }

  /// Writes or deletes a record, if the present one meets the condition.
  func set(
    _ bucket: Bucket,
    _ key: String,
    _ value: [UInt8]?,
    _ condition: WriteCondition
  ) -> Result<UInt64, RecordFailure> {
    let present = store[bucket]?[key]
    switch condition {
    case .any: break
    case .absent: if present != nil { return .failure(.conflict) }
    case .revision(let revision):
      let last = earlier[bucket]?[key]
      let isStale = last?.revision == revision && now < (last?.writtenAt ?? 0) + faults.staleness
      if present?.revision != revision, !isStale { return .failure(.conflict) }
    }
    earlier[bucket, default: [:]][key] = present.map { ($0.revision, now) }
    revision += 1
    store[bucket, default: [:]][key] = value.map { Record(value: $0, revision: revision) }
    return .success(revision)
  }
}
