internal import Foundation
internal import Synchronization

/// Lets at most one thread at a time work on each key.
final class ExclusiveKeys<Key: Hashable & Sendable>: @unchecked Sendable {
  // Unchecked Sendable: the set is accessed under the condition's lock only.
  fileprivate let condition = NSCondition()
  fileprivate var taken: Set<Key> = []

  /// Waits until no other thread works on the key, then runs the closure.
  func with<T, Fault: Error>(_ key: Key, _ work: () throws(Fault) -> T) throws(Fault) -> T {
    condition.lock()
    while taken.contains(key) { condition.wait() }
    taken.insert(key)
    condition.unlock()
    defer {
      condition.lock()
      taken.remove(key)
      condition.broadcast()
      condition.unlock()
    }
    return try work()
  }
}

extension ExclusiveKeys {
  /// Runs a closure if no thread works on any key; other threads wait until it has ended.
  func whileIdle(_ work: () -> Void) {
    condition.withLock { if taken.isEmpty { work() } }
  }
}

/// A flag that is set once and read often, from any thread.
final class Flag: Sendable {
  private let value = Atomic(false)

  var isSet: Bool { value.load(ordering: .sequentiallyConsistent) }
  func set() { value.store(true, ordering: .sequentiallyConsistent) }
}
