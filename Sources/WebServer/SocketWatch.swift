internal import CLibwebsockets
internal import Glibc

/// Watches the sockets that libwebsockets does not read: those of exchanges, WebSockets and pending
/// connections.
///
/// libwebsockets notices a hang-up only by reading, which it must not do while a request waits for
/// its response. It also does not report that such a socket is writable again. This watch uses its
/// own epoll descriptor, which becomes readable.
final class SocketWatch {
  enum Purpose: Int32 {
    /// The client hangs up.
    case hangup = 0
    /// The socket is writable again, or broken.
    case room = 1
    /// Input has arrived, or the client hangs up.
    case input = 2
    /// More input has arrived in addition to unread input.
    case moreInput = 3
    /// Input has arrived, the socket is writable again, or the client hangs up.
    case inputAndRoom = 4
  }

  /// The owner of a socket.
  enum Subject: Equatable {
    case exchange(RequestID)
    case webSocket(ConnectionID)
    case pending(PendingConnectionID)
  }

  /// The number of sockets that are reported before other work gets its turn.
  static let batch = 32

  let descriptor: Int32
  private let tokens: UnsafeMutablePointer<UInt64>

  init() {
    descriptor = lectern_watch_open()
    tokens = .allocate(capacity: Self.batch)
    tokens.initialize(repeating: 0, count: Self.batch)
  }

  deinit { tokens.deallocate() }

  /// Watches for one event and replaces the previous one; nil for nothing.
  func watch(_ exchange: Exchange, for purpose: Purpose?) {
    guard exchange.watched != purpose else { return }
    change(
      lws_get_socket_fd(exchange.socket),
      from: exchange.watched,
      to: purpose,
      Self.token(0, exchange.id.slot, exchange.id.generation)
    )
    exchange.watched = purpose
  }

  /// Watches a WebSocket for another purpose; nil for none.
  func watch(
    _ connection: ConnectionID,
    _ descriptor: Int32,
    from old: Purpose?,
    to new: Purpose?
  ) {
    change(descriptor, from: old, to: new, Self.token(1, connection.slot, connection.generation))
  }

  /// Watches for input of a pending connection.
  func watch(_ connection: PendingConnection) {
    let token = Self.token(2, connection.id.slot, connection.id.generation)
    change(connection.descriptor, from: nil, to: .moreInput, token)
  }

  func unwatch(_ connection: PendingConnection) {
    change(connection.descriptor, from: .moreInput, to: nil, 0)
  }

  /// Reports up to ``batch`` sockets with events; the next call reports the others.
  ///
  /// A condition that persists is reported again. Unwatch a socket that has ended, otherwise the
  /// thread never rests.
  func forEachReady(_ body: (Subject) -> Void) {
    let count = lectern_watch_take(descriptor, tokens, Int32(Self.batch))
    guard count > 0 else { return }
    for index in 0..<Int(count) {
      let token = tokens[index]
      let slot = UInt32(truncatingIfNeeded: token >> 32) & Self.slotMask
      let generation = UInt32(truncatingIfNeeded: token)
      switch token >> 62 {
      case 0: body(.exchange(RequestID(slot: slot, generation: generation)))
      case 1: body(.webSocket(ConnectionID(slot: slot, generation: generation)))
      default: body(.pending(PendingConnectionID(slot: slot, generation: generation)))
      }
    }
  }

  private static let slotMask: UInt32 = 0x3fff_ffff

  private static func token(_ kind: UInt64, _ slot: UInt32, _ generation: UInt32) -> UInt64 {
    kind << 62 | UInt64(slot & slotMask) << 32 | UInt64(generation)
  }

  private func change(_ socket: Int32, from: Purpose?, to purpose: Purpose?, _ token: UInt64) {
    _ = lectern_watch(descriptor, socket, from != nil, purpose?.rawValue ?? -1, token)
  }
}
