internal import Fabric

/// The messages that one connection has not received yet.
///
/// Messages for its member alone are queued until the connection can take them. Published messages
/// are never queued, because only the latest one matters: while the connection is busy, and between
/// the frames of a member on a slow connection, the outbox only records what the member lacks. The
/// gateway sends that later from its replica of the stream.
struct Outbox: Sendable {
  /// The size limit of the queue, in bytes; it bounds what a member that never reads can use.
  static let queuedBytesMax = 4 << 20

  /// What a member missed while its connection accepted nothing.
  enum Missed: Int, Comparable, Sendable {
    /// Nothing.
    case nothing
    /// Frames or a caption.
    case picture
    /// Elements; without them a snapshot would name elements that the member does not know.
    case elements

    static func < (one: Missed, other: Missed) -> Bool { one.rawValue < other.rawValue }
  }

  /// Whether the connection rejected a message and has not been writable since.
  private(set) var isBlocked = false
  /// What the member missed since the last call of ``resetMissed()``.
  private(set) var missed = Missed.nothing
  /// Whether the member prefers reduced motion and gets stills instead of frames.
  var reducesMotion = false
  /// The shortest time between two frames, in seconds; 0 for all frames.
  private(set) var interval = 0.0

  private var queue: [[UInt8]] = []
  /// The size of the queue, in bytes.
  private(set) var queuedBytes = 0
  /// Whether the member has not seen the last frame and is owed one at ``nextFrameTime``.
  private var owesFrame = false
  private var nextFrameTime = -Double.infinity

  /// The number of queued messages.
  var queuedCount: Int { queue.count }

  // MARK: Published messages

  /// Decides whether a published message is sent now, and records what the member misses if it is
  /// not.
  mutating func accepts(_ publication: Publication, by member: MemberID) -> Bool {
    let isWanted: Bool =
      switch publication {
      case .snapshot, .frames: !reducesMotion
      case .still: reducesMotion
      case .keyframe: false
      case .elements, .caption: true
      case .pointer(let other): other != member && interval == 0 && !isBlocked
      }
    guard isWanted else { return false }
    guard !isBlocked else {
      miss(publication)
      return false
    }
    guard interval > 0, publication == .snapshot || publication == .frames else { return true }
    owesFrame = true
    return false
  }

  /// Marks the connection as blocked after it rejected a published message.
  mutating func block(refusing publication: Publication) {
    isBlocked = true
    miss(publication)
  }

  private mutating func miss(_ publication: Publication) {
    switch publication {
    case .snapshot, .frames, .still, .caption: missed = max(missed, .picture)
    case .elements: missed = .elements
    case .keyframe, .pointer: break
    }
  }

  /// Returns what the member missed, and resets it.
  mutating func resetMissed() -> Missed {
    defer { missed = .nothing }
    return missed
  }

  // MARK: Messages for one member

  /// Queues a message until the connection can take it.
  /// - Returns: Whether the message fitted into the queue.
  mutating func enqueue(_ bytes: UnsafeRawBufferPointer) -> Bool {
    isBlocked = true
    guard queuedBytes + bytes.count <= Self.queuedBytesMax else { return false }
    queue.append(Array(bytes))
    queuedBytes += bytes.count
    return true
  }

  /// Sends queued messages, and ends the block if the connection accepts all of them.
  mutating func drain(_ send: (UnsafeRawBufferPointer) -> Bool) {
    var sent = 0
    for message in queue {
      guard message.withUnsafeBytes(send) else { break }
      queuedBytes -= message.count
      sent += 1
    }
    queue.removeFirst(sent)
    isBlocked = !queue.isEmpty
  }

  // MARK: Members that get few frames

  /// When the next frame is due; nil if the member is owed none.
  var wakeTime: Double? { owesFrame && interval > 0 && !isBlocked ? nextFrameTime : nil }

  /// Sets the shortest time between two frames.
  /// - Returns: Whether the member gets all frames again and therefore needs the current picture.
  mutating func setInterval(_ seconds: Double) -> Bool {
    let before = interval
    interval = seconds
    owesFrame = owesFrame && seconds > 0
    return before > 0 && seconds == 0 && !isBlocked
  }

  /// Returns whether a frame is due.
  func isDue(at now: Double) -> Bool { wakeTime.map { $0 <= now } ?? false }

  /// Records that the member was shown a frame; unless it was the last one, another is owed.
  mutating func noteShown(isLast: Bool, now: Double) {
    owesFrame = !isLast
    nextFrameTime = now + interval
  }

  /// Discards the state of a stream that the member no longer watches.
  mutating func leaveStream() {
    missed = .nothing
    owesFrame = false
  }
}
