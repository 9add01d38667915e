internal import Synchronization
internal import WebServer

/// Runs work from any thread on the thread of a room host.
///
/// The host's messages are delivered right after the work. Work that is submitted before
/// ``attach(_:_:)`` is queued until then.
final class HostThread: Sendable {
  typealias Work = @Sendable (RoomHost) -> Void

  private struct State {
    var destination: (mailbox: Mailbox, gateway: OnServiceThread<WebGateway>)?
    var waiting: [Work] = []
  }

  private let state = Mutex(State())

  /// Runs work on the host's thread soon, after all work that was submitted before by any thread.
  func perform(_ work: @escaping Work) {
    // The lock is held until the work is passed on, so that the order is kept.
    state.withLock { state in
      guard let (mailbox, gateway) = state.destination else { return state.waiting.append(work) }
      mailbox.perform { _ in gateway.value?.perform(work) }
    }
  }

  /// Runs the queued work, and from now on passes work on directly.
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

/// A reference that any thread may hold but only the service thread may dereference.
struct OnServiceThread<Value: AnyObject>: @unchecked Sendable {
  private(set) weak var value: Value?

  init(_ value: Value) { self.value = value }
}
