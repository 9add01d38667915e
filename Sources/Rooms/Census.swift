/// How the rooms stand, for whoever watches a server.
///
/// Nothing in it is about one room or one person.
public struct Census: Equatable, Sendable {
  /// Rooms with somebody in them.
  public var activeRooms = 0
  /// Rooms that wait for somebody to come back.
  public var idleRooms = 0
  /// People with a connection.
  public var members = 0
  /// How many of them come so late that the others do not wait for them.
  public var lagging = 0
  /// Rooms whose presenter's connection is lost.
  public var presenterAbsent = 0
  /// The longest playout delay of all rooms, in seconds.
  public var longestDelay = 0.0
  /// What members did with a role that they no longer had, so far.
  public var staleInputs = 0
}

extension Rooms {
  /// How the rooms stand; costs as much as there are people.
  public var census: Census {
    var census = Census()
    census.staleInputs = staleOfGone
    for room in rooms.values {
      census.staleInputs += room.staleCount
      guard room.memberCount > 0 else {
        census.idleRooms += 1
        continue
      }
      census.activeRooms += 1
      census.members += room.memberCount
      census.lagging += room.people.count { room.playoutDelay.lags($0.id) }
      if room.leadership.isPresenterAway { census.presenterAbsent += 1 }
      if room.people.count > 1 {
        census.longestDelay = max(census.longestDelay, room.playoutDelay.value)
      }
    }
    return census
  }
}
