/// What came from a member and was not taken yet, and how much more may come.
final class MemberInput {
  var frames: FrameReader
  /// The beginning of a frame of which the end has not come: never more than the largest frame.
  private var kept: [UInt8] = []
  /// What the last ping wants said back, until the socket takes it.
  var pong: [UInt8]?
  /// Whether the framing is lost: what comes is read and forgotten, since closing over bytes that
  /// were not read would take the goodbye away from the client.
  var isDeaf = false
  /// The bytes read and forgotten.
  var forgotten = 0
  /// Pings, pongs and parts of messages: whatever costs work and says nothing.
  private var idle: Throttle
  private var bytes: Throttle

  init(limits: ServerOptions.Limits, now: Double) {
    frames = FrameReader(limit: limits.receivedMessage)
    idle = Throttle(limits.controlFrames, now: now)
    bytes = Throttle(limits.receivedBytes, now: now)
  }

  /// Whether a control frame, or a part of a message, comes no sooner than it may.
  func admitsIdleFrame(at now: Double) -> Bool { idle.take(1, at: now) }

  /// Whether so many bytes come no sooner than they may.
  func admits(bytes count: Int, at now: Double) -> Bool { bytes.take(Double(count), at: now) }

  /// Puts what was kept in front of what is to be read.
  /// - Returns: How many bytes that is.
  func restore(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    defer { kept.removeAll(keepingCapacity: true) }
    buffer.copyBytes(from: kept)
    return kept.count
  }

  func keep(_ rest: Slice<UnsafeMutableRawBufferPointer>) { kept.append(contentsOf: rest) }
}
