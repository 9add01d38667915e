/// The connection of one node to the other nodes of its cluster and to the records that they share.
///
/// Any thread may call any function, and no call blocks. Answers and events arrive on threads of
/// the bus, which must not be kept busy: a receiver passes them on to its own thread.
package protocol ClusterBus: AnyObject, Sendable {
  /// The identity of this node.
  var node: NodeID { get }

  /// Connects, and from then on reports events; called once.
  func start(_ handler: @escaping @Sendable (BusEvent) -> Void)

  /// Sends bytes to one node, which receives them at most once.
  ///
  /// A node receives the messages of this function from one sender in their order. If they are sent
  /// faster than they can leave, the oldest of them are dropped.
  func send(_ bytes: [UInt8], to node: NodeID)

  /// Sends bytes to all other nodes, each of which receives them at most once.
  ///
  /// A node receives the messages of this function from one sender in their order, but their order
  /// relative to those of ``send(_:to:)`` is undefined.
  func broadcast(_ bytes: [UInt8])

  /// Reads the latest revision of a record, or nil if there is no record.
  ///
  /// The answer comes from the leader of the servers that store the bucket, and thus includes every
  /// write that was confirmed before.
  func read(
    _ bucket: Bucket,
    _ key: String,
    _ answer: @escaping @Sendable (Result<Record?, RecordFailure>) -> Void
  )

  /// Writes a record if the present one meets a condition; the answer is the new revision.
  ///
  /// Requests for the same key are made one after the other, in the order of the calls.
  func write(
    _ bucket: Bucket,
    _ key: String,
    _ value: [UInt8],
    after condition: WriteCondition,
    _ answer: @escaping @Sendable (Result<UInt64, RecordFailure>) -> Void
  )

  /// Deletes a record if it meets a condition. A record that does not exist counts as deleted,
  /// unless a revision is expected.
  func delete(
    _ bucket: Bucket,
    _ key: String,
    after condition: WriteCondition,
    _ answer: @escaping @Sendable (Result<Void, RecordFailure>) -> Void
  )

  /// Sends what waits to be sent, for one second at most, and disconnects.
  ///
  /// Requests that wait for an answer get ``RecordFailure/unknown(_:)`` or
  /// ``RecordFailure/unavailable(_:)``. This is the only function that blocks.
  func stop()
}

/// Something that a ``ClusterBus`` reports.
package enum BusEvent: Equatable, Sendable {
  /// A message for this node alone.
  case message([UInt8], from: NodeID)
  /// A message for all nodes.
  case broadcast([UInt8], from: NodeID)
  /// The connection was established, for the first time or again.
  case connected
  /// The connection was lost, for the given reason; the bus tries to reconnect.
  case disconnected(String)
  /// Messages were lost: those of a node on their way here, or, without a node, messages that were
  /// dropped at this node, either before they left or after they arrived.
  ///
  /// A loss is noticed when a later message of the same kind arrives. The same loss may be reported
  /// twice, with and without the node.
  case dropped(Int, from: NodeID?)
}
