internal import CLibwebsockets
internal import Synchronization

/// Wakes the service thread from any thread while it exists.
final class Waker: Sendable {
  // The address of the context as a number, because pointers cannot be passed between threads. 0
  // without one.
  private let context = Mutex<UInt>(0)

  func attach(_ context: OpaquePointer?) {
    self.context.withLock { $0 = UInt(bitPattern: context) }
  }

  /// Makes libwebsockets call back with `LWS_CALLBACK_EVENT_WAIT_CANCELLED` soon.
  ///
  /// Holds the lock, so that the context cannot be destroyed in the meantime. This is the only
  /// function of libwebsockets that other threads may call.
  func wake() {
    context.withLock { context in
      if context != 0 { lws_cancel_service(OpaquePointer(bitPattern: context)) }
    }
  }
}

/// Stops a server from any thread.
package final class Stopper: Sendable {
  private let flag = Atomic(false)
  private let waker: Waker

  init(waker: Waker) { self.waker = waker }

  /// Makes `WebServer.run()` say goodbye to every WebSocket and return within about a second.
  package func stop() {
    flag.store(true, ordering: .releasing)
    waker.wake()
  }

  var isStopRequested: Bool { flag.load(ordering: .acquiring) }
}

/// Passes work from any thread to the thread of a server.
package final class Mailbox: Sendable {
  private struct State {
    var work: [@Sendable (WebServer) -> Void] = []
    var isClosed = false
  }

  private let state = Mutex(State())
  private let waker: Waker

  init(waker: Waker) { self.waker = waker }

  /// Runs a closure on the service thread soon, after closures passed earlier by the same thread.
  ///
  /// Once the server has stopped, the closure is dropped.
  package func perform(_ work: @escaping @Sendable () -> Void) { perform { _ in work() } }

  /// Runs a closure with the server on the service thread soon, after closures passed earlier by
  /// the same thread.
  ///
  /// Once the server has stopped, the closure is dropped.
  package func perform(_ work: @escaping @Sendable (WebServer) -> Void) {
    let isFirst = state.withLock { state in
      guard !state.isClosed else { return false }
      state.work.append(work)
      return state.work.count == 1
    }
    // If there was work before, the thread was woken already and has not looked yet.
    if isFirst { waker.wake() }
  }

  /// Takes the work that has arrived so far.
  func drainWork() -> [@Sendable (WebServer) -> Void] {
    state.withLock { state in
      defer { state.work = [] }
      return state.work
    }
  }

  func close() {
    // Releasing dropped closures can call back into this type, so it happens outside the lock.
    _ = state.withLock { state in
      state.isClosed = true
      defer { state.work = [] }
      return state.work
    }
  }
}
