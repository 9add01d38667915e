internal import CLibwebsockets
internal import Dispatch
internal import Synchronization

/// The state that a connection's thread shares with the threads that use the connection.
final class ConnectionMailbox: Sendable {
  private struct State {
    // The address of the context as a number, because pointers cannot be passed between threads. 0
    // without one.
    var context: UInt = 0
    var outgoing: [[UInt8]] = []
    var events: [ClientConnection.Event] = []
    var firstEvent = 0
    var isCloseRequested = false
    var isOver = false
  }

  private let state = Mutex(State())
  private let arrivals = DispatchSemaphore(value: 0)

  func enqueue(_ message: [UInt8]) {
    state.withLock { state in
      guard !state.isOver else { return }
      state.outgoing.append(message)
      Self.wake(state)
    }
  }

  func requestClose() {
    state.withLock { state in
      state.isCloseRequested = true
      Self.wake(state)
    }
  }

  func nextEvent(timeout: Double) -> ClientConnection.Event? {
    let microseconds = Int(max(0, min(timeout, 86_400)) * 1e6)
    guard arrivals.wait(timeout: .now() + .microseconds(microseconds)) == .success else {
      return nil
    }
    return state.withLock { state in
      let event = state.events[state.firstEvent]
      state.firstEvent += 1
      if state.firstEvent == state.events.count {
        state.events.removeAll(keepingCapacity: true)
        state.firstEvent = 0
      }
      return event
    }
  }

  // The connection's own thread calls the following methods.

  func attach(_ context: OpaquePointer?) {
    state.withLock { $0.context = UInt(bitPattern: context) }
  }

  func report(_ event: ClientConnection.Event) {
    state.withLock { state in
      state.events.append(event)
      switch event {
      case .closed, .failed: state.isOver = true
      case .opened, .message: break
      }
    }
    arrivals.signal()
  }

  /// Returns the messages to send, and whether to close the connection after them.
  func drainOutgoing() -> (messages: [[UInt8]], thenClose: Bool) {
    state.withLock { state in
      let messages = state.outgoing
      state.outgoing.removeAll()
      return (messages, state.isCloseRequested)
    }
  }

  // Called under the lock, so that the context cannot be destroyed in the meantime.
  private static func wake(_ state: State) {
    if state.context != 0 { lws_cancel_service(OpaquePointer(bitPattern: state.context)) }
  }
}
