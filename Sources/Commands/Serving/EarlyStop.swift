internal import Dispatch
internal import Glibc
internal import Telemetry

/// Ends the process if it is asked to stop before the server runs.
///
/// A start can wait for a disk, a store or other nodes, and a service manager must not have to kill
/// it. Nothing is lost: whatever the start has stored survives even a crash.
final class EarlyStop: Sendable {
  private nonisolated(unsafe) let sources: [any DispatchSourceSignal]

  /// Listens to SIGINT and SIGTERM from now on, on a thread of Dispatch.
  ///
  /// The signals must be blocked in all threads. They have no other effect until ``end()``.
  /// - Parameter writer: The log, which is finished before the process ends.
  init(_ writer: LogWriter) {
    sources = [SIGINT, SIGTERM].map { number in
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler {
        writer.log.info(
          .serverStopped,
          "The server was stopped before it was ready.",
          ["cause": .text(number == SIGINT ? "SIGINT" : "SIGTERM")]
        )
        writer.finish()
        // The start goes on in other threads, so nothing is torn down under them.
        _exit(0)
      }
      source.activate()
      return source
    }
  }

  /// Leaves the signals to the server.
  func end() { for source in sources { source.cancel() } }
}
