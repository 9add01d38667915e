internal import Fabric
internal import Scene
internal import Staging

/// The members that leaf on alone, each with a session of its own.
///
/// Whatever is done with a session through ``update(_:_:)`` is noted, so that only those that
/// something was done with are looked at when the room concludes a step. Times are seconds of the
/// room's clock.
struct Wanderers: Sendable {
  /// One member that leafs on alone.
  struct Wanderer: Sendable {
    fileprivate(set) var session: StageSession
    /// Until when the member flies to where the others are; nil when it does not.
    var catchUpLimit: Double?
    /// Whether a host has left the shared book and has not said whether the others come along.
    var isChoosing = false
  }

  private var all: [MemberID: Wanderer] = [:]
  /// When their sessions want to be woken, as it was last noted.
  private var wakes: [MemberID: Double] = [:]
  /// Those that something was done with since their wake times were noted.
  private var moved: Set<MemberID> = []
  /// Where hosts left books that are not the shared one, by their ids.
  private(set) var places: [String: BookPlace] = [:]

  /// A wanderer; nil for a member that looks at the shared stage.
  subscript(id: MemberID) -> Wanderer? { all[id] }

  /// Whether a member wanders.
  func contains(_ id: MemberID) -> Bool { all[id] != nil }

  /// Their members, in the order in which they came.
  var ids: [MemberID] { all.isEmpty ? [] : all.keys.sorted { $0.rawValue < $1.rawValue } }

  /// Their sessions, in no particular order.
  var sessions: some Sequence<StageSession> { all.values.lazy.map(\.session) }

  /// How many members look at their own stages.
  var memberCount: Int { all.values.reduce(0) { $0 + $1.session.memberCount } }

  /// Adds a member with a session of its own.
  mutating func add(_ id: MemberID, _ session: StageSession) {
    all[id] = Wanderer(session: session)
    moved.insert(id)
  }

  /// Removes a member.
  /// - Returns: Its session; nil if it did not wander.
  mutating func remove(_ id: MemberID) -> StageSession? {
    wakes[id] = nil
    return all.removeValue(forKey: id)?.session
  }

  /// Does something with a wanderer's session.
  /// - Returns: What that returns; nil for a member that does not wander.
  @discardableResult
  mutating func update<Value>(
    _ id: MemberID,
    _ act: (inout StageSession) -> Value
  ) -> Value? {
    guard let index = all.index(forKey: id) else { return nil }
    moved.insert(id)
    return act(&all.values[index].session)
  }

  /// Gives a member on its way back a limit of time, or none.
  mutating func setCatchUpLimit(_ limit: Double?, of id: MemberID) {
    all[id]?.catchUpLimit = limit
  }

  /// Notes whether a host outside is choosing a book.
  /// - Returns: Whether that is news.
  mutating func setChoosing(_ isChoosing: Bool, _ id: MemberID) -> Bool {
    guard all[id]?.isChoosing == !isChoosing else { return false }
    all[id]?.isChoosing = isChoosing
    return true
  }

  // MARK: Waking

  /// When the first of them wants to be woken; +infinity if none does.
  var wakeTime: Double {
    var next = Double.infinity
    for (id, wake) in wakes where !moved.contains(id) { next = min(next, wake) }
    for id in moved { next = min(next, all[id]?.session.wakeTime ?? .infinity) }
    return next
  }

  /// Those that want to be woken by now, in the order in which they came.
  func due(at now: Double) -> [MemberID] {
    let due = moved.union(wakes.lazy.filter { $0.value <= now }.map(\.key))
    return due.sorted { $0.rawValue < $1.rawValue }
  }

  /// Notes the wake times of the sessions that something was done with.
  mutating func noteWakeTimes() {
    for id in moved { wakes[id] = all[id]?.session.wakeTime }
    moved.removeAll(keepingCapacity: true)
  }

  // MARK: Places

  /// Keeps where a host has left books.
  mutating func keep(_ left: [String: BookPlace]) { places.merge(left) { $1 } }

  /// Whether a book outside the shared one may have been left elsewhere since this was last asked.
  mutating func hasMovedBookmark() -> Bool {
    var hasMoved = false
    // By index, since a loop over the keys would copy the dictionary when it is changed.
    var index = all.startIndex
    while index != all.endIndex {
      if !all.values[index].session.control.keepsBook,
        all.values[index].session.hasMovedBookmark()
      {
        hasMoved = true
      }
      all.formIndex(after: &index)
    }
    return hasMoved
  }
}
