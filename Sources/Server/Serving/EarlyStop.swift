internal import Dispatch
internal import Foundation
internal import Glibc
internal import Synchronization
package import Telemetry

/// Ends the process if it is asked to stop before the server runs.
///
/// A start can wait for a disk, a store or other nodes, and a service manager must not have to kill
/// it. Nothing is lost: whatever the start has stored survives even a crash.
///
/// A thread waits for the signals. A source of Dispatch would not do, because it can still take a
/// signal that arrives just after it was cancelled, and the server would never see it.
package final class EarlyStop: Sendable {
  private let isOver = Atomic(false)
  private let thread: Mutex<pthread_t?> = Mutex(nil)
  private let hasBegun = DispatchSemaphore(value: 0)
  private let hasEnded = DispatchSemaphore(value: 0)

  /// Waits for SIGINT and SIGTERM from now on, which must be blocked in all threads.
  /// - Parameter writer: The log, which is finished before the process ends.
  package init(_ writer: LogWriter) {
    Thread.detachNewThread { [self] in wait(writer) }
    hasBegun.wait()
  }

  private func wait(_ writer: LogWriter) {
    var signals = sigset_t()
    sigemptyset(&signals)
    for number in [SIGINT, SIGTERM, Self.wakeUp] { sigaddset(&signals, number) }
    // Blocked, it is not lost before the thread waits for it.
    pthread_sigmask(SIG_BLOCK, &signals, nil)
    thread.withLock { $0 = pthread_self() }
    hasBegun.signal()
    while !isOver.load(ordering: .acquiring) {
      let number = sigwaitinfo(&signals, nil)
      if number == SIGINT || number == SIGTERM { stop(number, writer) }
    }
    hasEnded.signal()
  }

  private func stop(_ number: Int32, _ writer: LogWriter) -> Never {
    writer.log.info(
      .serverStopped,
      "The server was stopped before it was ready.",
      ["cause": .text(number == SIGINT ? "SIGINT" : "SIGTERM")]
    )
    writer.finish()
    // The start goes on in other threads, so nothing is torn down under them.
    _exit(0)
  }

  /// The signal that lets the thread end; it has no other meaning.
  private static let wakeUp = SIGUSR1

  /// Leaves the signals to the server: none that arrives from now on is taken.
  package func end() {
    isOver.store(true, ordering: .releasing)
    if let thread = thread.withLock({ $0 }) { pthread_kill(thread, Self.wakeUp) }
    hasEnded.wait()
  }
}
