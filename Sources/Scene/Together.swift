/// The name and colour of a reader for the other members.
public struct Persona: Equatable, Hashable, Codable, Sendable {
  /// The number of colours, which the page's style defines: 0 to 5.
  public static let colourCount: UInt8 = 6

  /// The name, plain text; empty requests a friendly name.
  public var name: String
  /// The colour, from 0; nil requests a colour that few members have.
  public var colour: UInt8?

  /// Creates a persona.
  public init(name: String = "", colour: UInt8? = nil) {
    self.name = name
    self.colour = colour
  }
}

/// The rights that a link or code grants; raw values are the bytes of the wire.
public enum Grant: UInt8, Comparable, Codable, Sendable, CaseIterable {
  /// The member may follow.
  case follow = 0
  /// The member may also take the book and lead.
  case present = 1
  /// The member has all rights, including control of the room.
  case host = 2

  /// Returns whether a grant is lower than another; a higher grant includes all lower ones.
  public static func < (one: Grant, other: Grant) -> Bool { one.rawValue < other.rawValue }
}

/// The present role of a member; raw values are the bytes of the wire.
public enum Role: UInt8, Equatable, Sendable, CaseIterable {
  /// The member leads; a room has at most one presenter.
  case presenter = 0
  /// The member follows, and may take the book.
  case copresenter = 1
  /// The member sees what the presenter sees.
  case follower = 2
  /// The member reads elsewhere, in the same book or outside it.
  case wanderer = 3
}

/// The rule that decides which member turns the pages; raw values are the bytes of the wire.
public enum Policy: UInt8, Equatable, Codable, Sendable, CaseIterable {
  /// Any member may turn, by touching a leaf that nobody holds.
  case anyoneTurns = 0
  /// The host turns, or the member to whom the host gives the book, which returns to the host.
  case hostLeads = 1
  /// The member that has the book turns, and passes it on.
  case passTheBook = 2
}

/// The settings that hosts choose for a room.
public struct RoomSettings: Equatable, Codable, Sendable {
  /// The rule that decides which member turns the pages.
  public var policy: Policy
  /// Whether the room is locked to new members.
  public var isLocked: Bool
  /// Whether followers may wander.
  public var mayWander: Bool
  /// Whether guests see the whole shelf of the book, rather than only the book.
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

/// An action that requests, offers, passes on, refuses or lays down the book.
public enum Handover: Equatable, Sendable {
  /// A member without the book asks for it.
  case ask
  /// The member withdraws the request.
  case withdraw
  /// The presenter or a host offers the book to a member.
  case offer(UInt32)
  /// The member with the offer accepts it.
  case accept
  /// The member with the offer declines it.
  case decline
  /// The request of a member is refused.
  case refuse(UInt32)
  /// A co-presenter or host takes the book.
  case take
  /// The presenter lays the book down.
  case layDown
}

/// An action on a recording that is being played.
public enum PlaybackOrder: Equatable, Sendable {
  /// Pauses the recording.
  case pause
  /// Plays the recording.
  case play
  /// Seeks to a position, in seconds from the beginning, and keeps playing or stays paused.
  case seek(Double)
  /// Closes the recording, and returns to the room's own session.
  case close
}
