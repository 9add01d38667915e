/// A message from a room host to a gateway; its ranges index ``HostMessages/bytes``.
package enum HostMessage: Equatable, Sendable {
  /// Sends bytes to all members that watch a stream.
  case publish(Range<Int>, Publication, on: StreamID)
  /// Makes a member watch this stream and no other. The gateway sends it the current picture: the
  /// caption, all elements, and the frames that the others see now and next.
  case attach(MemberID, to: StreamID)
  /// Makes a member watch no stream.
  case detach(MemberID)
  /// Creates a stream that continues from the current picture of another. If the member watched the
  /// old stream, it watches the new one from then on, without a visible change.
  case fork(StreamID, from: StreamID, for: MemberID)
  /// Ends a stream, which nobody watches from then on.
  case end(StreamID)
  /// Sets how long after its time followers of a stream show each frame, in seconds.
  case setDelay(Double, of: StreamID)
  /// Sets the shortest time between two frames to a member, in seconds; 0 sends all of them.
  case setInterval(Double, of: MemberID)
  /// Sets whether a member prefers reduced motion and therefore gets stills instead of frames.
  case setReducesMotion(Bool, of: MemberID)
  /// Sends a message to one member, now or when its connection can take it, in order.
  case send(Range<Int>, to: MemberID)
  /// A member was welcomed; for relays, which introduce it by this to another owner of its room.
  case welcomed(MemberID, Rejoin)
  /// Closes a member's connection with a code and a reason from the protocol's table.
  case close(MemberID, code: UInt16, reason: String)
  /// Assigns the connection of the first member to the second; a connection that the second already
  /// had is closed.
  case adopt(MemberID, as: MemberID)
}

/// What the next hello of a member carries, so that it rejoins its room as the same member.
package struct Rejoin: Equatable, Sendable {
  /// The name of the room.
  package let room: String
  /// The resume token.
  package let resume: String
  /// The secret that opens the room; empty if the one of the last hello remains.
  package let key: String
  /// The reader's secret; empty if the one of the last hello remains.
  package let reader: String

  /// Creates what a hello carries.
  package init(room: String, resume: String, key: String, reader: String) {
    (self.room, self.resume, self.key, self.reader) = (room, resume, key, reader)
  }
}

/// The kind of a published message, which decides who gets it and what a gateway keeps of it.
package enum Publication: Equatable, Sendable {
  /// A whole frame, which cancels all frames that were sent ahead.
  case snapshot
  /// One or more frames as deltas.
  case frames
  /// A snapshot that is not sent to members; it spares gateways from keeping all frames before it.
  case keyframe
  /// A snapshot of where everything comes to rest, for members that prefer reduced motion.
  case still
  /// The introduction or retirement of elements.
  case elements
  /// The caption.
  case caption
  /// The position at which a member points, for all others; omitted on slow connections.
  case pointer(of: MemberID)
}

/// A list of messages from a room host to a gateway, in order, with the bytes that they carry.
///
/// The list is passed on as a whole. It is reused and keeps its capacity, so that the path of a
/// frame allocates nothing.
package struct HostMessages: Equatable, Sendable {
  /// The bytes of all messages, back to back.
  package var bytes: [UInt8] = []
  /// The messages.
  package private(set) var list: [HostMessage] = []

  /// Creates an empty list with room for many messages.
  package init() {
    bytes.reserveCapacity(1 << 16)
    list.reserveCapacity(64)
  }

  /// Creates an empty list with room for a number of bytes.
  package init(reserving count: Int) { bytes.reserveCapacity(count) }

  /// Whether the list contains no message.
  package var isEmpty: Bool { list.isEmpty }

  /// Appends a message whose bytes, if it has any, are already in ``bytes``.
  package mutating func append(_ message: HostMessage) { list.append(message) }

  /// Appends a message for one member, unless the closure writes nothing.
  package mutating func send(to member: MemberID, _ write: (inout [UInt8]) -> Void) {
    let start = bytes.count
    write(&bytes)
    if bytes.count > start { list.append(.send(start..<bytes.count, to: member)) }
  }

  /// Appends a message for all members that watch a stream, unless the closure writes nothing.
  package mutating func publish(
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
  package mutating func removeAll() {
    bytes.removeAll(keepingCapacity: true)
    list.removeAll(keepingCapacity: true)
  }
}
