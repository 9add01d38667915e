/// The state of the rooms of a process, in numbers.
package struct HostFigures: Equatable, Sendable {
  /// Rooms with at least one member present.
  package var active = 0
  /// Empty rooms that are kept for members that return.
  package var idle = 0
  /// Members that are present.
  package var present = 0
  /// Members of all rooms, including those whose connection is lost.
  package var members = 0
  /// How many members each of the active rooms has, the smallest first.
  package var sizes: [Int] = []
  /// Members that are later than the room's delay can compensate.
  package var lagging = 0
  /// The longest delay of all rooms with several members, in seconds.
  package var longestDelay = 0.0
  /// Rooms whose presenter has lost the connection.
  package var presenterAbsent = 0
  /// Inputs with a role that their sender no longer had, since the start.
  package var staleInputs = 0
  /// How often a book changed hands, since the start.
  package var roleChanges: [RoleChange: Int] = [:]

  /// Creates the figures of no rooms.
  package init() {}
}

extension HostFigures {
  /// Adds the figures of other rooms of the same process.
  package static func += (one: inout HostFigures, other: HostFigures) {
    one.active += other.active
    one.idle += other.idle
    one.present += other.present
    one.members += other.members
    one.sizes = (one.sizes + other.sizes).sorted()
    one.lagging += other.lagging
    one.longestDelay = max(one.longestDelay, other.longestDelay)
    one.presenterAbsent += other.presenterAbsent
    one.staleInputs += other.staleInputs
    one.roleChanges.merge(other.roleChanges, uniquingKeysWith: +)
  }
}

extension RoomRegistry {
  /// The state of the rooms; the cost is proportional to the number of members.
  package var figures: HostFigures {
    var figures = tally
    (figures.idle, figures.present) = (emptySince.count, memberCount)
    for room in rooms.values {
      figures.staleInputs += room.tally.staleInputs
      figures.roleChanges.merge(room.tally.roleChanges, uniquingKeysWith: +)
      guard !room.roster.people.isEmpty else { continue }
      figures.members += room.roster.people.count
      figures.sizes.append(room.roster.people.count)
      figures.lagging += room.roster.people.count { room.timing.delay.lags($0.id) }
      if room.roster.people.count > 1 {
        figures.longestDelay = max(figures.longestDelay, room.timing.delay.value)
      }
      if room.leadership.isPresenterAway { figures.presenterAbsent += 1 }
    }
    figures.sizes.sort()
    figures.active = rooms.count - emptySince.count
    return figures
  }
}
