import Fabric
import FabricNATS
import Foundation
import Synchronization
import Testing

/// A bus whose events and answers a test can wait for.
final class BusClient: Sendable {
  struct TimedOut: Error, CustomStringConvertible {
    let description: String
  }

  let bus: NATSBus
  let node: NodeID
  private let events = EventList()

  init(_ options: NATSOptions, isStarted: Bool = true) throws {
    node = NodeID(UInt64.random(in: 1...UInt64.max))
    bus = try NATSBus(options, node: node)
    let events = events
    if isStarted {
      bus.start { events.add($0) }
      try wait("a connection") { $0.contains(.connected) }
    }
  }

  convenience init(_ servers: [NATSServer], _ change: (inout NATSOptions) -> Void = { _ in }) throws
  {
    var options = NATSOptions(addresses: servers.map(\.address).joined(separator: ","))
    options.patienceSeconds = 30
    change(&options)
    try self.init(options)
  }

  /// All events so far.
  var received: [BusEvent] { events.all }

  /// Forgets all events so far.
  func clear() { events.clear() }

  /// Waits until the events satisfy a condition.
  func wait(_ what: String, _ condition: ([BusEvent]) -> Bool) throws {
    guard events.wait(condition) else {
      throw TimedOut(description: "\(what) did not come; \(events.all.count) events did")
    }
  }

  /// Calls a function of the bus and waits for its answer.
  func ask<Value: Sendable>(
    _ call: (@escaping @Sendable (Result<Value, RecordFailure>) -> Void) -> Void
  ) throws -> Result<Value, RecordFailure> {
    let answer = Mutex<Result<Value, RecordFailure>?>(nil)
    let isThere = DispatchSemaphore(value: 0)
    call { result in
      answer.withLock { $0 = result }
      isThere.signal()
    }
    _ = isThere.wait(timeout: .now() + 30)
    return try #require(answer.withLock { $0 })
  }

  func read(_ bucket: Bucket, _ key: String) throws -> Record? {
    try ask { bus.read(bucket, key, $0) }.get()
  }

  func write(
    _ bucket: Bucket,
    _ key: String,
    _ value: [UInt8],
    after condition: WriteCondition
  ) throws -> Result<UInt64, RecordFailure> {
    try ask { bus.write(bucket, key, value, after: condition, $0) }
  }

  func delete(
    _ bucket: Bucket,
    _ key: String,
    after condition: WriteCondition
  ) throws
    -> RecordFailure?
  {
    switch try ask({ bus.delete(bucket, key, after: condition, $0) }) {
    case .success: nil
    case .failure(let failure): failure
    }
  }

  /// Writes again and again until the servers are able to, and returns the revision.
  func writeWhenPossible(_ bucket: Bucket, _ key: String, _ value: [UInt8]) throws -> UInt64 {
    let end = ProcessInfo.processInfo.systemUptime + 40
    while true {
      let result = try write(bucket, key, value, after: .any)
      if case .success(let revision) = result { return revision }
      guard ProcessInfo.processInfo.systemUptime < end else { return try result.get() }
      // The servers elect a leader; there is no event for that.
      Thread.sleep(forTimeInterval: 0.05)
    }
  }
}

/// Events that one thread adds and another waits for.
// The condition protects the list.
private final class EventList: @unchecked Sendable {
  private let condition = NSCondition()
  private var events: [BusEvent] = []

  func add(_ event: BusEvent) {
    condition.lock()
    events.append(event)
    condition.broadcast()
    condition.unlock()
  }

  func clear() {
    condition.lock()
    events = []
    condition.unlock()
  }

  var all: [BusEvent] {
    condition.lock()
    defer { condition.unlock() }
    return events
  }

  func wait(_ isMet: ([BusEvent]) -> Bool) -> Bool {
    let end = Date(timeIntervalSinceNow: 30)
    condition.lock()
    defer { condition.unlock() }
    while !isMet(events) {
      guard condition.wait(until: end) else { return isMet(events) }
    }
    return true
  }
}
