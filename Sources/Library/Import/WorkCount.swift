internal import Foundation

/// Counts work in progress and lets a thread wait until there is none.
final class WorkCount: @unchecked Sendable {
  // Unchecked Sendable: the count is accessed under the condition's lock only.
  private let condition = NSCondition()
  private var count = 0

  func begin() { condition.withLock { count += 1 } }

  func end() {
    condition.withLock {
      count -= 1
      if count == 0 { condition.broadcast() }
    }
  }

  func wait(seconds: Double) -> Bool {
    let limit = Date(timeIntervalSinceNow: seconds)
    return condition.withLock {
      while count > 0 { guard condition.wait(until: limit) else { return count == 0 } }
      return true
    }
  }
}
