import Dispatch
import Fabric
import Foundation
import Synchronization

/// Joins several servers of this process, as NATS joins processes: in order, and without faults
/// except those that a test causes.
final class MemoryCluster: Sendable {
  private struct State {
    var buses: [NodeID: MemoryBus] = [:]
    var records: [Bucket: [String: Record]] = [:]
    var revision: UInt64 = 0
    var conflicts = 0
  }

  private let state = Mutex(State())

  /// Returns the bus of another node.
  func join() -> MemoryBus {
    let bus = MemoryBus(NodeID(UInt64.random(in: 1...UInt64.max)), self)
    state.withLock { $0.buses[bus.node] = bus }
    return bus
  }

  /// Cuts a node off, as if its process had been killed.
  func kill(_ node: NodeID) { state.withLock { $0.buses[node] = nil } }

  func bus(of node: NodeID) -> MemoryBus? { state.withLock { $0.buses[node] } }

  func buses(besides node: NodeID) -> [MemoryBus] {
    state.withLock { $0.buses.filter { $0.key != node }.map(\.value) }
  }

  func records(_ bucket: Bucket) -> [String: Record] {
    state.withLock { $0.records[bucket] ?? [:] }
  }

  /// The number of writes that did not meet their conditions.
  var conflicts: Int { state.withLock { $0.conflicts } }

  func write(
    _ bucket: Bucket,
    _ key: String,
    _ value: [UInt8]?,
    after condition: WriteCondition
  ) -> Result<UInt64, RecordFailure> {
    state.withLock { state in
      let record = state.records[bucket]?[key]
      switch condition {
      case .any: break
      case .absent where record == nil: break
      case .revision(let revision) where record?.revision == revision: break
      default:
        state.conflicts += 1
        return .failure(.conflict)
      }
      state.revision += 1
      let next = value.map { Record(value: $0, revision: state.revision) }
      state.records[bucket, default: [:]][key] = next
      return .success(state.revision)
    }
  }
}

/// The connection of one server to a ``MemoryCluster``.
final class MemoryBus: ClusterBus {
  let node: NodeID
  private let cluster: MemoryCluster
  private let queue = DispatchQueue(label: "test.bus")
  private let handler = Mutex<(@Sendable (BusEvent) -> Void)?>(nil)

  init(_ node: NodeID, _ cluster: MemoryCluster) { (self.node, self.cluster) = (node, cluster) }

  private func isConnected() -> Bool { cluster.bus(of: node) != nil }

  private func report(_ event: BusEvent) {
    queue.async { [self] in handler.withLock { $0 }?(event) }
  }

  func start(_ handler: @escaping @Sendable (BusEvent) -> Void) {
    self.handler.withLock { $0 = handler }
    report(.connected)
  }

  func send(_ bytes: [UInt8], to other: NodeID) {
    guard isConnected() else { return }
    cluster.bus(of: other)?.report(.message(bytes, from: node))
  }

  func broadcast(_ bytes: [UInt8]) {
    guard isConnected() else { return }
    for bus in cluster.buses(besides: node) { bus.report(.broadcast(bytes, from: node)) }
  }

  private func answer<Value: Sendable>(
    _ answer: @escaping @Sendable (Result<Value, RecordFailure>) -> Void,
    _ work: @escaping @Sendable () -> Result<Value, RecordFailure>
  ) {
    queue.async { [self] in
      answer(isConnected() ? work() : .failure(.unavailable("the node is cut off")))
    }
  }

  func read(
    _ bucket: Bucket,
    _ key: String,
    _ answer: @escaping @Sendable (Result<Record?, RecordFailure>) -> Void
  ) {
    self.answer(answer) { [cluster] in .success(cluster.records(bucket)[key]) }
  }

  func write(
    _ bucket: Bucket,
    _ key: String,
    _ value: [UInt8],
    after condition: WriteCondition,
    _ answer: @escaping @Sendable (Result<UInt64, RecordFailure>) -> Void
  ) {
    self.answer(answer) { [cluster] in cluster.write(bucket, key, value, after: condition) }
  }

  func delete(
    _ bucket: Bucket,
    _ key: String,
    after condition: WriteCondition,
    _ answer: @escaping @Sendable (Result<Void, RecordFailure>) -> Void
  ) {
    self.answer(answer) { [cluster] in
      cluster.write(bucket, key, nil, after: condition).map { _ in }
    }
  }

  func stop() {
    queue.sync {}
    handler.withLock { $0 = nil }
    cluster.kill(node)
  }
}
