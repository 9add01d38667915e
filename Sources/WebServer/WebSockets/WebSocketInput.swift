internal import Rates

/// The unprocessed input of a WebSocket, and the limits on further input.
final class WebSocketInput {
  var frames: FrameReader
  /// The beginning of an incomplete frame, never more than the largest frame.
  private var retained: [UInt8] = []
  /// The payload of the next pong, until the socket accepts it.
  var pong: [UInt8]?
  /// Whether framing is lost.
  ///
  /// Further input is read and discarded, because closing a connection with unread bytes would lose
  /// the close frame.
  var isDeaf = false
  /// The number of discarded bytes.
  var discardedBytes = 0
  /// Pings, pongs and fragments: frames that cost work without a message.
  private var idle: TokenBucket
  private var bytes: TokenBucket

  init(limits: ServerOptions.Limits) {
    frames = FrameReader(limit: limits.webSockets.receivedMessageBytes)
    idle = limits.webSockets.controlFrames.bucket
    bytes = limits.webSockets.receivedBytes.bucket
  }

  /// Whether the rate limit admits a control frame or a fragment.
  func admitsIdleFrame(at now: Double) -> Bool { idle.take(1, at: now) }

  /// Whether the rate limit admits a number of bytes.
  func admits(bytes count: Int, at now: Double) -> Bool { bytes.take(Double(count), at: now) }

  /// Copies the kept bytes in front of the bytes to be read.
  /// - Returns: Their number.
  func restore(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    // A partial frame is rare; its memory is not kept.
    defer { retained = [] }
    buffer.copyBytes(from: retained)
    return retained.count
  }

  /// Keeps bytes that cannot be processed yet.
  func retain(_ rest: Slice<UnsafeMutableRawBufferPointer>) {
    if !rest.isEmpty { retained.append(contentsOf: rest) }
  }
}
