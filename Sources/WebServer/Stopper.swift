internal import CLibwebsockets
internal import Synchronization

/// Stops a server from any thread.
public final class Stopper: Sendable {
  private struct State {
    // The address of the context, as a number: pointers may not cross threads. 0 once it is gone.
    var context: UInt = 0
    var isStopRequested = false
  }

  private let state = Mutex(State())

  init() {}

  /// Makes `WebServer.run()` say goodbye to every member and return, within about a second.
  public func stop() {
    state.withLock { state in
      state.isStopRequested = true
      // Under the lock, so that the context cannot be destroyed meanwhile. This is the one call
      // of libwebsockets that another thread may make.
      if state.context != 0 { lws_cancel_service(OpaquePointer(bitPattern: state.context)) }
    }
  }

  var isStopRequested: Bool { state.withLock { $0.isStopRequested } }

  func attach(_ context: OpaquePointer?) {
    state.withLock { $0.context = UInt(bitPattern: context) }
  }
}
