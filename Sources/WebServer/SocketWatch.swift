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

  let descriptor: Int32

  init() {
    descriptor = lectern_watch_open()
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

  /// One of those that something happened to, or nil.
  func next() -> RequestID? {
    var token: UInt64 = 0
    guard lectern_watch_next(descriptor, &token) == 1 else { return nil }
    return RequestID(slot: UInt32(token >> 32), generation: UInt32(truncatingIfNeeded: token))
  }
}
