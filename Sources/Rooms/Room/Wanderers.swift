internal import Fabric
internal import Scene
internal import Staging

/// The members that wander, each with a session of its own.
///
/// Sessions that are changed through ``update(_:_:)`` are marked, so that only these are examined
/// when the room concludes a step. Times are seconds of the room's clock.
struct Wanderers: Sendable {
  /// A member that wanders.
  struct Wanderer: Sendable {
    fileprivate(set) var session: StageSession
    /// By when the member must have flown to where the others are; nil if it does not fly there.
    var catchUpLimit: Double?
    /// Whether a host has left the shared book and has not said whether to bring the others along.
    var isChoosing = false
  }

  private var all: [MemberID: Wanderer] = [:]
  /// The wake times of their sessions, as last recorded.
  private var wakes: [MemberID: Double] = [:]
  /// The members whose sessions were changed since their wake times were recorded.
  private var moved: Set<MemberID> = []
  /// Where books other than the shared one were left outside, by their ids.
  private(set) var places: [String: BookPlace] = [:]

  /// The wanderer with an id; nil for a member that watches the shared session.
  subscript(id: MemberID) -> Wanderer? { all[id] }

  /// Whether a member wanders.
  func contains(_ id: MemberID) -> Bool { all[id] != nil }

  /// The ids of the members, in the order in which they joined.
  var ids: [MemberID] { all.isEmpty ? [] : all.keys.sorted { $0.rawValue < $1.rawValue } }

  /// Their sessions, in no particular order.
  var sessions: some Sequence<StageSession> { all.values.lazy.map(\.session) }

  /// The number of members that watch their own stages.
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

  /// Applies a change to a wanderer's session.
  /// - Returns: The result of the change; nil for a member that does not wander.
  @discardableResult
  mutating func update<Value>(
    _ id: MemberID,
    _ act: (inout StageSession) -> Value
  ) -> Value? {
    guard let index = all.index(forKey: id) else { return nil }
    moved.insert(id)
    return act(&all.values[index].session)
  }

  /// Sets the time limit of a member that catches up, or removes it.
  mutating func setCatchUpLimit(_ limit: Double?, of id: MemberID) {
    all[id]?.catchUpLimit = limit
  }

  /// Records whether a host outside is choosing a book.
  /// - Returns: Whether that has changed.
  mutating func setChoosing(_ isChoosing: Bool, _ id: MemberID) -> Bool {
    guard all[id]?.isChoosing == !isChoosing else { return false }
    all[id]?.isChoosing = isChoosing
    return true
  }

  // MARK: Waking

  /// The earliest time at which a session has to be woken; +infinity if there is none.
  var wakeTime: Double {
    var next = Double.infinity
    for (id, wake) in wakes where !moved.contains(id) { next = min(next, wake) }
    for id in moved { next = min(next, all[id]?.session.wakeTime ?? .infinity) }
    return next
  }

  /// Returns the members whose sessions have to be woken by now, in the order in which they joined.
  func due(at now: Double) -> [MemberID] {
    let due = moved.union(wakes.lazy.filter { $0.value <= now }.map(\.key))
    return due.sorted { $0.rawValue < $1.rawValue }
  }

  /// Records the wake times of the sessions that were changed.
  mutating func noteWakeTimes() {
    for id in moved { wakes[id] = all[id]?.session.wakeTime }
    moved.removeAll(keepingCapacity: true)
  }

  // MARK: Places

  /// Stores where books were left outside.
  mutating func keep(_ left: [String: BookPlace]) { places.merge(left) { $1 } }

  /// Returns whether a place in a book outside the shared one may have changed since the last call.
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
