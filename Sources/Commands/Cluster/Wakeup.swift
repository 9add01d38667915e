internal import Dispatch
internal import Synchronization

/// A timer for the next thing to do, which any thread may set.
final class Wakeup: Sendable {
  private struct State {
    var work: (@Sendable () -> Void)?
    /// Only the last of several settings counts.
    var number = 0
  }

  private let queue = DispatchQueue(label: "lectern.cluster", qos: .userInteractive)
  private let state = Mutex(State())

  /// Sets what is done when the time has come, on a queue of the timer.
  func start(_ work: @escaping @Sendable () -> Void) { state.withLock { $0.work = work } }

  /// Sets the time, in seconds from now, and replaces the previous one.
  func schedule(after seconds: Double) {
    let number = state.withLock { state in
      state.number += 1
      return state.number
    }
    queue.asyncAfter(deadline: .now() + seconds) { [weak self] in self?.fire(number) }
  }

  /// Does nothing any more.
  func cancel() { state.withLock { $0.work = nil } }

  private func fire(_ number: Int) {
    state.withLock { $0.number == number ? $0.work : nil }?()
  }
}
