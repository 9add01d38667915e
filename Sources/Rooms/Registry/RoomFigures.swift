/// How the rooms of a process stand, in numbers.
public struct RoomFigures: Equatable, Sendable {
  /// Rooms with somebody in them.
  public var active = 0
  /// Rooms that are kept for who comes back.
  public var idle = 0
  /// Members of all rooms, also those whose line is lost for the moment.
  public var members = 0
  /// How many members each of the active rooms has, the smallest first.
  public var sizes: [Int] = []
  /// Members that are later than the room's delay makes up for.
  public var lagging = 0
  /// The longest delay of all rooms with several members, in seconds.
  public var longestDelay = 0.0
  /// Rooms whose presenter's line is lost.
  public var presenterAbsent = 0
  /// What came with a role that its sender no longer had, since the start.
  public var staleInputs = 0
  /// How often a book came into other hands, since the start.
  public var roleChanges: [RoleChange: Int] = [:]
}

extension RoomRegistry {
  /// How the rooms stand; costs as much as there are members.
  public var figures: RoomFigures {
    var figures = RoomFigures(idle: emptySince.count)
    var tally = tally
    for room in rooms.values {
      tally += room.tally
      guard !room.roster.people.isEmpty else { continue }
      figures.members += room.roster.people.count
      figures.sizes.append(room.roster.people.count)
      figures.lagging += room.roster.people.count { room.timing.delay.lags($0.id) }
      if room.roster.people.count > 1 {
        figures.longestDelay = max(figures.longestDelay, room.timing.delay.value)
      }
      if room.leadership.isPresenterAway { figures.presenterAbsent += 1 }
    }
    (figures.staleInputs, figures.roleChanges) = (tally.stale, tally.roleChanges)
    figures.sizes.sort()
    figures.active = rooms.count - emptySince.count
    return figures
  }
}
