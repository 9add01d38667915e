package import Fabric

/// The connection of one node to a ``LocalCluster``.
// It is used by the thread of the cluster only.
package final class LocalBus: ClusterBus, @unchecked Sendable {
  package let node: NodeID
  private let cluster: LocalCluster
  var handler: (@Sendable (BusEvent) -> Void)?

  init(_ node: NodeID, _ cluster: LocalCluster) { (self.node, self.cluster) = (node, cluster) }

  package func start(_ handler: @escaping @Sendable (BusEvent) -> Void) {
    self.handler = handler
    cluster.deliver(.connected, to: node)
  }

  package func send(_ bytes: [UInt8], to other: NodeID) {
    cluster.send(.message(bytes, from: node), kind: "one", from: node, to: other)
  }

  package func broadcast(_ bytes: [UInt8]) {
    for other in cluster.others(than: node) {
      cluster.send(.broadcast(bytes, from: node), kind: "all", from: node, to: other)
    }
  }

  package func read(
    _ bucket: Bucket,
    _ key: String,
    _ answer: @escaping @Sendable (Result<Record?, RecordFailure>) -> Void
  ) {
    let cluster = cluster
    cluster.request(
      of: node,
      isWrite: false,
      { .success(cluster.record(bucket, key)) },
      answer
    )
  }

  package func write(
    _ bucket: Bucket,
    _ key: String,
    _ value: [UInt8],
    after condition: WriteCondition,
    _ answer: @escaping @Sendable (Result<UInt64, RecordFailure>) -> Void
  ) {
    let cluster = cluster
    cluster.request(
      of: node,
      isWrite: true,
      { cluster.set(bucket, key, value, condition) },
      answer
    )
  }

  package func delete(
    _ bucket: Bucket,
    _ key: String,
    after condition: WriteCondition,
    _ answer: @escaping @Sendable (Result<Void, RecordFailure>) -> Void
  ) {
    let cluster = cluster
    cluster.request(
      of: node,
      isWrite: true,
      { cluster.set(bucket, key, nil, condition).map { _ in () } },
      answer
    )
  }

  package func stop() { cluster.crash(node) }
}
