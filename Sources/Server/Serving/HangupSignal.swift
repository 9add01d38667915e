internal import Dispatch
internal import Glibc

/// The signal that a server without a terminal takes as a request to read its keys, and to look at
/// its folder, again.
///
/// A server in a terminal stops when the terminal is closed.
package final class HangupSignal: Sendable {
  private nonisolated(unsafe) let source: any DispatchSourceSignal

  /// Calls a closure on a thread of Dispatch whenever SIGHUP arrives, from now on.
  ///
  /// The signal must be blocked in all threads; see ``block()``.
  package init(_ call: @escaping @Sendable () -> Void) {
    source = DispatchSource.makeSignalSource(signal: SIGHUP, queue: .global())
    source.setEventHandler(handler: call)
    source.activate()
  }

  deinit { source.cancel() }

  /// Blocks SIGHUP in threads that start from now on, and ignores signals without a meaning, which
  /// would end the process.
  package static func block() {
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGHUP)
    pthread_sigmask(SIG_BLOCK, &signals, nil)
    for number in [SIGUSR1, SIGUSR2] { signal(number, SIG_IGN) }
  }
}
