internal import Foundation
internal import WebServer

/// A thread that runs a server.
final class ServiceThread {
  private let server: WebServer
  private let ended = DispatchSemaphore(value: 0)

  /// Starts the thread.
  init(running server: WebServer) {
    self.server = server
    // The server is used by this thread only, until `stop()` has waited for its end.
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

  /// Stops the server and waits for the end of the thread.
  func stop() {
    server.stopper.stop()
    ended.wait()
  }
}
