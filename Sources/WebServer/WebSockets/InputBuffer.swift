internal import CLibwebsockets
internal import Glibc

/// The buffers into which the input of all connections is read, one after the other.
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

  /// The maximum number of bytes of a body that are read at a time.
  static let bodyPart = 131_072

  /// For WebSockets: it has room for the largest frame, which may be partial, and one turn.
  private let storage: UnsafeMutableRawBufferPointer
  private let bodies = UnsafeMutableRawBufferPointer.allocate(byteCount: bodyPart, alignment: 16)

  /// Creates a buffer for messages up to a number of bytes.
  init(messageBytes: Int) {
    storage = .allocate(byteCount: messageBytes + FrameReader.headerMax + Self.turn, alignment: 16)
  }

  deinit {
    storage.deallocate()
    bodies.deallocate()
  }

  /// Reads the input that has arrived at a socket, behind the kept bytes of a WebSocket.
  func receive(from descriptor: Int32, after input: WebSocketInput) -> Received {
    let retained = input.restore(into: storage)
    let received = receive(from: descriptor, into: storage[retained..<(retained + Self.turn)])
    guard case .bytes(_, let count) = received else {
      input.retain(storage[..<retained])
      return received
    }
    return .bytes(
      UnsafeMutableRawBufferPointer(rebasing: storage[..<(retained + count)]),
      new: count
    )
  }

  /// Returns the kept bytes of a WebSocket, which are valid until the next read; nil without any.
  func retained(of input: WebSocketInput) -> UnsafeMutableRawBufferPointer? {
    let retained = input.restore(into: storage)
    return retained == 0 ? nil : UnsafeMutableRawBufferPointer(rebasing: storage[..<retained])
  }

  /// Reads a part of a body of which a number of bytes are left; nil if that is unknown.
  func receiveBody(from descriptor: Int32, _ left: Int?) -> Received {
    receive(from: descriptor, into: bodies[..<min(left ?? .max, bodies.count)])
  }

  /// Reads and discards input, up to a megabyte.
  func discard(from descriptor: Int32) {
    for _ in 0..<8 {
      let count = recv(descriptor, bodies.baseAddress, bodies.count, Int32(MSG_DONTWAIT))
      if count < bodies.count { return }
    }
  }

  private func receive(
    from descriptor: Int32,
    into place: Slice<UnsafeMutableRawBufferPointer>
  ) -> Received {
    let place = UnsafeMutableRawBufferPointer(rebasing: place)
    let count = recv(descriptor, place.baseAddress, place.count, Int32(MSG_DONTWAIT))
    if count > 0 {
      return .bytes(UnsafeMutableRawBufferPointer(rebasing: place[..<count]), new: count)
    }
    return count == 0 || errno != EAGAIN && errno != EINTR ? .ended : .nothing
  }
}
