internal import CLibwebsockets
internal import Glibc

/// The buffer into which the input of all WebSockets is read, one after the other.
///
/// It has room for the largest frame, which may be partial, and one turn.
final class InputBuffer {
  /// The maximum number of bytes read from one WebSocket before others get their turn.
  static let turn = 4096

  /// The result of reading.
  enum Received {
    /// All unprocessed bytes and the number of new ones among them; valid until the next read.
    case bytes(UnsafeMutableRawBufferPointer, new: Int)
    /// No input has arrived.
    case nothing
    /// The connection has ended.
    case ended
  }

  private let storage: UnsafeMutableRawBufferPointer

  /// Creates a buffer for messages up to a number of bytes.
  init(messageBytes: Int) {
    storage = .allocate(
      byteCount: messageBytes + FrameReader.headerMax + Self.turn,
      alignment: 16
    )
  }

  deinit {
    storage.deallocate()
  }

  /// Reads the input that has arrived at a socket, behind the kept bytes of a WebSocket.
  func receive(from descriptor: Int32, after input: WebSocketInput) -> Received {
    let kept = input.restore(into: storage)
    let count = recv(
      descriptor,
      storage.baseAddress.map { $0 + kept },
      Self.turn,
      Int32(MSG_DONTWAIT)
    )
    guard count > 0 else {
      let hasEnded = count == 0 || errno != EAGAIN && errno != EINTR
      input.keep(storage[..<kept])
      return hasEnded ? .ended : .nothing
    }
    return .bytes(UnsafeMutableRawBufferPointer(rebasing: storage[..<(kept + count)]), new: count)
  }
}
