/// The identity of a room's member while it is a member, over one connection or several in turn.
package struct MemberID: Hashable, Comparable, Sendable {
  /// The number, unique for the lifetime of the process.
  package let rawValue: UInt32

  /// Creates an identity from its number.
  package init(_ rawValue: UInt32) { self.rawValue = rawValue }

  /// Orders members by their numbers, which increase with the time of their connection.
  package static func < (one: MemberID, other: MemberID) -> Bool { one.rawValue < other.rawValue }
}

/// One stream of frames: the shared stage of a room, or the stage of one member that wanders.
package struct StreamID: Hashable, Comparable, Sendable {
  /// The name of the room.
  package let room: String
  /// The member whose own stage it is; nil for the stage that the room shares.
  package let wanderer: MemberID?

  /// Creates the identity of a room's shared stream or of one wanderer's stream.
  package init(room: String, wanderer: MemberID? = nil) {
    (self.room, self.wanderer) = (room, wanderer)
  }

  /// Orders streams by their rooms; the shared stream of a room comes first.
  package static func < (one: StreamID, other: StreamID) -> Bool {
    (one.room, one.wanderer?.rawValue ?? 0) < (other.room, other.wanderer?.rawValue ?? 0)
  }
}
