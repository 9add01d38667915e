internal import Foundation
internal import WebServer

/// A thread that runs a server.
final class ServiceThread {
  private let ended = DispatchSemaphore(value: 0)

  /// Starts the thread.
  init(running server: WebServer) {
    // Only this thread uses the server, until `join()` has waited for its end.
    nonisolated(unsafe) let server = server
    let ended = ended
    let thread = Thread {
      server.run()
      ended.signal()
    }
    thread.name = "lectern-service"
    thread.stackSize = 8 << 20
    thread.start()
  }

  /// Waits for the end of the thread, which follows the stop of the server.
  func join() { ended.wait() }
}
