/// The name and colour of a reader for the other members.
public struct Persona: Equatable, Hashable, Codable, Sendable {
  /// The number of colours, which the page's style defines: 0 to 5.
  public static let colourCount: UInt8 = 6

  /// The name, plain text; empty requests a friendly one.
  public var name: String
  /// The colour, from 0; nil requests one that few members have.
  public var colour: UInt8?

  /// Creates a persona.
  public init(name: String = "", colour: UInt8? = nil) {
    self.name = name
    self.colour = colour
  }
}

/// The rights that a link or code grants; raw values are the bytes of the wire.
public enum Grant: UInt8, Comparable, Codable, Sendable, CaseIterable {
  /// To follow.
  case follow = 0
  /// To take the book and lead.
  case present = 1
  /// Everything, including control of the room.
  case host = 2

  /// A grant includes those before it.
  public static func < (one: Grant, other: Grant) -> Bool { one.rawValue < other.rawValue }
}

/// The present role of a member; raw values are the bytes of the wire.
public enum Role: UInt8, Equatable, Sendable, CaseIterable {
  /// Leads; at most one member of a room.
  case presenter = 0
  /// Follows, and may take the book.
  case copresenter = 1
  /// Sees what the presenter sees.
  case follower = 2
  /// Reads elsewhere: in the same book, or outside it.
  case wanderer = 3
}

/// The rule who turns the pages; raw values are the bytes of the wire.
public enum Policy: UInt8, Equatable, Codable, Sendable, CaseIterable {
  /// Any member that touches a leaf that nobody holds.
  case anyoneTurns = 0
  /// The host, or the member to whom the host gives the book, which returns to the host.
  case hostLeads = 1
  /// The member that has the book, who passes it on.
  case passTheBook = 2
}

/// The settings that hosts choose for a room.
public struct RoomSettings: Equatable, Codable, Sendable {
  /// The rule who turns the pages.
  public var policy: Policy
  /// Whether the room is locked for newcomers.
  public var isLocked: Bool
  /// Whether followers may wander.
  public var mayWander: Bool
  /// Whether guests see the whole shelf of the book, not only the book.
  public var sharesShelf: Bool

  /// Creates settings.
  public init(
    policy: Policy = .anyoneTurns,
    isLocked: Bool = false,
    mayWander: Bool = true,
    sharesShelf: Bool = false
  ) {
    self.policy = policy
    self.isLocked = isLocked
    self.mayWander = mayWander
    self.sharesShelf = sharesShelf
  }
}

/// An action about who has the book.
public enum Handover: Equatable, Sendable {
  /// A member without the book requests it.
  case ask
  /// The member withdraws the request.
  case withdraw
  /// The presenter or a host offers it to a member.
  case offer(UInt32)
  /// The member with the offer accepts it.
  case accept
  /// The member with the offer declines it.
  case decline
  /// The request of a member is refused.
  case refuse(UInt32)
  /// A co-presenter or host takes it.
  case take
  /// The presenter lays it down.
  case layDown
}

/// An action on a recording that is being played.
public enum PlaybackOrder: Equatable, Sendable {
  /// Pauses it.
  case pause
  /// Plays it.
  case play
  /// Seeks to a position, in seconds from its beginning, and keeps playing or pausing.
  case seek(Double)
  /// Closes it, and returns to the room's own session.
  case close
}
