/// One member of a room, for as long as it is a member: over one connection or several in turn.
public struct MemberID: Hashable, Sendable {
  /// The number, unique as long as the process lives.
  public let rawValue: UInt32

  /// Creates an identity.
  public init(_ rawValue: UInt32) { self.rawValue = rawValue }
}

/// One stream of frames: the shared stage of a room, or the stage of one member that wanders.
public struct StreamID: Hashable, Sendable {
  /// The name of the room.
  public let room: String
  /// The member whose own stage it is; nil for the stage that the room shares.
  public let wanderer: MemberID?

  /// Names the stream of a room, or of one wanderer in it.
  public init(room: String, wanderer: MemberID? = nil) {
    (self.room, self.wanderer) = (room, wanderer)
  }
}
