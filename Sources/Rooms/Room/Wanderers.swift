internal import Fabric
internal import Notices
internal import Rates
internal import Scene
internal import Staging
internal import Wire

/// The members that wander, each with a session of its own.
///
/// A session is changed through ``update(_:_:)`` alone, which records when it has to be woken: the
/// cost of a message does not depend on the number of wanderers. Times are seconds of the room's
/// clock.
struct Wanderers: Sendable {
  /// A member that wanders.
  struct Wanderer: Sendable {
    /// Boxed, because a dictionary copies its values.
    private var boxed: Boxed<StageSession>
    /// Whether the member's bookmarks are those of the room's owner.
    fileprivate let isOwner: Bool
    /// By when the member must have flown to where the others are; nil if it does not fly there.
    fileprivate(set) var catchUpLimit: Double?
    fileprivate(set) var session: StageSession {
      _read { yield boxed.value }
      _modify { yield &boxed.value }
    }

    fileprivate init(session: StageSession, isOwner: Bool) {
      (boxed, self.isOwner) = (Boxed(session), isOwner)
    }
  }

  private var all: [MemberID: Wanderer] = [:]
  /// When their sessions have to be woken.
  private var wakes = WakeTimes<MemberID>()
  /// The members that fly to where the others are.
  private var returning: Set<MemberID> = []
  /// The hosts that have left the shared book and have not said whether to bring the others along.
  private(set) var choosing: Set<MemberID> = []
  /// The bookmarks that the room's owner has moved outside the shared book.
  private var moved: [Bookmark] = []
  /// The members that may be shown something else than before, or no longer wander.
  private var changed: Set<MemberID> = []
  /// Where books other than the shared one were left outside, by their ids.
  private(set) var bookmarks: [String: Bookmark] = [:]

  /// The wanderer with an id; nil for a member that watches the shared session.
  subscript(id: MemberID) -> Wanderer? { all[id] }

  /// Whether a member wanders.
  func contains(_ id: MemberID) -> Bool { !all.isEmpty && all[id] != nil }

  /// The ids of the members, in the order in which they joined.
  var ids: [MemberID] { all.isEmpty ? [] : all.keys.sorted() }

  /// The ids of the members that fly to where the others are, in the order in which they joined.
  var returningIDs: [MemberID] { returning.isEmpty ? [] : returning.sorted() }

  /// Whether a member flies to where the others are.
  func isReturning(_ id: MemberID) -> Bool { returning.contains(id) }

  /// Their sessions, in no particular order.
  var sessions: some Sequence<StageSession> { all.values.lazy.map(\.session) }

  /// The number of members that watch their own stages.
  var memberCount: Int { all.values.reduce(0) { $0 + $1.session.members.count } }

  /// Adds a member with a session of its own.
  /// - Parameters:
  ///   - id: The member.
  ///   - session: The session.
  ///   - isOwner: Whether the member is the owner of the room, whose bookmarks move outside, too.
  mutating func add(_ id: MemberID, _ session: StageSession, isOwner: Bool) {
    all[id] = Wanderer(session: session, isOwner: isOwner)
    changed.insert(id)
    update(id) { _ in }
  }

  /// Removes a member.
  /// - Returns: Its session; nil if it did not wander.
  mutating func remove(_ id: MemberID) -> StageSession? {
    guard let wanderer = all.removeValue(forKey: id) else { return nil }
    wakes[id] = nil
    returning.remove(id)
    changed.insert(id)
    choosing.remove(id)
    return wanderer.session
  }

  /// Applies a change to a wanderer's session.
  /// - Returns: The result of the change; nil for a member that does not wander.
  @discardableResult
  mutating func update<Value>(_ id: MemberID, _ act: (inout StageSession) -> Value) -> Value? {
    guard !all.isEmpty, let index = all.index(forKey: id) else { return nil }
    let before = all.values[index].session.selection.changeCount
    let value = act(&all.values[index].session)
    if all.values[index].session.selection.changeCount != before { changed.insert(id) }
    wakes[id] = all.values[index].session.wakeTime
    if all.values[index].isOwner, !all.values[index].session.control.keepsBook,
      all.values[index].session.hasMovedBookmark(),
      let bookmark = all.values[index].session.stage.bookmark
    {
      moved.append(bookmark)
    }
    return value
  }

  /// Sets the time limit of a member that catches up, or removes it.
  mutating func setCatchUpLimit(_ limit: Double?, of id: MemberID) {
    guard let index = all.index(forKey: id) else { return }
    all.values[index].catchUpLimit = limit
    if limit != nil { returning.insert(id) } else { returning.remove(id) }
  }

  /// Records whether a host outside is choosing a book.
  /// - Returns: Whether that has changed.
  mutating func setChoosing(_ isChoosing: Bool, _ id: MemberID) -> Bool {
    guard all[id] != nil else { return false }
    return isChoosing ? choosing.insert(id).inserted : choosing.remove(id) != nil
  }

  // MARK: Waking

  /// The earliest time at which a session has to be woken; +infinity if there is none.
  var wakeTime: Double { wakes.soonest ?? .infinity }

  /// Returns the members whose sessions have to be woken by now, in the order in which they joined.
  func due(at now: Double) -> [MemberID] { wakes.due(at: now) }

  // MARK: Bookmarks

  /// Stores where books were left outside.
  mutating func keep(_ left: [String: Bookmark]) { bookmarks.merge(left) { $1 } }

  /// Returns the bookmarks that the room's owner has moved outside the shared book since the last
  /// call.
  mutating func takeMovedBookmarks() -> [Bookmark] {
    defer { if !moved.isEmpty { moved = [] } }
    return moved
  }

  /// Returns the members that may be shown something else than at the last call.
  mutating func takeChanged() -> Set<MemberID> {
    defer { if !changed.isEmpty { changed = [] } }
    return changed
  }
}
