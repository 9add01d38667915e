internal import Foundation
internal import Synchronization

/// What waits for the thread of a log: bounded, so that a log that nobody reads costs lines and
/// never memory or time.
///
/// Safety of `@unchecked`: what varies is touched under the condition's lock, but for the atomics.
final class LogQueue: @unchecked Sendable {
  /// What the thread has to do next.
  struct Batch {
    var entries: [LogEntry] = []
    var audits: [LogFile] = []
    /// How many entries found no room since the last batch.
    var dropped = 0
    /// Whether nothing comes after it.
    var isLast = false
  }

  /// How many entries wait at most; as many may be on their way to the outputs.
  private let capacity: Int
  private let level: LogLevel?
  private let takesAudited: Atomic<Bool>
  private let condition = NSCondition()
  private var waiting = Batch()
  private var isAtWork = false
  private var isDone = false
  /// How many entries found no room so far.
  let dropped = Atomic<UInt64>(0)

  /// - Parameters:
  ///   - level: The least level that is taken; nil for none but what is audited.
  ///   - takesAudited: Whether what is audited is taken whatever its level.
  ///   - capacity: How many entries wait at most.
  init(level: LogLevel?, takesAudited: Bool, capacity: Int) {
    self.level = level
    self.takesAudited = Atomic(takesAudited)
    self.capacity = capacity
  }

  func takes(_ level: LogLevel, isAudited: Bool) -> Bool {
    if let least = self.level, level >= least { return true }
    return isAudited && takesAudited.load(ordering: .relaxed)
  }

  func put(_ entry: LogEntry) {
    condition.withLock {
      guard waiting.entries.count < capacity, !waiting.isLast else {
        dropped.wrappingAdd(1, ordering: .relaxed)
        waiting.dropped += 1
        return
      }
      waiting.entries.append(entry)
      condition.broadcast()
    }
  }

  func put(_ audit: LogFile) {
    takesAudited.store(true, ordering: .relaxed)
    condition.withLock {
      waiting.audits.append(audit)
      condition.broadcast()
    }
  }

  /// Waits for something to do; what was taken before is then done.
  func take() -> Batch {
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

  /// The last batch is written.
  func noteEnd() {
    condition.withLock {
      (isAtWork, isDone) = (false, true)
      condition.broadcast()
    }
  }

  /// Waits until all that waits now is written.
  /// - Returns: Whether it was within so many seconds.
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

  /// Lets the thread end once all is written.
  func end() {
    condition.withLock {
      waiting.isLast = true
      condition.broadcast()
    }
  }
}
