/// How somebody wants to be known to those who read along.
public struct Persona: Equatable, Hashable, Codable, Sendable {
  /// The colours that there are, see the page's style: 0 to 5.
  public static let colourCount: UInt8 = 6

  /// The name, plain text; empty asks for a friendly one.
  public var name: String
  /// The colour, from 0; nil asks for one that few others have.
  public var colour: UInt8?

  /// Creates a persona.
  public init(name: String = "", colour: UInt8? = nil) {
    self.name = name
    self.colour = colour
  }
}

/// What the way somebody came in allows; raw values are the bytes of the wire.
public enum Grant: UInt8, Comparable, Codable, Sendable, CaseIterable {
  /// To read along.
  case follow = 0
  /// To take the book and lead.
  case present = 1
  /// All, the room's own affairs included.
  case host = 2

  /// A grant includes those before it.
  public static func < (one: Grant, other: Grant) -> Bool { one.rawValue < other.rawValue }
}

/// What a member is at the moment; raw values are the bytes of the wire.
public enum Role: UInt8, Equatable, Sendable, CaseIterable {
  /// Leads: at most one in a room.
  case presenter = 0
  /// Follows, and may take the book.
  case copresenter = 1
  /// Sees what the presenter sees.
  case follower = 2
  /// Reads elsewhere: in the same book, or outside it.
  case wanderer = 3
}

/// Who turns the pages; raw values are the bytes of the wire.
public enum Policy: UInt8, Equatable, Codable, Sendable, CaseIterable {
  /// Whoever touches a leaf that nobody holds.
  case anyoneTurns = 0
  /// The host, or whom the host gives the book, to whom it comes back.
  case hostLeads = 1
  /// Whoever has the book, who passes it on.
  case passTheBook = 2
}

/// What a host decides about a room.
public struct RoomSettings: Equatable, Codable, Sendable {
  /// Who turns the pages.
  public var policy: Policy
  /// Nobody else comes in.
  public var isLocked: Bool
  /// Who follows may leaf on alone.
  public var mayWander: Bool
  /// Guests see the shelf of the book, and not that book alone.
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

/// What is done about who has the book.
public enum Handover: Equatable, Sendable {
  /// Who has it not would like it.
  case ask
  /// No longer.
  case withdraw
  /// Who has it, or the host, offers it to a member.
  case offer(UInt32)
  /// The offer is accepted.
  case accept
  /// The offer is declined.
  case decline
  /// A member's asking is not granted now.
  case refuse(UInt32)
  /// A co-presenter or host takes it.
  case take
  /// Who has it lays it down.
  case layDown
}

/// What is done about a recording that is played.
public enum PlaybackOrder: Equatable, Sendable {
  /// It stands still.
  case pause
  /// It goes on.
  case play
  /// It goes on, or stands, from here; seconds from its beginning.
  case seek(Double)
  /// It is put away, and the room reads itself again.
  case close
}
