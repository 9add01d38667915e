/// The identity of a room's member while it is a member, over one connection or several in turn.
public struct MemberID: Hashable, Sendable {
  /// The number, unique for the lifetime of the process.
  public let rawValue: UInt32

  /// Creates an identity from its number.
  public init(_ rawValue: UInt32) { self.rawValue = rawValue }
}

/// One stream of frames: the shared stage of a room, or the stage of one member that wanders.
public struct StreamID: Hashable, Sendable {
  /// The name of the room.
  public let room: String
  /// The member whose own stage it is; nil for the stage that the room shares.
  public let wanderer: MemberID?

  /// Creates the identity of a room's shared stream or of one wanderer's stream.
  public init(room: String, wanderer: MemberID? = nil) {
    (self.room, self.wanderer) = (room, wanderer)
  }
}
