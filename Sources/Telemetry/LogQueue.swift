internal import Foundation
internal import Synchronization

/// The entries that wait for the thread of a log.
///
/// The queue is bounded, so that a log that nobody reads loses lines but costs neither memory nor
/// time.
///
/// Safety of `@unchecked`: variables are accessed under the condition's lock only, except the
/// atomics.
final class LogQueue: @unchecked Sendable {
  /// The next work of the thread.
  struct Batch {
    var entries: [LogEntry] = []
    var audits: [LogFile] = []
    /// The number of entries dropped since the last batch.
    var dropped = 0
    /// Whether this is the last batch.
    var isLast = false
    /// The entry that nothing follows.
    var last: LogEntry?
  }

  /// The maximum number of waiting entries; as many can be on their way to the outputs.
  private let capacity: Int
  private let level: LogLevel?
  private let acceptsAudited: Atomic<Bool>
  private let condition = NSCondition()
  private var waiting = Batch()
  private var isAtWork = false
  private var isDone = false
  /// The number of entries dropped so far.
  let dropped = Atomic<UInt64>(0)

  /// Creates an empty queue.
  /// - Parameters:
  ///   - level: The lowest level that is accepted; nil to accept audited events only.
  ///   - acceptsAudited: Whether audited events are accepted at any level.
  ///   - capacity: The maximum number of waiting entries.
  init(level: LogLevel?, acceptsAudited: Bool, capacity: Int) {
    self.level = level
    self.acceptsAudited = Atomic(acceptsAudited)
    self.capacity = capacity
  }

  func accepts(_ level: LogLevel, isAudited: Bool) -> Bool {
    if let least = self.level, level >= least { return true }
    return isAudited && acceptsAudited.load(ordering: .relaxed)
  }

  /// Adds an entry, unless the queue is full or has ended.
  func put(_ entry: LogEntry) {
    condition.withLock {
      guard waiting.entries.count < capacity, !waiting.isLast else {
        dropped.wrappingAdd(1, ordering: .relaxed)
        // The line about dropped entries says that the queue was full.
        if !waiting.isLast { waiting.dropped += 1 }
        return
      }
      waiting.entries.append(entry)
      condition.broadcast()
    }
  }

  func put(_ audit: LogFile) {
    acceptsAudited.store(true, ordering: .relaxed)
    condition.withLock {
      waiting.audits.append(audit)
      condition.broadcast()
    }
  }

  /// Waits for work and returns it; the call also marks the previous batch as done.
  func drain() -> Batch {
    condition.withLock {
      isAtWork = false
      condition.broadcast()
      while waiting.entries.isEmpty && waiting.audits.isEmpty && !waiting.isLast {
        condition.wait()
      }
      defer { waiting = Batch(isLast: waiting.isLast) }
      isAtWork = true
      return waiting
    }
  }

  /// Records that the last batch is written.
  func noteEnd() {
    condition.withLock {
      (isAtWork, isDone) = (false, true)
      condition.broadcast()
    }
  }

  /// Waits until all entries that are currently queued are written.
  /// - Returns: Whether this happened within the given number of seconds.
  func drain(seconds: Double) -> Bool {
    let limit = Date(timeIntervalSinceNow: seconds)
    return condition.withLock {
      while isAtWork || !waiting.entries.isEmpty || !waiting.audits.isEmpty
        || waiting.isLast && !isDone
      {
        guard condition.wait(until: limit) else { return false }
      }
      return true
    }
  }

  /// Lets the thread end once everything is written, and after that the given entry.
  func end(with last: LogEntry? = nil) {
    condition.withLock {
      if !waiting.isLast { (waiting.isLast, waiting.last) = (true, last) }
      condition.broadcast()
    }
  }
}
