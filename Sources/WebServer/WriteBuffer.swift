internal import CLibwebsockets
internal import Glibc

/// The one buffer for everything that is written.
///
/// libwebsockets puts the header of a message into the bytes before the payload, so the payload
/// must be in writable memory with a margin.
final class WriteBuffer {
  static let minimum = 65_536

  let capacity: Int
  private let storage: UnsafeMutablePointer<UInt8>

  init(capacity: Int) {
    self.capacity = capacity
    storage = .allocate(capacity: lectern_write_margin + capacity)
    storage.initialize(repeating: 0, count: lectern_write_margin + capacity)
  }

  deinit {
    storage.deallocate()
  }

  /// The beginning of the payload.
  var payload: UnsafeMutablePointer<UInt8> { storage + lectern_write_margin }

  func fill(_ bytes: UnsafeRawBufferPointer) {
    if let source = bytes.baseAddress {
      UnsafeMutableRawPointer(payload).copyMemory(from: source, byteCount: bytes.count)
    }
  }

  /// Writes the first bytes of the payload; false if the connection is broken.
  func write(_ count: Int, to socket: OpaquePointer?, as kind: lws_write_protocol) -> Bool {
    lws_write(socket, payload, count, kind) >= Int32(count)
  }

  /// Writes bytes, up to the capacity; false if the connection is broken.
  func write(_ bytes: [UInt8], to socket: OpaquePointer?, as kind: lws_write_protocol) -> Bool {
    bytes.withUnsafeBytes { fill($0) }
    return write(bytes.count, to: socket, as: kind)
  }

  /// Writes the first bytes of the payload without framing and without waiting.
  ///
  /// Returns how many the socket accepted, or nil if the connection is broken.
  func writeRaw(_ count: Int, to socket: OpaquePointer, isFollowed: Bool) -> Int? {
    let flags = Int32(MSG_NOSIGNAL) | (isFollowed ? Int32(MSG_MORE) : 0)
    let sent = Glibc.send(lws_get_socket_fd(socket), payload, count, flags)
    if sent >= 0 { return sent }
    return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR ? 0 : nil
  }

  /// Tells a client that waits for "100 Continue" to send its body.
  func writeContinue(to socket: OpaquePointer) -> Bool {
    let text: StaticString = "HTTP/1.1 100 Continue\r\n\r\n"
    payload.update(from: text.utf8Start, count: text.utf8CodeUnitCount)
    return writeRaw(text.utf8CodeUnitCount, to: socket, isFollowed: false) == text.utf8CodeUnitCount
  }
}
