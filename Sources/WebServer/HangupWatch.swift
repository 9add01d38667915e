internal import CLibwebsockets
internal import Glibc

/// Notices that a client hangs up while its socket is not read.
///
/// libwebsockets learns of an end by reading, and it must not read while a request waits for its
/// answer. This is a second list of the kernel, itself a descriptor that becomes readable.
final class HangupWatch {
  let descriptor: Int32

  init() {
    descriptor = lectern_watch_open()
  }

  func add(_ exchange: Exchange) {
    guard !exchange.isWatched else { return }
    let token = UInt64(exchange.id.slot) << 32 | UInt64(exchange.id.generation)
    exchange.isWatched =
      lectern_watch_add(descriptor, lws_get_socket_fd(exchange.socket), token) == 0
  }

  func remove(_ exchange: Exchange) {
    guard exchange.isWatched else { return }
    exchange.isWatched = false
    _ = lectern_watch_remove(descriptor, lws_get_socket_fd(exchange.socket))
  }

  /// One of those whose client has hung up, or nil.
  func next() -> RequestID? {
    var token: UInt64 = 0
    guard lectern_watch_next(descriptor, &token) == 1 else { return nil }
    return RequestID(slot: UInt32(token >> 32), generation: UInt32(truncatingIfNeeded: token))
  }
}
