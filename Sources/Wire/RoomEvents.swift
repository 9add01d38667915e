package import Scene

/// What a member may do to another one, in the order in which a page offers it.
package struct MemberActs: OptionSet, Equatable, Sendable {
  /// A bit for each item; its position is the item's number on the wire.
  package let rawValue: UInt8

  /// Offer the book to the member.
  package static let offer = MemberActs(rawValue: 1)
  /// Lower the member's hand.
  package static let lower = MemberActs(rawValue: 2)
  /// Let the member lead.
  package static let lead = MemberActs(rawValue: 4)
  /// Let the member only follow.
  package static let follow = MemberActs(rawValue: 8)
  /// Remove the member from the room.
  package static let remove = MemberActs(rawValue: 16)

  /// All acts with a meaning.
  static let known = MemberActs(rawValue: 31)

  /// Creates a set from its bits.
  package init(rawValue: UInt8) { self.rawValue = rawValue }
}

/// What a member is asked to decide, or told about the others, for as long as it is so.
package struct Prompt: Equatable, Sendable {
  /// The kind of a prompt; raw values are the bytes of the wire.
  package enum Kind: UInt8, Equatable, Sendable {
    /// There is none.
    case none = 0
    /// The book is offered to this member.
    case offered
    /// The other member asks for the book, which this one may hand over.
    case asked
    /// The other member, a host, is choosing a book.
    case choosing
    /// This member has wandered off and may catch up with the others.
    case wandered
    /// This host has left the shared book, and may bring the others along.
    case outside
  }

  /// The kind.
  package var kind: Kind
  /// The id of the other member; 0 if the prompt names none.
  package var member: UInt32

  /// Creates a prompt.
  package init(_ kind: Kind = .none, member: UInt32 = 0) {
    self.kind = kind
    self.member = member
  }
}

/// The role and rights of a member.
package struct RoleEvent: Equatable, Sendable {
  /// What the member may do about the book itself; raw values are the bytes of the wire.
  package enum BookAct: UInt8, Equatable, Sendable {
    /// Nothing.
    case none = 0
    /// Catch up with the others.
    case catchUp
    /// Take the book back.
    case takeBack
    /// Take the book.
    case take
    /// Ask for the book.
    case ask
    /// Withdraw its request for the book.
    case withdraw
  }

  /// The rights of a role; all except `isHost` change with it.
  package struct Rights: OptionSet, Equatable, Sendable {
    /// A bit for each item; its position is the item's number on the wire.
    package let rawValue: UInt16

    /// The member's touch moves the shared book if nobody else holds it.
    package static let mayTurn = Rights(rawValue: 1)
    /// The member controls the room.
    package static let isHost = Rights(rawValue: 2)
    /// The member may read on alone by touching the book.
    package static let mayWander = Rights(rawValue: 4)
    /// The member is catching up with the others.
    package static let catchesUp = Rights(rawValue: 8)
    /// The member may see the whole library, and share the room.
    package static let mayShare = Rights(rawValue: 16)
    /// The member may point.
    package static let mayPoint = Rights(rawValue: 32)
    /// The member may lay the book down.
    package static let mayLayDown = Rights(rawValue: 64)
    /// The member may pause, seek and close a recording that is being played.
    package static let mayPlay = Rights(rawValue: 128)
    /// The member may leave the shared book for the shelf.
    package static let mayLeaveBook = Rights(rawValue: 256)

    /// All rights with a meaning.
    static let known = Rights(rawValue: 511)

    /// Creates a set from its bits.
    package init(rawValue: UInt16) { self.rawValue = rawValue }
  }

  /// The number that the member's actions must carry from now on; actions with another number are
  /// ignored.
  package var number: UInt16
  /// The role.
  package var role: Role
  /// The rights.
  package var rights: Rights
  /// What the member may do to others, if it may be done to them.
  package var acts: MemberActs = []
  /// What the member may do about the book.
  package var bookAct = BookAct.none
  /// What the member is asked or told.
  package var prompt = Prompt()

  /// Creates an event.
  package init(number: UInt16, role: Role, rights: Rights) {
    self.number = number
    self.role = role
    self.rights = rights
  }
}

/// The state of a room.
package struct RoomEvent: Equatable, Sendable {
  /// The flags of a room.
  package struct State: OptionSet, Equatable, Sendable {
    /// A bit for each item; its position is the item's number on the wire.
    package let rawValue: UInt8

    /// The room is shared.
    package static let isShared = State(rawValue: 1)
    /// The room is being recorded.
    package static let isRecorded = State(rawValue: 2)
    /// The room plays a recording.
    package static let isPlayback = State(rawValue: 4)
    /// The presenter holds something in the air.
    package static let isHeld = State(rawValue: 8)

    /// All flags with a meaning.
    static let known = State(rawValue: 15)

    /// Creates a set from its bits.
    package init(rawValue: UInt8) { self.rawValue = rawValue }
  }

  /// Who turns the pages; raw values are the bytes of the wire.
  package enum Turner: UInt8, Equatable, Sendable {
    /// There is nobody to be told about.
    case none = 0
    /// Anyone may.
    case anyone
    /// Nobody has the book.
    case nobody
    /// The presenter is choosing another book.
    case choosing
    /// The presenter's connection is lost, and its role is held open for a moment.
    case away
    /// The presenter does.
    case presenter
  }

  /// The settings of the hosts.
  package var settings: RoomSettings
  /// Whether the room is shared, recorded or playing, and the state of the presenter.
  package var state: State
  /// The member id of the presenter; 0 if there is none.
  package var presenter: UInt32
  /// How long after its time a frame is shown by everybody except the presenter, in seconds.
  package var delay: Double
  /// Who turns the pages.
  package var turner: Turner

  /// Creates an event.
  package init(
    settings: RoomSettings,
    state: State,
    presenter: UInt32,
    delay: Double,
    turner: Turner = .none
  ) {
    (self.settings, self.state, self.presenter) = (settings, state, presenter)
    (self.delay, self.turner) = (delay, turner)
  }
}

/// Members that joined, changed or left.
package struct PeopleEvent: Equatable, Sendable {
  /// Whether the list is complete; otherwise members that are not listed stay as they were.
  package var isWhole: Bool
  /// Members that joined or changed.
  package var people: [PersonEvent]
  /// Members that left.
  package var gone: [UInt32]

  /// Creates an event.
  package init(isWhole: Bool, people: [PersonEvent], gone: [UInt32] = []) {
    self.isWhole = isWhole
    self.people = people
    self.gone = gone
  }
}

/// One member, as listed for the others in the room.
package struct PersonEvent: Equatable, Sendable {
  /// The flags of a member.
  package struct State: OptionSet, Equatable, Sendable {
    /// A bit for each item; its position is the item's number on the wire.
    package let rawValue: UInt16

    /// The member is a host.
    package static let isHost = State(rawValue: 1)
    /// The member raises a hand.
    package static let isRaised = State(rawValue: 2)
    /// The member asks for the book.
    package static let asks = State(rawValue: 4)
    /// The member lost its connection and may rejoin.
    package static let isAway = State(rawValue: 8)
    /// The member's page is hidden.
    package static let isHidden = State(rawValue: 16)
    /// The member is too slow for the others to wait for it.
    package static let lags = State(rawValue: 32)
    /// The member has an offer of the book.
    package static let isOffered = State(rawValue: 64)
    /// The member has left the shared book to choose another.
    package static let isChoosing = State(rawValue: 128)
    /// The member is a further window of a reader who is in the list as another member.
    package static let isAgain = State(rawValue: 256)

    /// All flags with a meaning.
    static let known = State(rawValue: 511)

    /// Creates a set from its bits.
    package init(rawValue: UInt16) { self.rawValue = rawValue }
  }

  /// The member id.
  package var id: UInt32
  /// The role.
  package var role: Role
  /// The flags.
  package var state: State
  /// What others may do to the member, if they have the right to.
  package var acts: MemberActs = []
  /// The colour, 0 to 5.
  package var colour: UInt8
  /// The name, plain text.
  package var name: String

  /// Creates an event.
  package init(id: UInt32, role: Role, state: State, colour: UInt8, name: String) {
    self.id = id
    self.role = role
    self.state = state
    self.colour = colour
    self.name = name
  }
}

/// The pointer of a member.
package struct PointerEvent: Equatable, Sendable {
  /// The kind of a pointer.
  package enum Kind: UInt8, Equatable, Sendable, CaseIterable {
    /// No pointer.
    case gone = 0
    /// A dot of light.
    case laser = 1
    /// A hand: a finger that moves the book.
    case hand = 2
  }

  /// The member id.
  package var member: UInt32
  /// The kind.
  package var kind: Kind
  /// The time, in seconds of the server's clock.
  package var time: Double
  /// The number of the page or cover under the pointer; nil for the table.
  package var element: UInt64?
  /// On an element, the fraction of its width from its left edge; on the table, stage points.
  package var x: Double
  /// On an element, the fraction of its height from its upper edge; on the table, stage points.
  package var y: Double

  /// Creates an event.
  package init(
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

/// Where the other members read, for a member that wanders.
package struct PlaceEvent: Equatable, Sendable {
  /// The id of the book that they have open; empty if there is none.
  package var book: String
  /// The first page of their spread, from 0.
  package var page: UInt32
  /// The book's title; empty if no book is open.
  package var title: String
  /// Their pages; without labels if no book is open.
  package var range: PageRange

  /// Creates an event.
  package init(book: String, page: UInt32, title: String = "", range: PageRange = PageRange()) {
    self.book = book
    self.page = page
    self.title = title
    self.range = range
  }
}

/// The secrets and the code that open a room to others.
package struct LinksEvent: Equatable, Sendable {
  /// The secret of a link to follow; empty if it was sent before, since it is sent only once.
  package var follow: String
  /// The secret of a link to present.
  package var present: String
  /// The secret of a link for hosts.
  package var host: String
  /// The code of six letters, to follow.
  package var code: String
  /// How long the code is valid, in seconds.
  package var codeSeconds: Double

  /// Creates an event.
  package init(follow: String, present: String, host: String, code: String, codeSeconds: Double) {
    self.follow = follow
    self.present = present
    self.host = host
    self.code = code
    self.codeSeconds = codeSeconds
  }
}

/// How well one member keeps time, as measured by its page.
package struct SyncEvent: Equatable, Sendable {
  /// The member id.
  package var member: UInt32
  /// The time between the frame that was shown and the frame that was due, 95th percentile, in
  /// seconds.
  package var error: Double
  /// The shortest recent round trip, in seconds.
  package var roundTrip: Double

  /// Creates an event.
  package init(member: UInt32, error: Double, roundTrip: Double) {
    self.member = member
    self.error = error
    self.roundTrip = roundTrip
  }
}

/// The state of a recording that is being played.
package struct PlaybackEvent: Equatable, Sendable {
  /// Whether it is playing; otherwise it is paused.
  package var isPlaying: Bool
  /// The server's time of ``position``, in seconds.
  package var time: Double
  /// The position at that time, in seconds from the beginning.
  package var position: Double
  /// The length, in seconds.
  package var length: Double
  /// The title.
  package var title: String

  /// Creates an event.
  package init(isPlaying: Bool, time: Double, position: Double, length: Double, title: String) {
    self.isPlaying = isPlaying
    self.time = time
    self.position = position
    self.length = length
    self.title = title
  }
}
