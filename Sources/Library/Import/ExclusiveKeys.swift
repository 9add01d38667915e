internal import Foundation

/// Lets one thread at a time work on a thing, whatever the thing is.
final class ExclusiveKeys<Key: Hashable & Sendable>: @unchecked Sendable {
  // Sendable by hand: the set is touched under the condition's lock alone.
  fileprivate let condition = NSCondition()
  fileprivate var taken: Set<Key> = []

  /// Waits until nobody works on the thing, then works on it.
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
  /// Does something while nobody works on anything, if that is so now; who comes meanwhile waits.
  func whileIdle(_ work: () -> Void) {
    condition.withLock { if taken.isEmpty { work() } }
  }
}

/// Something that is set once and asked often, from any thread.
final class Flag: @unchecked Sendable {
  // Sendable by hand: the value is touched under the lock alone.
  private let lock = NSLock()
  private var value = false

  var isSet: Bool { lock.withLock { value } }
  func set() { lock.withLock { value = true } }
}
