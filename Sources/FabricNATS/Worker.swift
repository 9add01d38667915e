internal import Foundation

/// A thread that runs pieces of work one after the other.
// The condition protects the work and the flag.
final class Worker: @unchecked Sendable {
  /// A piece of work; it is told whether the worker was stopped before it began.
  typealias Work = @Sendable (_ isStopped: Bool) -> Void

  /// The maximum number of pieces of work that wait.
  private static let workMax = 65_536

  private let condition = NSCondition()
  private var work: [Work] = []
  private var isStopped = false
  private var hasEnded = false

  init(_ name: String) {
    let thread = Thread { [self] in run() }
    thread.name = name
    thread.start()
  }

  /// Adds a piece of work, unless too much work waits.
  /// - Returns: Whether it was added.
  func perform(_ piece: @escaping Work) -> Bool {
    condition.lock()
    defer { condition.unlock() }
    guard work.count < Self.workMax, !hasEnded else { return false }
    work.append(piece)
    condition.signal()
    return true
  }

  /// Tells the work that is left that the worker was stopped, and ends the thread after it.
  func stop() {
    condition.lock()
    isStopped = true
    condition.broadcast()
    condition.unlock()
  }

  /// Waits until the thread has ended, for a limited time.
  func join(seconds: Double) {
    let end = Date(timeIntervalSinceNow: seconds)
    condition.lock()
    while !hasEnded, condition.wait(until: end) {}
    condition.unlock()
  }

  private func run() {
    while true {
      condition.lock()
      while work.isEmpty, !isStopped { condition.wait() }
      let batch = work
      work = []
      if batch.isEmpty { hasEnded = true }
      let mustEnd = hasEnded
      condition.broadcast()
      condition.unlock()
      guard !mustEnd else { return }
      for piece in batch { piece(stopped) }
    }
  }

  private var stopped: Bool {
    condition.lock()
    defer { condition.unlock() }
    return isStopped
  }
}
