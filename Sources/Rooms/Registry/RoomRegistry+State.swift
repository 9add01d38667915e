internal import Fabric
internal import Scene
internal import Wire

// The states with which rooms continue in another process.
extension RoomRegistry {
  /// The least time between two states of a room, in seconds.
  ///
  /// It grows with each person, because a state names all of them. What has come to rest for longer
  /// than this is not lost with the process.
  static let (stateSeconds, stateSecondsMax, statePersonSeconds) = (0.1, 0.5, 0.0004)
  /// How long a change waits for others that belong to the same state, in seconds.
  static let stateDelay = 0.02

  /// Whether a room is open here.
  public func isOpen(_ name: String) -> Bool { rooms[name] != nil }

  /// Opens a room with the state of its previous owner, unless it is open already.
  public mutating func restore(_ state: RoomState, now: Double) {
    let name = state.name
    guard rooms[name] == nil else { return }
    directory.restore(state, at: now)
    let room = Room(state, library: library, environment: environment, at: now, notes: notes)
    rooms[name] = room
    directory.noteOpened(from: room.origin)
    for person in room.roster.people {
      for token in person.resumption.tokens {
        presences.note(.init(room: name, member: person.id, pass: person.pass), token: token)
        directory.setRoom(name, ofToken: token)
      }
    }
    emptySince[name] = now
    states[name] = KeptState(last: state, time: now)
    notePendingWork(of: name, now: now)
  }

  /// Closes a room that continues in another process, and returns its state; nil if it is not open.
  ///
  /// Its members are not informed, and its places remain known.
  public mutating func handOver(
    _ name: String,
    now: Double,
    into effects: inout Effects
  ) -> RoomState? {
    guard let room = rooms[name] else { return nil }
    let state = room.state(environment: environment, now: now)
    for (id, other) in names where other == name { names[id] = nil }
    paused.remove(name)
    forget(name, into: &effects)
    return state
  }

  /// How often a paused room is looked at, in seconds.
  public static let pauseSeconds = 0.1

  /// Sets whether a room is not woken, because another process may own it.
  public mutating func setPaused(_ isPaused: Bool, room name: String, now: Double) {
    if isPaused { paused.insert(name) } else { paused.remove(name) }
  }

  /// Records that the state of a room may have changed.
  mutating func noteStateChange(of name: String, now: Double) {
    guard environment.keepsStates, stateTimes[name] == nil else { return }
    let last = states[name]?.time ?? -.infinity
    let people = rooms[name]?.roster.people.count ?? 0
    let wait = Self.stateSeconds + Self.statePersonSeconds * Double(people)
    stateTimes[name] = max(now + Self.stateDelay, last + min(wait, Self.stateSecondsMax))
  }

  /// Requests that the states that have changed are stored.
  mutating func keepStates(until time: Double, now: Double, into effects: inout Effects) {
    for name in stateTimes.due(at: time) {
      stateTimes[name] = nil
      guard let state = rooms[name]?.state(environment: environment, now: now) else { continue }
      if let last = states[name]?.last, last.isSame(as: state) { continue }
      states[name] = KeptState(last: state, time: now)
      effects.list.append(.keepState(state))
    }
  }
}

/// The state of a room that was stored last.
struct KeptState: Sendable {
  var last: RoomState
  /// When it was stored, in seconds of the rooms' clock.
  var time: Double
}
