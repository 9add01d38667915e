public import Scene

/// What a member is and may do.
public struct RoleEvent: Equatable, Sendable {
  /// What a role allows at the moment; all but `isHost` change with it.
  public struct Rights: OptionSet, Equatable, Sendable {
    /// A bit for each item; its place is the item's number on the wire.
    public let rawValue: UInt16

    /// Touching the shared book moves it, when nobody else holds it.
    public static let mayTurn = Rights(rawValue: 1)
    /// The member decides about the room.
    public static let isHost = Rights(rawValue: 2)
    /// The book may be taken from whoever has it.
    public static let mayTake = Rights(rawValue: 4)
    /// The book may be asked for.
    public static let mayAsk = Rights(rawValue: 8)
    /// Touching the book leafs on alone.
    public static let mayWander = Rights(rawValue: 16)
    /// The book is offered to the member.
    public static let isOffered = Rights(rawValue: 32)
    /// The member is on its way back to the others.
    public static let catchesUp = Rights(rawValue: 64)
    /// The member may see the whole library, and share the room.
    public static let mayShare = Rights(rawValue: 128)
    /// Others may be shown where the member points.
    public static let mayPoint = Rights(rawValue: 256)
    /// The book may be offered to others, and refused to those that ask for it.
    public static let mayGive = Rights(rawValue: 512)
    /// What others may do about the book is decided by the member.
    public static let mayGrant = Rights(rawValue: 1024)
    /// The book may be laid down.
    public static let mayLayDown = Rights(rawValue: 2048)
    /// A recording that is played may be halted, wound and put away.
    public static let mayPlay = Rights(rawValue: 4096)
    /// The shared book may be left for the shelf.
    public static let mayLeaveBook = Rights(rawValue: 8192)

    /// All that have a meaning.
    static let known = Rights(rawValue: 0x3fff)

    /// Creates a set from its bits.
    public init(rawValue: UInt16) { self.rawValue = rawValue }
  }

  /// The number that what the member does carries from now on; what carries another is ignored.
  public var number: UInt16
  /// What it is.
  public var role: Role
  /// What it may do.
  public var rights: Rights

  /// Creates news.
  public init(number: UInt16, role: Role, rights: Rights) {
    self.number = number
    self.role = role
    self.rights = rights
  }
}

/// The state of a room.
public struct RoomEvent: Equatable, Sendable {
  /// What is the case.
  public struct State: OptionSet, Equatable, Sendable {
    /// A bit for each item; its place is the item's number on the wire.
    public let rawValue: UInt8

    /// Links to it were given.
    public static let isShared = State(rawValue: 1)
    /// What is done in it is recorded.
    public static let isRecorded = State(rawValue: 2)
    /// It plays a recording.
    public static let isPlayback = State(rawValue: 4)
    /// The presenter holds something in the air.
    public static let isHeld = State(rawValue: 8)
    /// The presenter's connection is lost; the role waits a moment.
    public static let isPresenterAway = State(rawValue: 16)

    /// All that have a meaning.
    static let known = State(rawValue: 31)

    /// Creates a set from its bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }
  }

  /// What the host decided.
  public var settings: RoomSettings
  /// What is the case.
  public var state: State
  /// The member that presents; 0: nobody.
  public var presenter: UInt32
  /// How long after its time a frame is shown by all but the presenter, in seconds.
  public var delay: Double

  /// Creates news.
  public init(settings: RoomSettings, state: State, presenter: UInt32, delay: Double) {
    self.settings = settings
    self.state = state
    self.presenter = presenter
    self.delay = delay
  }
}

/// Members that came, changed or left.
public struct PeopleEvent: Equatable, Sendable {
  /// The list is complete; otherwise members that are not listed stay as they were.
  public var isWhole: Bool
  /// Members that came or changed.
  public var people: [PersonEvent]
  /// Members that left.
  public var gone: [UInt32]

  /// Creates news.
  public init(isWhole: Bool, people: [PersonEvent], gone: [UInt32] = []) {
    self.isWhole = isWhole
    self.people = people
    self.gone = gone
  }
}

/// One of the people in a room.
public struct PersonEvent: Equatable, Sendable {
  /// The state of a member.
  public struct State: OptionSet, Equatable, Sendable {
    /// A bit for each item; its place is the item's number on the wire.
    public let rawValue: UInt8

    /// Is a host.
    public static let isHost = State(rawValue: 1)
    /// Raises a hand.
    public static let isRaised = State(rawValue: 2)
    /// Asks for the book.
    public static let asks = State(rawValue: 4)
    /// Lost the connection, and may come back.
    public static let isAway = State(rawValue: 8)
    /// Its page is hidden.
    public static let isHidden = State(rawValue: 16)
    /// Is too slow for the others to wait for it.
    public static let lags = State(rawValue: 32)
    /// The book is offered to it.
    public static let isOffered = State(rawValue: 64)
    /// Has left the shared book to choose another.
    public static let isChoosing = State(rawValue: 128)

    /// All that have a meaning.
    static let known = State(rawValue: 255)

    /// Creates a set from its bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }
  }

  /// The member.
  public var id: UInt32
  /// What it is.
  public var role: Role
  /// What is the case.
  public var state: State
  /// The colour, 0 to 5.
  public var colour: UInt8
  /// The name, plain text.
  public var name: String

  /// Creates news of one.
  public init(id: UInt32, role: Role, state: State, colour: UInt8, name: String) {
    self.id = id
    self.role = role
    self.state = state
    self.colour = colour
    self.name = name
  }
}

/// Where somebody points.
public struct PointerEvent: Equatable, Sendable {
  /// What is shown.
  public enum Kind: UInt8, Equatable, Sendable, CaseIterable {
    /// Nothing any more.
    case gone = 0
    /// A dot of light.
    case laser = 1
    /// A hand: a finger that moves the book.
    case hand = 2
  }

  /// The member that points.
  public var member: UInt32
  /// What is shown.
  public var kind: Kind
  /// When, in seconds of the server's clock.
  public var time: Double
  /// The page or cover that is pointed at; nil: the table.
  public var element: UInt64?
  /// On an element the fraction of its width from its left edge; on the table stage points.
  public var x: Double
  /// The same downwards.
  public var y: Double

  /// Creates news.
  public init(
    member: UInt32,
    kind: Kind,
    time: Double,
    element: UInt64? = nil,
    x: Double = 0,
    y: Double = 0
  ) {
    self.member = member
    self.kind = kind
    self.time = time
    self.element = element
    self.x = x
    self.y = y
  }
}

/// Where the others read, for a member that wanders.
public struct PlaceEvent: Equatable, Sendable {
  /// The book that is open before them; empty if none is.
  public var book: String
  /// The first page of their spread, from 0.
  public var page: UInt32
  /// The book's title; empty if no book is open.
  public var title: String
  /// Their pages within a sentence: "pages 4–5"; empty if no book is open.
  public var position: String
  /// Their pages for a narrow place: "4–5"; empty if no book is open.
  public var label: String

  /// Creates news.
  public init(
    book: String,
    page: UInt32,
    title: String = "",
    position: String = "",
    label: String = ""
  ) {
    self.book = book
    self.page = page
    self.title = title
    self.position = position
    self.label = label
  }
}

/// The secrets and the code that open a room to others.
public struct LinksEvent: Equatable, Sendable {
  /// The secret of a link to read along; empty: it was sent before, and is not sent again.
  public var follow: String
  /// The secret of a link to lead.
  public var present: String
  /// The secret of a link for hosts.
  public var host: String
  /// Six letters to type, to read along.
  public var code: String
  /// How long the code opens the room, in seconds.
  public var codeSeconds: Double

  /// Creates news.
  public init(follow: String, present: String, host: String, code: String, codeSeconds: Double) {
    self.follow = follow
    self.present = present
    self.host = host
    self.code = code
    self.codeSeconds = codeSeconds
  }
}

/// How well one member keeps time, as its page measured.
public struct SyncEvent: Equatable, Sendable {
  /// The member.
  public var member: UInt32
  /// The distance between what it showed and what was due, 95th percentile, in seconds.
  public var error: Double
  /// The quickest recent round trip, in seconds.
  public var roundTrip: Double

  /// Creates news.
  public init(member: UInt32, error: Double, roundTrip: Double) {
    self.member = member
    self.error = error
    self.roundTrip = roundTrip
  }
}

/// The state of a recording that is played.
public struct PlaybackEvent: Equatable, Sendable {
  /// Whether it is playing, and not paused.
  public var isPlaying: Bool
  /// The server's time of ``position``, in seconds.
  public var time: Double
  /// The position at that time, in seconds from the beginning.
  public var position: Double
  /// The length, in seconds.
  public var length: Double
  /// The title.
  public var title: String

  /// Creates news.
  public init(isPlaying: Bool, time: Double, position: Double, length: Double, title: String) {
    self.isPlaying = isPlaying
    self.time = time
    self.position = position
    self.length = length
    self.title = title
  }
}
