internal import Fabric
internal import Scene
internal import Wire

// The states with which rooms continue in another process.
extension RoomRegistry {
  /// Whether a room is open here.
  package func isOpen(_ name: String) -> Bool { rooms[name] != nil }

  /// Opens a room with the state of its previous owner, unless it is open already.
  package mutating func restore(_ state: RoomState, in turn: inout Turn) {
    let name = state.name
    guard rooms[name] == nil else { return }
    directory.restore(state, at: turn.now)
    let room = Room(
      state,
      bookmarks: directory.bookmarks(of: state.owner),
      library: library,
      in: turn,
      notes: notes
    )
    rooms[name] = room
    directory.noteOpened(from: room.origin)
    for person in room.roster.people {
      for token in person.resumption.tokens {
        presences[token] = Presence(room: name, member: person.id)
        directory.setRoom(name, ofToken: token)
      }
    }
    emptySince[name] = turn.now
    notePendingWork(of: name, in: &turn)
    noteStateChange(of: name, in: turn)
  }

  /// Closes a room that continues in another process, and returns its state; nil if it is not open.
  ///
  /// Its members are not informed, and its bookmarks remain known.
  package mutating func handOver(_ name: String, in turn: inout Turn) -> RoomState? {
    guard let room = rooms[name] else { return nil }
    let state = room.state(in: turn)
    for (id, other) in names where other == name { names[id] = nil }
    paused.remove(name)
    forget(name, in: &turn)
    return state
  }

  /// How often a paused room is looked at, in seconds.
  package static let pauseSeconds = 0.1

  /// Sets whether a room is not woken, because another process may own it.
  package mutating func setPaused(_ isPaused: Bool, room name: String, now: Double) {
    if isPaused { paused.insert(name) } else { paused.remove(name) }
  }

  /// Records that the state of a room may have changed.
  mutating func noteStateChange(of name: String, in turn: Turn) {
    guard turn.environment.keepsStates, let room = rooms[name] else { return }
    states.noteChange(of: name, people: room.roster.people.count, now: turn.now)
  }

  /// Records that the state of a room could not be stored.
  package mutating func stateNotStored(of name: String, now: Double) {
    states.noteFailure(of: name, now: now)
  }

  /// Requests that the states that have changed are stored.
  mutating func keepStates(in turn: inout Turn) {
    guard let wake = states.wakeTime, wake <= turn.now else { return }
    let rooms = rooms
    let changed = states.take(at: turn.now) { rooms[$0]?.state(in: turn) }
    turn.effects.list += changed.map { .keepState($0) }
  }
}
