public import Fabric
public import Geometry
public import Scene
public import Staging
internal import Wire

/// The people who read together, the stage that they share, and who leads.
///
/// All members look at one shared session, except those that wander: each of these has a session of
/// its own, which began as a copy of the shared one. A room hears what its members say, lets its
/// parts act, and draws the conclusions. Time is handed in. What a member does carries the number
/// of its role, see ``RoleEvent``; what carries another comes too late and is ignored.
public struct Room: Sendable {
  /// The most members a room takes.
  public static let membersMax = 1024

  /// The room's name, which its address carries.
  public let name: String
  /// The reader whose room it is: anybody else needs a key.
  public let owner: ReaderID
  /// The address that it was opened from.
  let origin: String
  /// What all members see that do not wander.
  var shared: StageSession
  /// The members that leaf on alone.
  var wanderers = Wanderers()
  /// The people in the room.
  var roster = Roster()
  /// Who leads.
  var leadership: Leadership
  /// Whether the room is shared, and how.
  var sharing: Sharing
  /// The way of all from one book to another; nil while they are in one.
  var passage: Passage?
  /// The whole library, as it is.
  var library: ShownLibrary
  /// How well the members keep time.
  var timing = Timekeeping()
  /// Whether the room is recorded, and what it plays.
  var recording: RecordingState
  /// What all members were told last.
  var told: Announcements
  /// When something was heard or done last, in seconds.
  var clock: Double
  var tally = RoomTally()

  /// Opens a room.
  /// - Parameters:
  ///   - name: Its name.
  ///   - owner: Whose it is.
  ///   - origin: The address that it was opened from.
  ///   - library: What there is to read.
  ///   - time: Now, in seconds.
  ///   - notes: Whether inputs and frames shall be noted for a recording.
  ///   - places: Where the room's books were left, as ``Stage/bookPlaces`` tells it.
  ///   - record: What was kept of it; nil for one that was never shared.
  public init(
    name: String,
    owner: ReaderID,
    origin: String = "",
    library: ShownLibrary,
    at time: Double,
    notes: Bool = false,
    places: [BookPlace] = [],
    record: RoomRecord? = nil
  ) {
    self.name = name
    self.owner = owner
    self.origin = origin
    recording = RecordingState(notesAll: notes)
    sharing = Sharing(record)
    leadership = Leadership(policy: sharing.settings.policy)
    told = Announcements(leadership: leadership)
    self.library = library
    clock = time
    let shown = record.map { library.only([$0.book]) } ?? library
    shared = StageSession(room: name, library: shown, at: time, notes: notes, places: places)
    guard let record else { return }
    // A member that comes back finds the book open, and not a shelf with one book on it.
    shared.open(record.book, at: time)
    shared.control.keepsBook = true
  }
}

// MARK: - What may be asked

extension Room {
  /// The stage that all share.
  public var stage: Stage { shared.stage }
  /// The member that holds a gesture of the shared stage, until what it began has settled.
  public var holder: MemberID? { shared.holder }
  /// The member that leads; nil while nobody does.
  public var presenter: MemberID? { leadership.presenter }
  /// The number of the last frame of the shared stage.
  public var frameNumber: UInt32 { shared.frameNumber }
  /// How many members have a connection.
  public var memberCount: Int { shared.memberCount + wanderers.memberCount }
  /// How many people are in the room, those included whose connection is lost and may come back.
  public var peopleCount: Int { roster.count }
  /// Whether links to the room were given.
  public var isShared: Bool { sharing.isShared }

  /// How a member's window looks at its stage once its zoom rests; nil for one that is not here.
  public func camera(of id: MemberID) -> Transform3D? { session(of: id).camera(of: id) }

  /// What a member is; nil for one that is not here.
  public func role(of id: MemberID) -> Role? {
    guard person(id) != nil else { return nil }
    return wanderers.contains(id) ? .wanderer : leadership.role(of: id)
  }

  /// The stage that a member sees.
  public func stage(of id: MemberID) -> Stage { session(of: id).stage }

  /// When the room wants to be woken; nil at rest.
  public var wakeTime: Double? {
    var next = min(shared.wakeTime ?? .infinity, leadership.deadline ?? .infinity)
    next = min(next, min(wanderers.wakeTime, timing.wakeTime))
    next = min(next, min(roster.listWake ?? .infinity, roster.deadline ?? .infinity))
    next = min(next, passage?.wake ?? .infinity)
    return next.isFinite ? next : nil
  }

  var settings: RoomSettings { sharing.settings }
  var record: RoomRecord? { sharing.record }

  /// What of the library the shared session shows: all of it, or the shared book, and on the way
  /// from one to another both.
  ///
  /// Of a shared room it is made anew each time; ``replace(_:now:into:)`` asks for it only when a
  /// book that it shows has changed.
  var shown: ShownLibrary {
    guard let record else { return library }
    return library.only((passage.map { [$0.from] } ?? []) + [record.book])
  }

  /// What of the library a member sees.
  func library(of id: MemberID) -> ShownLibrary {
    isOut(id) ? libraryBeyondBook(for: id) ?? shown : shown
  }

  /// The session that a member sees; a copy.
  func session(of id: MemberID) -> StageSession { wanderers[id]?.session ?? shared }

  /// A person; nil for a member that is not here.
  func person(_ id: MemberID) -> Person? { roster[id] }

  /// Does something with the session that a member sees, in place.
  mutating func withSession<Value>(of id: MemberID, _ act: (inout StageSession) -> Value) -> Value {
    wanderers.update(id, act) ?? act(&shared)
  }
}

/// What all members of a room were told last.
struct Announcements: Sendable {
  /// The state of the room.
  var room: RoomEvent?
  /// Where the shared book is open.
  var place: PlaceEvent?
  /// Who leads.
  var leadership: Leadership
  /// How long after its time followers show a frame, in seconds.
  var delay = 0.0
  /// Whether the members' roles may be others than they were told.
  var rolesAreStale = true

  init(leadership: Leadership) { self.leadership = leadership }
}

/// What a room wants of the registry since it was last asked.
struct PendingWork {
  let wakeTime: Double?
  let hasMovedBookmark: Bool
  /// Digests of resume tokens that bring nobody back any more: those of members that left for good,
  /// and those that were used.
  let spentTokens: [[UInt8]]
  /// Whether what is kept of the room has changed.
  let hasNewRecord: Bool
  /// What is kept of the room.
  let record: RoomRecord?
}

extension Room {
  /// Tells what the room wants; costs as much as there are wanderers.
  mutating func takePendingWork() -> PendingWork {
    PendingWork(
      wakeTime: wakeTime,
      hasMovedBookmark: hasMovedBookmark(),
      spentTokens: roster.takeSpentTokens(),
      hasNewRecord: sharing.hasChanged(),
      record: record
    )
  }
}
