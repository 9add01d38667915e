internal import Dispatch
internal import Foundation
internal import Synchronization

/// Waits for work that can block without limit, such as a call to a folder on a network.
enum TimeLimit {
  private final class Answer<Value: Sendable>: Sendable {
    let value = Mutex<Value?>(nil)
    let isThere = DispatchSemaphore(value: 0)
  }

  /// Runs work on a thread of its own.
  ///
  /// - Parameters:
  ///   - seconds: The maximum time to wait. Work that takes longer goes on, and its result is lost.
  ///   - work: The work.
  /// - Returns: The result; nil if there was none in time.
  static func run<Value: Sendable>(
    _ seconds: Double,
    _ work: @escaping @Sendable () -> Value
  ) -> Value? {
    let answer = Answer<Value>()
    Thread.detachNewThread {
      let value = work()
      answer.value.withLock { $0 = value }
      answer.isThere.signal()
    }
    _ = answer.isThere.wait(timeout: .now() + seconds)
    return answer.value.withLock { $0 }
  }
}
