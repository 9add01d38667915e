internal import Synchronization
internal import WebServer

/// Hands work from any thread to the thread of a room host.
///
/// What the host then says is delivered right after the work. Work that comes before
/// ``attach(_:_:)`` waits for it.
final class HostThread: Sendable {
  typealias Work = @Sendable (RoomHost) -> Void

  private struct State {
    var destination: (mailbox: Mailbox, gateway: OnServiceThread<WebGateway>)?
    var waiting: [Work] = []
  }

  private let state = Mutex(State())

  /// Runs work on the thread of the host soon, after what was handed over before by any thread.
  func perform(_ work: @escaping Work) {
    // The lock is held until the work has left, so that it stays in order.
    state.withLock { state in
      guard let (mailbox, gateway) = state.destination else { return state.waiting.append(work) }
      mailbox.perform { _ in gateway.value?.perform(work) }
    }
  }

  /// Begins to hand work over.
  func attach(_ mailbox: Mailbox, _ gateway: WebGateway) {
    let gateway = OnServiceThread(gateway)
    state.withLock { state in
      state.destination = (mailbox, gateway)
      let waiting = state.waiting
      state.waiting = []
      mailbox.perform { _ in for work in waiting { gateway.value?.perform(work) } }
    }
  }
}

/// A reference that any thread may hold and only the service thread follows.
struct OnServiceThread<Value: AnyObject>: @unchecked Sendable {
  private(set) weak var value: Value?

  init(_ value: Value) { self.value = value }
}
