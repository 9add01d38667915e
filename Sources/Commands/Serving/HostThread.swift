internal import Fabric
internal import Gateway
internal import Synchronization
internal import WebServer

/// Reaches the gateway and the room host of one service thread, from any thread.
///
/// Work runs in the order in which it was submitted, by any thread. Work that is submitted before
/// ``attach(_:_:)`` is queued until then.
final class HostThread: Sendable {
  typealias Work = @Sendable (RoomHost) -> Void
  typealias GatewayWork = @Sendable (WebGateway) -> Void

  private struct State {
    var destination: (mailbox: Mailbox, gateway: OnServiceThread<WebGateway>)?
    var waiting: [GatewayWork] = []
  }

  private let state = Mutex(State())

  /// Runs work on the host; its messages are delivered right after it.
  func perform(_ work: @escaping Work) { performOnGateway { $0.perform(work) } }

  /// Runs work on the gateway.
  func performOnGateway(_ work: @escaping GatewayWork) {
    // The lock is held until the work is passed on, so that the order is kept.
    state.withLock { state in
      guard let (mailbox, gateway) = state.destination else { return state.waiting.append(work) }
      mailbox.perform { _ in if let gateway = gateway.value { work(gateway) } }
    }
  }

  /// Runs the queued work, and from now on passes work on directly.
  func attach(_ mailbox: Mailbox, _ gateway: WebGateway) {
    let gateway = OnServiceThread(gateway)
    state.withLock { state in
      state.destination = (mailbox, gateway)
      let waiting = state.waiting
      state.waiting = []
      mailbox.perform { _ in
        guard let gateway = gateway.value else { return }
        for work in waiting { work(gateway) }
      }
    }
  }
}

/// A member that moves to another thread: its connection, and what it has sent.
struct MovedMember: Sendable {
  let socket: DetachedWebSocket
  let connection: Connection
  /// Its hello, and the messages after it.
  let messages: [GatewayMessage]
}

/// A reference that any thread may hold but only the service thread may dereference.
struct OnServiceThread<Value: AnyObject>: @unchecked Sendable {
  private(set) weak var value: Value?

  init(_ value: Value) { self.value = value }
}
