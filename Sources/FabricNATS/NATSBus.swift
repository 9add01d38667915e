package import Fabric
internal import Foundation
internal import Synchronization

/// A ``ClusterBus`` whose nodes are joined by NATS servers.
///
/// Messages are those of core NATS, and records are messages of JetStream. The servers are often
/// several; the bus moves to another one when the present one is lost.
///
/// ```swift
/// let bus = try NATSBus(NATSOptions(addresses: "nats://10.0.0.1:4222"), node: node)
/// bus.start { event in mailbox.perform { host in host.handle(event) } }
/// ```
/// | thread | number | does |
/// | --- | --- | --- |
/// | sender | 1 | sends the messages that wait |
/// | records | 7 | makes requests: four for leases, three for other records |
/// | of the client library | 6 | reads, delivers messages and reports events |
package final class NATSBus: ClusterBus {
  private struct State {
    /// What the bus has while it is connected, replaced if the connection ends for good.
    var link: NATSLink?
    var handler: (@Sendable (BusEvent) -> Void)?
    var isStopped = false
    var isSending = false
    /// The numbers of messages that were dropped after they arrived, by subject.
    var dropped: [String: Int] = [:]
    var queue: SendQueue
  }

  /// The identity of this node.
  package let node: NodeID
  private let options: NATSOptions
  private let state: Mutex<State>
  private let sender = Worker("nats sender")
  private let leases = (0..<4).map { Worker("nats leases \($0)") }
  private let records = (0..<3).map { Worker("nats records \($0)") }

  /// Connects, and creates the buckets unless they exist.
  ///
  /// Blocks until everything is ready, for ``NATSOptions/patienceSeconds`` at most.
  package init(_ options: NATSOptions, node: NodeID) throws(NATSError) {
    try options.validate()
    (self.node, self.options) = (node, options)
    state = Mutex(
      State(
        queue: SendQueue(bytesMax: options.queueBytesMax, messageBytesMax: options.messageBytesMax)
      )
    )
    do {
      let link = try connect()
      state.withLock { $0.link = link }
      try link.prepareBuckets()
    } catch {
      end()
      throw error
    }
  }

  deinit { end() }

  private func connect() throws(NATSError) -> NATSLink {
    try NATSLink(options, name: "lectern \(node)") { [weak self] event in self?.handle(event) }
  }

  // MARK: - Events

  /// Subscribes to the messages of this node, and reports events from now on.
  package func start(_ handler: @escaping @Sendable (BusEvent) -> Void) {
    state.withLock { $0.handler = handler }
    let isAdded = sender.perform { [weak self] isStopped in if !isStopped { self?.subscribe() } }
    if !isAdded { options.report("NATS: the bus was stopped before it was started") }
  }

  private func report(_ event: BusEvent) { state.withLock { $0.handler }?(event) }

  private func subscribe() {
    guard let connection = state.withLock({ $0.link?.connection }) else { return }
    do {
      let subscriptions = [
        try subscription("n.\(node)", connection, expectsFirst: true) { .message($0, from: $1) },
        try subscription("all", connection, expectsFirst: false) { .broadcast($0, from: $1) },
      ]
      let isCurrent = state.withLock { state in
        guard state.link?.connection === connection else { return false }
        state.link?.subscriptions = subscriptions
        return true
      }
      guard isCurrent else { return }
      try connection.flush(seconds: 3)
      report(.connected)
    } catch {
      options.report("NATS: cannot subscribe: \(error.text)")
      report(.disconnected(error.text))
    }
  }

  private func subscription(
    _ subject: String,
    _ connection: NATSConnection,
    expectsFirst: Bool,
    _ event: @escaping @Sendable ([UInt8], NodeID) -> BusEvent
  ) throws(Failure) -> Subscription {
    let reassembly = Mutex(
      Reassembly(messageBytesMax: options.messageBytesMax, expectsFirst: expectsFirst)
    )
    // What waits for a receiver that is too slow is bounded to a second of large rooms or so.
    return try Subscription(
      "\(options.prefix).\(subject)",
      connection,
      messagesMax: 65_536,
      bytesMax: 64 << 20
    ) { [weak self] bytes in
      for arrived in reassembly.withLock({ $0.receive(bytes) }) {
        switch arrived {
        case .message(let bytes, let sender): self?.report(event(bytes, sender))
        case .dropped(let count, let sender): self?.report(.dropped(count, from: sender))
        }
      }
    }
  }

  private func handle(_ event: NATSConnection.Event) {
    switch event {
    case .connected:
      state.withLock { $0.link?.store }?.forget()
      report(.connected)
    case .disconnected(let reason): if !isStopped { report(.disconnected(reason)) }
    case .slow(let subject, let dropped):
      // The client library counts from the start of the subscription.
      let before = state.withLock { $0.dropped.updateValue(dropped, forKey: subject) } ?? 0
      options.report("NATS: messages on \(subject) arrive too fast; dropped so far: \(dropped)")
      report(.dropped(max(1, dropped - before), from: nil))
    case .error(let text): options.report("NATS: \(text)")
    case .closed(let reason):
      guard !isStopped, state.withLock({ $0.handler }) != nil else { return }
      options.report("NATS: the connection ended: \(reason); connecting anew")
      report(.disconnected(reason))
      _ = sender.perform { [weak self] _ in self?.reconnect() }
    }
  }

  /// Replaces a connection that has ended for good, for example because the server refused it.
  private func reconnect() {
    while !isStopped {
      do {
        let link = try connect()
        state.withLock { $0.link = link }
        subscribe()
        return
      } catch {
        options.report(error.description)
        Thread.sleep(forTimeInterval: 1)
      }
    }
  }

  private var isStopped: Bool { state.withLock { $0.isStopped } }

  // MARK: - Messages

  /// Sends bytes to one node; see ``ClusterBus``.
  package func send(_ bytes: [UInt8], to node: NodeID) { add(bytes, to: node) }

  /// Sends bytes to all other nodes; see ``ClusterBus``.
  package func broadcast(_ bytes: [UInt8]) { add(bytes, to: nil) }

  private func add(_ bytes: [UInt8], to receiver: NodeID?) {
    let (dropped, mustWake) = state.withLock { state -> (Int, Bool) in
      guard !state.isStopped else { return (0, false) }
      let dropped = state.queue.add(bytes, to: receiver)
      let mustWake = !state.isSending && state.queue.count > 0
      state.isSending = state.isSending || mustWake
      return (dropped, mustWake)
    }
    if mustWake { _ = sender.perform { [weak self] _ in self?.sendAll() } }
    // The caller must not be called back by its own call.
    if dropped > 0 {
      _ = records[0].perform { [weak self] _ in self?.report(.dropped(dropped, from: nil)) }
    }
  }

  private func sendAll() {
    var buffer: [UInt8] = []
    var failed = 0
    while true {
      let next = state.withLock { state -> (SendQueue.Message, NATSConnection)? in
        guard let message = state.queue.dequeue(), let connection = state.link?.connection else {
          state.isSending = false
          return nil
        }
        return (message, connection)
      }
      guard let (message, connection) = next else { break }
      if !transmit(message, connection, &buffer) { failed += 1 }
    }
    if failed > 0 { report(.dropped(failed, from: nil)) }
  }

  /// Publishes a message, in several parts if it is larger than the server allows.
  private func transmit(
    _ message: SendQueue.Message,
    _ connection: NATSConnection,
    _ buffer: inout [UInt8]
  ) -> Bool {
    let subject = message.receiver.map { "\(options.prefix).n.\($0)" } ?? "\(options.prefix).all"
    let sizeMax = max(256, connection.payloadMax - Envelope.byteCount)
    let partCount = max(1, (message.bytes.count + sizeMax - 1) / sizeMax)
    guard partCount < Int(UInt16.max) else { return false }
    for part in 0..<partCount {
      buffer.removeAll(keepingCapacity: true)
      let envelope = Envelope(
        sender: node,
        number: message.number,
        part: UInt16(part),
        partCount: UInt16(partCount)
      )
      envelope.encode(into: &buffer)
      let start = part * sizeMax
      buffer += message.bytes[start..<min(start + sizeMax, message.bytes.count)]
      guard connection.publish(subject, buffer) == nil else { return false }
    }
    return true
  }

  // MARK: - Records

  /// Reads a record from the leader; see ``ClusterBus``.
  package func read(
    _ bucket: Bucket,
    _ key: String,
    _ answer: @escaping @Sendable (Result<Record?, RecordFailure>) -> Void
  ) { request(worker(bucket, key), { $0.read(bucket, key) }, answer) }

  /// Writes a record; see ``ClusterBus``.
  package func write(
    _ bucket: Bucket,
    _ key: String,
    _ value: [UInt8],
    after condition: WriteCondition,
    _ answer: @escaping @Sendable (Result<UInt64, RecordFailure>) -> Void
  ) { request(worker(bucket, key), { $0.write(bucket, key, value, after: condition) }, answer) }

  /// Deletes a record; see ``ClusterBus``.
  package func delete(
    _ bucket: Bucket,
    _ key: String,
    after condition: WriteCondition,
    _ answer: @escaping @Sendable (Result<Void, RecordFailure>) -> Void
  ) { request(worker(bucket, key), { $0.delete(bucket, key, after: condition) }, answer) }

  /// The name of the server that leads the storage of a bucket, or nil if there is only one server.
  func leader(
    of bucket: Bucket,
    _ answer: @escaping @Sendable (Result<String?, RecordFailure>) -> Void
  ) {
    request(
      worker(bucket, ""),
      { store in
        do throws(Failure) {
          return .success(try store.leader(of: bucket))
        } catch {
          return .failure(error.recordFailure)
        }
      },
      answer
    )
  }

  /// The worker for a key, always the same, so that its requests keep their order.
  private func worker(_ bucket: Bucket, _ key: String) -> Worker {
    let workers = bucket == .leases ? leases : records
    var hash = UInt32(2_166_136_261)
    for byte in key.utf8 { hash = (hash ^ UInt32(byte)) &* 16_777_619 }
    return workers[Int(hash % UInt32(workers.count))]
  }

  private func request<Value: Sendable>(
    _ worker: Worker,
    _ work: @escaping @Sendable (RecordStore) -> Result<Value, RecordFailure>,
    _ answer: @escaping @Sendable (Result<Value, RecordFailure>) -> Void
  ) {
    let isAdded = worker.perform { [weak self] isStopped in
      guard !isStopped, let store = self?.state.withLock({ $0.link?.store }) else {
        return answer(.failure(.unavailable("the bus was stopped")))
      }
      answer(work(store))
    }
    // The bus was stopped, or a great many requests wait already.
    if !isAdded { answer(.failure(.unavailable("the bus accepts no more requests"))) }
  }

  // MARK: - The end

  /// Sends what waits to be sent, for one second at most, and disconnects.
  package func stop() { end() }

  private func end() {
    let link = state.withLock { state -> NATSLink? in
      guard !state.isStopped else { return nil }
      state.isStopped = true
      let link = state.link
      return link
    }
    let workers = leases + records
    for worker in workers + [sender] { worker.stop() }
    guard let link else { return }
    let start = ProcessInfo.processInfo.systemUptime
    sender.join(seconds: 0.5)
    let spent = ProcessInfo.processInfo.systemUptime - start
    do { try link.connection.flush(seconds: max(0.1, 0.9 - spent)) } catch {
      options.report("NATS: not everything was sent before the end: \(error.text)")
    }
    link.connection.close()
    for worker in workers + [sender] { worker.join(seconds: 2) }
    state.withLock { state in
      state.link = nil
      state.handler = nil
    }
  }
}
