/// A message from a room host to a gateway; ranges are places in ``HostMessages/bytes``.
public enum HostMessage: Equatable, Sendable {
  /// Something for all members that watch a stream.
  case publish(Range<Int>, Publication, on: StreamID)
  /// A member watches a stream from now on, instead of any other. The gateway shows it the current
  /// picture: the caption, all elements, and the frames that the others see now and next.
  case attach(MemberID, to: StreamID)
  /// A member watches nothing.
  case detach(MemberID)
  /// A new stream goes on from the current picture of another, and a member that watched the first
  /// watches the new one without noticing.
  case fork(StreamID, from: StreamID, for: MemberID)
  /// A stream is over; nobody watches it.
  case end(StreamID)
  /// Followers of a stream show each frame so many seconds after its time.
  case setDelay(Double, of: StreamID)
  /// The least time between two frames to a member, in seconds; 0 sends all of them.
  case setInterval(Double, of: MemberID)
  /// Whether a member prefers reduced motion: it gets stills instead of frames.
  case setReducesMotion(Bool, of: MemberID)
  /// A message for one member: sent now, or when its connection takes it, in order.
  case send(Range<Int>, to: MemberID)
  /// Close a member's connection with a code and a reason of the protocol's table.
  case close(MemberID, code: UInt16, reason: String)
  /// The connection of the first member belongs to the second from now on; another connection that
  /// the second had is closed.
  case adopt(MemberID, as: MemberID)
}

/// What a published message is, which decides who gets it and what a gateway keeps of it.
public enum Publication: Equatable, Sendable {
  /// A snapshot: a whole frame, which recalls all frames that were sent ahead.
  case snapshot
  /// One frame or several as deltas.
  case frames
  /// A snapshot for gateways alone, so that they do not have to keep all frames before it.
  case keyframe
  /// A snapshot of where everything comes to rest, for members that prefer reduced motion.
  case still
  /// Elements that are introduced or retired.
  case elements
  /// The caption.
  case caption
  /// Where a member points, for all others: left out where a connection is slow.
  case pointer(of: MemberID)
}

/// Messages from a room host to a gateway, in order, with the bytes that they carry.
///
/// A value that is handed over whole. It is used again and again and keeps its capacity, so that
/// the path of a frame allocates nothing.
public struct HostMessages: Equatable, Sendable {
  /// The bytes of all messages, one after another.
  public var bytes: [UInt8] = []
  /// The messages.
  public private(set) var list: [HostMessage] = []

  /// Creates an empty list.
  public init() {
    bytes.reserveCapacity(1 << 16)
    list.reserveCapacity(64)
  }

  /// Whether there is no message.
  public var isEmpty: Bool { list.isEmpty }

  /// Adds a message; its bytes, if it has any, are in ``bytes`` already.
  public mutating func append(_ message: HostMessage) { list.append(message) }

  /// Adds a message for one member, unless nothing is written.
  public mutating func send(to member: MemberID, _ write: (inout [UInt8]) -> Void) {
    let start = bytes.count
    write(&bytes)
    if bytes.count > start { list.append(.send(start..<bytes.count, to: member)) }
  }

  /// Adds a message for all that watch a stream, unless nothing is written.
  public mutating func publish(
    _ publication: Publication,
    on stream: StreamID,
    _ write: (inout [UInt8]) -> Void
  ) {
    let start = bytes.count
    write(&bytes)
    if bytes.count > start {
      list.append(.publish(start..<bytes.count, publication, on: stream))
    }
  }

  /// Removes everything and keeps the capacity.
  public mutating func removeAll() {
    bytes.removeAll(keepingCapacity: true)
    list.removeAll(keepingCapacity: true)
  }
}
