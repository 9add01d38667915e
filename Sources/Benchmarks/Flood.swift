internal import Foundation
internal import Synchronization

/// Sends messages at a rate on a separate thread, and reconnects whenever the server closes the
/// connection.
final class Flood: Sendable {
  private let rate: Double
  private let visit: @Sendable (Flood) -> Void
  private let isStopped = Mutex(false)
  private let result = Mutex((sent: 0, closes: 0))
  private let isDone = DispatchSemaphore(value: 0)

  /// Creates a flood of `rate` messages a second.
  ///
  /// `visit` floods over one connection with ``pace(send:isClosed:)`` and returns when that has
  /// ended.
  init(rate: Double, visit: @escaping @Sendable (Flood) -> Void) {
    (self.rate, self.visit) = (rate, visit)
  }

  func start() {
    Thread.detachNewThread { [self] in
      while !isStopped.withLock({ $0 }) {
        visit(self)
        guard !isStopped.withLock({ $0 }) else { break }
        result.withLock { $0.closes += 1 }
        // Without a pause, a rejected client would connect thousands of times a second.
        usleep(50_000)
      }
      isDone.signal()
    }
  }

  /// Ends the flood.
  /// - Returns: The number of messages, and how often the server closed the connection.
  func stop() -> (sent: Int, closes: Int) {
    isStopped.withLock { $0 = true }
    isDone.wait()
    return result.withLock { $0 }
  }

  /// Sends messages at the rate until the flood is stopped or the connection has ended.
  /// - Parameters:
  ///   - send: Sends the messages of these numbers; returns whether it could.
  ///   - isClosed: Reads what has arrived; returns whether the connection has ended.
  func pace(send: (Range<Int>) -> Bool, isClosed: () -> Bool) {
    let began = Date()
    var sent = 0
    while !isStopped.withLock({ $0 }), !isClosed() {
      // A long backlog in the client would hide the effect of the server.
      let due = min(Int(Date().timeIntervalSince(began) * rate), sent + 100)
      if due > sent {
        guard send(sent..<due) else { return }
        result.withLock { [count = due - sent] in $0.sent += count }
        sent = due
      }
      usleep(2000)
    }
  }
}
