internal import Fabric
internal import Rates
internal import Scene

/// What was last stored of the rooms' states, and when the next ones are due.
///
/// A turn changes nothing but the place in the open book. It is stored as a ``RoomPlace``, whose
/// size does not depend on the people, so that it costs the same in a room of any size. What has
/// come to rest for longer than the waits below is not lost with the process. Times are seconds of
/// the rooms' clock.
struct KeptStates: Sendable {
  /// The least time between two stored places or states of a room, in seconds.
  static let seconds = 0.1
  /// What each person adds to the time between two whole states, and its maximum, in seconds.
  static let (personSeconds, secondsMax) = (0.0004, 0.5)
  /// How long a change waits for others that are stored with it, in seconds.
  static let delay = 0.02
  /// How long after a failure a state is stored again, in seconds.
  static let retrySeconds = 2.0

  private struct Kept: Sendable {
    /// The last whole state.
    var state: RoomState
    /// The place that was stored last, with the state or after it.
    var place: RoomPlace
    /// When something was last stored, and when a whole state was.
    var time, wholeTime: Double
  }

  private var kept: [String: Kept] = [:]
  /// When the places and the whole states of rooms are stored next.
  private var placeTimes = WakeTimes<String>()
  private var wholeTimes = WakeTimes<String>()

  /// When something is to be stored; nil if nothing has changed.
  var wakeTime: Double? {
    let soonest = min(placeTimes.soonest ?? .infinity, wholeTimes.soonest ?? .infinity)
    return soonest.isFinite ? soonest : nil
  }

  private mutating func noteStored(_ state: RoomState, _ place: RoomPlace, at now: Double) {
    kept[state.name] = Kept(state: state, place: place, time: now, wholeTime: now)
  }

  /// Records that the place in the open book may have changed.
  mutating func notePlace(of name: String, now: Double) {
    guard placeTimes[name] == nil else { return }
    let last = kept[name]?.time ?? -.infinity
    placeTimes[name] = max(now + Self.delay, last + Self.seconds)
  }

  /// Records that anything of a room with a number of people may have changed.
  mutating func noteChange(of name: String, people: Int, now: Double) {
    guard wholeTimes[name] == nil else { return }
    let last = kept[name]?.wholeTime ?? -.infinity
    let wait = min(Self.seconds + Self.personSeconds * Double(people), Self.secondsMax)
    wholeTimes[name] = max(now + Self.delay, last + wait)
  }

  /// Records that a state could not be stored, so that it is stored again.
  mutating func noteFailure(of name: String, now: Double) {
    guard kept.removeValue(forKey: name) != nil else { return }
    wholeTimes[name] = now + Self.retrySeconds
  }

  /// Forgets a room.
  mutating func forget(_ name: String) {
    (kept[name], placeTimes[name], wholeTimes[name]) = (nil, nil, nil)
  }

  /// Takes what is to be stored by now.
  /// - Parameters:
  ///   - now: The time.
  ///   - state: Returns the state of a room; nil if it is not open. It takes time proportional to
  ///     the number of people.
  ///   - place: Returns the place in the open book of a room; nil if the room is not open.
  /// - Returns: Requests to store states and places.
  mutating func take(
    at now: Double,
    state: (String) -> RoomState?,
    place: (String) -> RoomPlace?
  ) -> [Effects.Effect] {
    var effects: [Effects.Effect] = []
    for name in wholeTimes.due(at: now) {
      (wholeTimes[name], placeTimes[name]) = (nil, nil)
      guard let state = state(name), let place = place(name) else { continue }
      if let last = kept[name], last.state.isSame(as: state), last.place.isSame(as: place) {
        continue
      }
      noteStored(state, place, at: now)
      effects.append(.keepState(state))
    }
    for name in placeTimes.due(at: now) {
      placeTimes[name] = nil
      // Without a state that it could continue, a place is stored with the next one.
      guard let last = kept[name], var place = place(name) else { continue }
      place.stateTime = last.state.time
      guard !last.place.isSame(as: place) else { continue }
      kept[name]?.place = place
      kept[name]?.time = now
      effects.append(.keepRoomPlace(place))
    }
    return effects
  }
}
