package import Fabric
package import Motion
package import Scene
package import Staging
internal import Wire

/// The members that read together, the stage that they share, and who leads.
///
/// All members watch one shared session, except those that wander: each of these has a session of
/// its own, which began as a copy of the shared one. A room receives its members' messages, lets
/// its parts handle them, and announces the results. The caller passes the time in. Input carries
/// the number of its sender's role, see ``RoleEvent``; input with another number is outdated and
/// ignored.
package struct Room: Sendable {
  /// The maximum number of members of a room.
  package static let membersMax = 1024

  /// The room's name, which is part of its address.
  package let name: String
  /// The reader that owns the room; anybody else needs a key.
  package let owner: ReaderID
  /// The address from which the room was opened.
  let origin: String
  /// The session of all members that do not wander.
  var shared: StageSession {
    _read { yield boxedShared.value }
    _modify { yield &boxedShared.value }
  }
  /// Boxed, so that a room that is passed on is not a copy of several kilobytes.
  private var boxedShared: Boxed<StageSession>
  /// The members that wander.
  var wanderers = Wanderers()
  /// The people in the room.
  var roster = Roster()
  /// The state of the leadership.
  var leadership: Leadership
  /// Whether the room is shared, and how.
  var sharing: Sharing
  /// The transition of all members from one book to another; nil while they are in one.
  var transition: Transition?
  /// The current state of the whole library.
  var library: ShownLibrary
  /// How closely the members keep time.
  var timing = Timekeeping()
  /// Whether the room is recorded, and which recording it plays.
  var recording: RecordingState
  /// What was last announced to all members.
  var announced: Announcements
  /// The time of the last message or action, in seconds.
  var clock: Double
  /// The counts of the room, which remain when it is gone.
  var tally = HostFigures()

  /// Creates a room.
  /// - Parameters:
  ///   - name: Its name.
  ///   - owner: Its owner.
  ///   - origin: The address from which it is opened.
  ///   - library: The whole library.
  ///   - time: The current time, in seconds.
  ///   - notes: Whether to record inputs and frames.
  ///   - bookmarks: Where the room's books were left, as ``Stage/bookmarks`` returns it.
  ///   - record: Its stored record; nil for a room that was never shared.
  package init(
    name: String,
    owner: ReaderID,
    origin: String = "",
    library: ShownLibrary,
    at time: Double,
    notes: Bool = false,
    bookmarks: [Bookmark] = [],
    record: RoomRecord? = nil
  ) {
    self.name = name
    self.owner = owner
    self.origin = origin
    recording = RecordingState(notesAll: notes)
    sharing = Sharing(record)
    leadership = Leadership(policy: sharing.settings.policy)
    announced = Announcements(leadership: leadership)
    self.library = library
    clock = time
    let shown = record.map { library.only($0) } ?? library
    var shared = StageSession(
      room: name,
      library: shown,
      at: time,
      notes: notes,
      bookmarks: bookmarks
    )
    if let record {
      // A member that returns finds the book open, and not a shelf with one book on it.
      shared.open(record.book, at: time)
      shared.control.keepsBook = true
    }
    boxedShared = Boxed(shared)
  }
}

// MARK: - Queries

extension Room {
  /// The stage that all members share.
  package var stage: Stage { shared.stage }
  /// The member that holds a gesture of the shared stage, until the resulting motion has settled.
  package var holder: MemberID? { shared.holder }
  /// The member that leads; nil if there is none.
  package var presenter: MemberID? { leadership.presenter }
  /// The number of the last frame of the shared stage.
  package var frameNumber: UInt32 { shared.frameNumber }
  /// The number of members that are connected.
  package var memberCount: Int { shared.members.count + wanderers.memberCount }
  /// Whether the room is shared.
  package var isShared: Bool { sharing.isShared }

  /// Returns the camera through which a member's window shows its stage once its zoom rests; nil
  /// for a member that is not here.
  package func camera(of id: MemberID) -> Transform3D? {
    reading(id) { $0.watchers.camera(of: id) }
  }

  /// Returns the role of a member; nil for a member that is not here.
  package func role(of id: MemberID) -> Role? {
    guard person(id) != nil else { return nil }
    return wanderers.contains(id) ? .wanderer : leadership.role(of: id)
  }

  /// Returns the stage that a member sees.
  package func stage(of id: MemberID) -> Stage { reading(id) { $0.stage } }

  /// When to wake the room; nil at rest.
  package var wakeTime: Double? { wakeTime(shared: shared.wakeTime) }

  func wakeTime(shared: Double?) -> Double? {
    var next = min(shared ?? .infinity, leadership.deadline ?? .infinity)
    next = min(next, min(wanderers.wakeTime, timing.wakeTime))
    next = min(next, min(roster.listWake ?? .infinity, roster.deadline ?? .infinity))
    next = min(next, transition?.wake ?? .infinity)
    return next.isFinite ? next : nil
  }

  var settings: RoomSettings { sharing.settings }
  var record: RoomRecord? { sharing.record }

  /// The part of the library that the shared session shows: all of it, or the shared book, or both
  /// books during a transition between two.
  ///
  /// For a shared room it is created again each time, so ``replace(_:in:)`` requests it only
  /// when a book that it shows has changed.
  var shown: ShownLibrary {
    guard let record else { return library }
    return library.only(record, after: transition?.from)
  }

  /// Returns the part of the library that a member sees.
  func library(of id: MemberID) -> ShownLibrary {
    isOut(id) ? libraryOutside(for: id) ?? shown : shown
  }

  /// Returns a copy of the session that a member sees.
  func session(of id: MemberID) -> StageSession { reading(id) { $0 } }

  /// Reads the session that a member sees, without a copy.
  func reading<Value>(_ id: MemberID, _ read: (StageSession) -> Value) -> Value {
    wanderers[id].map { read($0.session) } ?? read(shared)
  }

  /// Whether a member is here and its page is visible.
  func isVisible(_ id: MemberID) -> Bool { reading(id) { $0.watchers.isVisible(id) } }

  /// Returns a person; nil for a member that is not here.
  func person(_ id: MemberID) -> Person? { roster[id] }

  /// Reads the shared session in place, which other reads copy out of its box.
  mutating func readShared<Value>(_ read: (inout StageSession) -> Value) -> Value { read(&shared) }

  /// Applies a change to the session that a member sees, in place.
  mutating func withSession<Value>(of id: MemberID, _ act: (inout StageSession) -> Value) -> Value {
    wanderers.update(id, act) ?? act(&shared)
  }
}
