internal import CLibwebsockets
internal import Glibc

/// Watches the sockets of exchanges that libwebsockets does not read.
///
/// It learns of a hang-up by reading, and must not read while a request waits for its answer; and
/// of a socket that is not to be read it does not say that it takes bytes again either. This is a
/// second list of the kernel, itself a descriptor that becomes readable.
final class SocketWatch {
  enum Purpose {
    /// The client hangs up.
    case hangup
    /// The socket takes bytes again, or is broken.
    case room
  }

  /// How many sockets are told of before others have their turn.
  static let batch = 32

  let descriptor: Int32
  private let tokens: UnsafeMutablePointer<UInt64>

  init() {
    descriptor = lectern_watch_open()
    tokens = .allocate(capacity: Self.batch)
    tokens.initialize(repeating: 0, count: Self.batch)
  }

  deinit {
    tokens.deallocate()
  }

  /// Watches for one thing, instead of any before; nil for nothing.
  func watch(_ exchange: Exchange, for purpose: Purpose?) {
    guard exchange.watched != purpose else { return }
    let token = UInt64(exchange.id.slot) << 32 | UInt64(exchange.id.generation)
    _ = lectern_watch(
      descriptor,
      lws_get_socket_fd(exchange.socket),
      exchange.watched != nil,
      purpose != nil,
      purpose == .room,
      token
    )
    exchange.watched = purpose
  }

  /// Tells of up to ``batch`` that something happened to; of the others with the next call.
  ///
  /// What is still so is told again: the socket of an exchange that came to its end has to be
  /// unwatched, or the thread never rests.
  func forEachReady(_ body: (RequestID) -> Void) {
    let count = lectern_watch_take(descriptor, tokens, Int32(Self.batch))
    guard count > 0 else { return }
    for index in 0..<Int(count) {
      let token = tokens[index]
      body(RequestID(slot: UInt32(token >> 32), generation: UInt32(truncatingIfNeeded: token)))
    }
  }
}
