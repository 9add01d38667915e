public import Geometry
public import Scene
public import Staging
internal import Wire

/// The people who read together, the stage that they share, and who leads.
///
/// All look at one shared reading, but for those who wander: each of these has one of its own,
/// which began as a copy of the shared one. Time is handed in. What a member does carries the
/// number of its role, see ``RoleEvent``; what carries another comes too late and is ignored.
public struct Room: Sendable {
  /// The most members a room takes.
  public static let membersMax = 1024

  /// The room's name, which its address carries.
  public let name: String
  /// Whose it is: nobody else is in it but by a key.
  public let owner: ReaderID
  /// The address that it was opened from.
  let origin: String
  /// What all see who do not wander.
  var shared: StageSession
  /// What wanderers see.
  var wanderings: [MemberID: StageSession] = [:]
  /// When they want to be woken, but those that something was done with since this was last noted.
  var wanderingWakes: [MemberID: Double] = [:]
  var movedWanderers: Set<MemberID> = []
  /// In the order in which they came; also those whose connection is lost and may come back.
  var people: [Person] = []
  var leadership: Leadership
  /// What all were told of it.
  var toldLeadership: Leadership
  var settings: RoomSettings
  /// What is kept of the room; nil for one that was never shared.
  var record: RoomRecord? { didSet { hasNewRecord = true } }
  var hasNewRecord = false
  /// The way of all from one book to another; nil while they are in one.
  var passage: Passage?
  /// Where hosts left books that are not the shared one, by their ids.
  var placesElsewhere: [String: BookPlace] = [:]
  var code: RoomCode?
  /// The whole library, as it is.
  var library: ShownLibrary
  /// How long after its time a frame is shown by who does not present.
  var playoutDelay = PlayoutDelay()
  var isRecorded = false
  var recordingTitle = ""
  /// Whether all were told last that a recording goes on.
  var toldPlaying = false
  /// Whether a recording was ever played in it.
  var hasPlayed = false

  /// When something was heard or done last.
  var clock: Double
  var hasNewRoles = true
  var lastNews: RoomEvent?
  var lastPlace: PlaceEvent?
  /// Those of whom the others have not heard yet, and who went; both are told a few times a second.
  var changed: Set<MemberID> = []
  var gone: [UInt32] = []
  var peopleTime = -Double.infinity
  var peopleWake: Double?
  /// When the presenter was last told how the others keep time.
  var syncTime = -Double.infinity
  var syncWake: Double?
  /// When somebody's time is up: away, blocked or catching up.
  var personWake: Double?
  /// When something may be heard that came too often.
  var quotaWake: Double?
  var delayWake: Double?
  /// Digests of resume tokens that bring nobody back any more: those of members that left for good,
  /// and those that were used.
  var spentTokens: [[UInt8]] = []
  var tally = RoomTally()
  let notes: Bool

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
    self.notes = notes
    self.record = record
    settings = record?.settings ?? RoomSettings()
    leadership = Leadership(policy: settings.policy)
    toldLeadership = leadership
    self.library = library
    clock = time
    let shown = record.map { library.only([$0.book]) } ?? library
    shared = StageSession(room: name, library: shown, at: time, notes: notes, places: places)
    guard let record else { return }
    // A member that comes back finds the book open, and not a shelf with one book on it.
    shared.open(record.book, at: time)
    shared.control.keepsBook = true
  }

  /// The stage that all share.
  public var stage: Stage { shared.stage }
  /// The member that holds a gesture of the shared stage, until what it began has settled.
  public var holder: MemberID? { shared.holder }
  /// Who leads; nil while nobody does.
  public var presenter: MemberID? { leadership.presenter }
  /// The number of the last frame of the shared stage.
  public var frameNumber: UInt32 { shared.frameNumber }
  /// How many have a connection.
  public var memberCount: Int {
    shared.memberCount + wanderings.values.reduce(0) { $0 + $1.memberCount }
  }
  /// How many are in the room, those included whose connection is lost and may come back.
  public var peopleCount: Int { people.count }
  /// Whether links to it were given.
  public var isShared: Bool { record != nil }

  /// How a member's window looks at its stage once its zoom rests; nil for one that is not
  /// here.
  public func camera(of id: MemberID) -> Transform3D? { session(of: id).camera(of: id) }

  /// What a member is; nil for one who is not here.
  public func role(of id: MemberID) -> Role? {
    guard person(id) != nil else { return nil }
    return wanderings[id] == nil ? leadership.role(of: id) : .wanderer
  }

  /// The stage that a member sees.
  public func stage(of id: MemberID) -> Stage { session(of: id).stage }

  /// When the room wants to be woken; nil at rest.
  public var wakeTime: Double? {
    var next = min(shared.wakeTime ?? .infinity, leadership.deadline ?? .infinity)
    for (id, wake) in wanderingWakes where !movedWanderers.contains(id) { next = min(next, wake) }
    for id in movedWanderers { next = min(next, wanderings[id]?.wakeTime ?? .infinity) }
    next = min(next, min(peopleWake ?? .infinity, syncWake ?? .infinity))
    next = min(next, min(personWake ?? .infinity, delayWake ?? .infinity))
    next = min(next, min(passage?.wake ?? .infinity, quotaWake ?? .infinity))
    return next.isFinite ? next : nil
  }

  /// What of the library the shared reading shows: all of it, or the shared book, and on the way
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

  /// Who has a reading of its own, in the order in which they came.
  var wanderers: [MemberID] {
    wanderings.isEmpty ? [] : wanderings.keys.sorted { $0.rawValue < $1.rawValue }
  }

  /// Those of them who want to be woken by now.
  func dueWanderers(at now: Double) -> [MemberID] {
    let due = movedWanderers.union(wanderingWakes.lazy.filter { $0.value <= now }.map(\.key))
    return due.sorted { $0.rawValue < $1.rawValue }
  }

  func session(of id: MemberID) -> StageSession { wanderings[id] ?? shared }

  func person(_ id: MemberID) -> Person? { people.first { $0.id == id } }

  func index(of id: MemberID) -> Int? { people.firstIndex { $0.id == id } }

  /// Does something with what a member sees.
  mutating func withReading<Value>(of id: MemberID, _ act: (inout StageSession) -> Value) -> Value {
    guard wanderings[id] != nil else { return act(&shared) }
    movedWanderers.insert(id)
    return act(&wanderings[id, default: shared])
  }
}

/// What a room wants of the house since it was last asked.
struct PendingWork {
  let wakeTime: Double?
  let hasMovedBookmark: Bool
  /// Digests of resume tokens that bring nobody back any more: those of members that left for good,
  /// and those that were used.
  let spentTokens: [[UInt8]]
  /// What is kept of the room, if that is another.
  let hasNewRecord: Bool
  let record: RoomRecord?
}

extension Room {
  /// Tells what it wants; costs as much as there are wanderers.
  mutating func takePendingWork() -> PendingWork {
    defer {
      if !spentTokens.isEmpty { spentTokens = [] }
      hasNewRecord = false
    }
    return PendingWork(
      wakeTime: wakeTime,
      hasMovedBookmark: hasMovedBookmark(),
      spentTokens: spentTokens,
      hasNewRecord: hasNewRecord,
      record: record
    )
  }
}

/// Six letters that open a room for a while.
struct RoomCode: Equatable, Sendable {
  /// How long a code opens a room, in seconds.
  static let seconds = 900.0
  /// How many letters it has.
  static let letterCount = 6

  var letters: String
  /// The secret of a link that whoever used it comes back with.
  var secret: String
  var until: Double
}
