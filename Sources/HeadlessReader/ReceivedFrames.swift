package import Wire

/// A received frame.
package struct ReceivedFrame: Equatable, Sendable {
  /// The decoded frame.
  package let frame: DecodedFrame
  /// The whole message that contained it, including other frames of a batch.
  package let bytes: [UInt8]
  /// The time of its arrival, in seconds of CLOCK_MONOTONIC.
  package let receivedAt: Double
}

/// Every frame that the server has sent, decoded, and the number of frames already returned.
struct ReceivedFrames {
  /// Every frame, oldest first.
  private(set) var all: [ReceivedFrame] = []
  private var decoder = FrameDecoder()
  private var returnedCount = 0

  /// The known elements, by id.
  var elements: [UInt64: WireElement] { decoder.elements }

  /// Decodes a message; ignores messages that contain neither frames nor elements.
  /// - Throws: An error if the message does not follow from earlier ones; the frames of a batch
  ///   before the faulty one are kept.
  mutating func receive(
    _ message: ServerMessage,
    bytes: [UInt8],
    receivedAt: Double
  ) throws(WireError) {
    switch message {
    case .snapshot, .delta:
      try decoder.apply(message)
      append(bytes, receivedAt)
    case .batch(let updates):
      for update in updates {
        try decoder.apply(.delta(update))
        append(bytes, receivedAt)
      }
    default: try decoder.apply(message)
    }
  }

  /// Forgets all elements, because another server numbers them from now on.
  mutating func forgetElements() { decoder = FrameDecoder() }

  private mutating func append(_ bytes: [UInt8], _ receivedAt: Double) {
    guard let frame = decoder.latest else { return }
    all.append(ReceivedFrame(frame: frame, bytes: bytes, receivedAt: receivedAt))
  }

  /// Returns the next frame; nil if it has not arrived yet.
  mutating func next() -> ReceivedFrame? {
    guard returnedCount < all.count else { return nil }
    defer { returnedCount += 1 }
    return all[returnedCount]
  }
}
