internal import CLibwebsockets
internal import Synchronization

/// Wakes the service thread from any thread, for as long as there is one.
final class Waker: Sendable {
  // The address of the context, as a number: pointers may not cross threads. 0 without one.
  private let context = Mutex<UInt>(0)

  func attach(_ context: OpaquePointer?) {
    self.context.withLock { $0 = UInt(bitPattern: context) }
  }

  /// Makes libwebsockets call back with `LWS_CALLBACK_EVENT_WAIT_CANCELLED` soon.
  ///
  /// Under the lock, so that the context cannot be destroyed meanwhile. This is the one call of
  /// libwebsockets that another thread may make.
  func wake() {
    context.withLock { context in
      if context != 0 { lws_cancel_service(OpaquePointer(bitPattern: context)) }
    }
  }
}

/// Stops a server from any thread.
public final class Stopper: Sendable {
  private let flag = Atomic(false)
  private let waker: Waker

  init(waker: Waker) {
    self.waker = waker
  }

  /// Makes `WebServer.run()` say goodbye to every member and return, within about a second.
  public func stop() {
    flag.store(true, ordering: .releasing)
    waker.wake()
  }

  var isStopRequested: Bool { flag.load(ordering: .acquiring) }
}

/// Hands work from any thread to the thread of a server.
public final class Mailbox: Sendable {
  private struct State {
    var work: [@Sendable (WebServer) -> Void] = []
    var isClosed = false
  }

  private let state = Mutex(State())
  private let waker: Waker

  init(waker: Waker) {
    self.waker = waker
  }

  /// Runs a closure on the service thread soon, after those given before it by the same thread.
  ///
  /// Once the server has stopped it is dropped instead.
  public func perform(_ work: @escaping @Sendable () -> Void) {
    perform { _ in work() }
  }

  /// Runs a closure with the server on the service thread soon, after those given before it by the
  /// same thread.
  ///
  /// Once the server has stopped it is dropped instead.
  public func perform(_ work: @escaping @Sendable (WebServer) -> Void) {
    let isFirst = state.withLock { state in
      guard !state.isClosed else { return false }
      state.work.append(work)
      return state.work.count == 1
    }
    // Who finds work there already knows that the thread was woken and has not looked yet.
    if isFirst { waker.wake() }
  }

  /// Takes what has come so far.
  func takeWork() -> [@Sendable (WebServer) -> Void] {
    state.withLock { state in
      defer { state.work = [] }
      return state.work
    }
  }

  func close() {
    // What is dropped may let go of things that come back here, so not under the lock.
    _ = state.withLock { state in
      state.isClosed = true
      defer { state.work = [] }
      return state.work
    }
  }
}
