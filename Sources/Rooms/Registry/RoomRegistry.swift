package import Fabric
package import Notices
internal import Rates
package import Scene
package import Staging
internal import Wire

/// The rooms of one host, and the room of each member; two rooms never see each other's frames.
///
/// What the hosts of a process know together, such as the readers, is in their ``RoomDirectory``.
///
/// A room belongs to its owner, the reader for whom it was created. Empty rooms are kept, so that a
/// reader whose connection was lost finds everything unchanged. If there are more than
/// ``emptyRoomsMax`` of them, the one that has been empty for longest is forgotten, those of
/// strangers first; its owner and the owner's bookmarks remain known.
package struct RoomRegistry: Sendable {
  /// The maximum number of empty rooms that are kept.
  package static let emptyRoomsMax = 1000

  private(set) var library: ShownLibrary
  private var isReplaced = false
  let notes: Bool
  var rooms: [String: Room] = [:]
  var names: [MemberID: String] = [:]
  /// What all hosts know.
  let directory: RoomDirectory
  /// The members by the digests of their resume tokens, with those that may still rejoin.
  var presences: [[UInt8]: Presence] = [:]
  /// The rooms whose members need other passes.
  private var stalePasses: Set<String> = []
  /// The bookmarks that the owners of rooms have moved, and that are not stored yet.
  var movedBookmarks = MovedBookmarks()
  var wakeTimes = WakeTimes<String>()
  var emptySince: [String: Double] = [:]
  /// The states with which other processes would continue the rooms.
  var states = KeptStates()
  /// The rooms that are not woken, because another process may own them.
  var paused: Set<String> = []
  /// The counts of rooms that are gone.
  var tally = HostFigures()

  /// Creates the room registry.
  /// - Parameters:
  ///   - library: The library.
  ///   - notes: Whether to record inputs and frames.
  ///   - directory: What this host and others know together.
  package init(library: ShownLibrary, notes: Bool = false, directory: RoomDirectory) {
    self.library = library
    self.notes = notes
    self.directory = directory
  }

  /// Returns where a reader left its books; the last one is at the end.
  package func bookmarks(of reader: ReaderID) -> [Bookmark] { directory.bookmarks(of: reader) }

  /// The number of rooms with at least one member present.
  package var roomCount: Int { rooms.count - emptySince.count }
  /// The number of members that are present.
  package var memberCount: Int { names.count }

  /// When to wake the rooms; nil if all of them rest and all bookmarks are stored.
  ///
  /// The cost does not depend on the number of rooms.
  package var wakeTime: Double? {
    let soonest = min(
      wakeTimes.soonest ?? .infinity,
      min(movedBookmarks.wakeTime ?? .infinity, states.wakeTime ?? .infinity)
    )
    return soonest.isFinite ? soonest : nil
  }

  /// Returns a room, for tests and observers; nil if there is none with that name.
  package func room(named name: String) -> Room? { rooms[name] }

  /// Handles a message from a gateway.
  /// - Parameters:
  ///   - message: The message.
  ///   - turn: The time, and what is to be done.
  package mutating func receive(_ message: GatewayMessage, in turn: inout Turn) {
    let place = turn.effects.messages.list.count
    defer { renewPasses(before: place, in: &turn) }
    switch message {
    case .hello(let id, let hello, let peer, let room):
      guard names[id] == nil else { return }
      let arrival = Arrival(id, hello, from: peer, environment: turn.environment)
      enter(arrival, room: room, in: &turn)
    case .packet(let id, let packet): handle(packet, from: id, in: &turn)
    case .tooOften(let id): tell(id, Notice(.tooManyRequests), in: &turn)
    case .blocked(let id):
      guard let name = names[id] else { return }
      rooms[name]?.blocked(id, in: &turn)
      notePendingWork(of: name, in: &turn)
    case .unblocked(let id):
      guard let name = names[id] else { return }
      rooms[name]?.unblocked(id)
    case .left(let id, let code): leave(id, code: code, in: &turn)
    }
  }

  private mutating func handle(_ packet: ClientPacket, from id: MemberID, in turn: inout Turn) {
    guard let name = names[id] else { return }
    if case .share = packet.message, let words = refusalToShare(name) {
      return tell(id, words, in: &turn)
    }
    // In place, because moving a room out of the dictionary and back costs more than the handling.
    guard let place = rooms.index(forKey: name) else { return }
    rooms.values[place]
      .receive(packet, from: id, in: &turn)
    notePendingWork(ofRoomAt: place, name, in: &turn)
  }

  /// Plays a recording in a room, at the request of one of its members.
  package mutating func play(
    _ playback: Playback,
    in name: String,
    for id: MemberID,
    in turn: inout Turn
  ) {
    guard names[id] == name else { return }
    let place = turn.effects.messages.list.count
    defer { renewPasses(before: place, in: &turn) }
    rooms[name]?.play(playback, in: &turn)
    notePendingWork(of: name, in: &turn)
  }

  /// Handles the end of a room's recording that no member requested.
  package mutating func endRecording(_ name: String, reason: Notice, in turn: inout Turn) {
    rooms[name]?.endRecording(reason: reason, in: &turn)
    notePendingWork(of: name, in: &turn)
  }

  /// Sends a member an explanation of why something was not done.
  package func tell(_ id: MemberID, _ notice: Notice, in turn: inout Turn) {
    if let name = names[id] { rooms[name]?.tell(id, notice, in: &turn) }
  }

  /// Requests that all moved bookmarks are stored, because the server stops.
  package mutating func keepBookmarks(in turn: inout Turn) {
    keepBookmarks(until: .infinity, in: &turn)
  }

  func open(_ name: String, owner: ReaderID, from address: String, in turn: inout Turn) -> Room {
    let room = Room(
      name: name,
      owner: owner,
      origin: address,
      library: library,
      at: turn.now,
      notes: notes,
      bookmarks: directory.bookmarks(of: owner),
      record: directory.record(of: name)
    )
    // Also without bookmarks: an earlier room may have had this name, and this is a new one.
    if notes {
      turn.effects.list.append(
        .noteOpening(
          bookmarks: room.stage.bookmarks,
          library: isReplaced || room.isShared ? room.shared.selection.shown.layout.outline : nil,
          room: name,
          time: turn.now
        )
      )
    }
    return room
  }

  /// Stores another state of the library; each room shows it when the room rests.
  ///
  /// The cost is proportional to the number of rooms, regardless of the size of the library.
  package mutating func replace(_ update: LibraryUpdate, in turn: inout Turn) {
    turn.effects.list.append(.release(library))
    library = update.library
    isReplaced = true
    for name in rooms.keys.sorted() {
      rooms[name]?.replace(update, in: &turn)
      notePendingWork(of: name, in: &turn)
    }
  }

  /// Passes an arranged library to the room that requested it.
  package mutating func take(
    _ library: ShownLibrary,
    for request: ArrangementRequest,
    stream: StreamID,
    in turn: inout Turn
  ) {
    let reader = stream.wanderer
    rooms[stream.room]?.take(library, for: request, reader: reader, in: &turn)
    notePendingWork(of: stream.room, in: &turn)
  }

  /// Records what a room needs after it has done something: to be woken, and its bookmarks to be
  /// stored.
  mutating func notePendingWork(of name: String, in turn: inout Turn) {
    guard let index = rooms.index(forKey: name) else { return }
    notePendingWork(ofRoomAt: index, name, in: &turn)
  }

  private mutating func notePendingWork(
    ofRoomAt index: [String: Room].Index,
    _ name: String,
    in turn: inout Turn
  ) {
    let pending = rooms.values[index].takePendingWork()
    for digest in pending.spentTokens { forgetPresence(digest) }
    if pending.hasNewRecord {
      let origin = rooms.values[index].origin
      directory.setRecord(pending.record, of: name, origin: origin)
    }
    if pending.hasNewCode { directory.setCode(rooms.values[index].sharing.code, of: name) }
    if turn.environment.keys.library != nil, rooms.values[index].hasStalePasses {
      stalePasses.insert(name)
    }
    wakeTimes[name] = pending.wakeTime
    for bookmark in pending.movedBookmarks {
      movedBookmarks.note(bookmark, in: name, at: turn.now)
    }
    if pending.changesState { noteStateChange(of: name, in: turn) }
  }

  /// Renews the passes of all members; call it every ``Fabric/Pass/renewalSeconds``.
  package mutating func renewPasses(in turn: inout Turn) {
    guard turn.environment.keys.library != nil else { return }
    for name in rooms.keys.sorted() {
      let place = turn.effects.messages.list.count
      rooms[name]?.renewPasses(isDue: true, before: place, in: &turn)
    }
  }

  /// Renews the passes of members whose rooms show them something else than before.
  /// - Parameters:
  ///   - place: The index before which messages are inserted.
  ///   - turn: The time, and what is to be done.
  private mutating func renewPasses(before place: Int, in turn: inout Turn) {
    for name in stalePasses.sorted() { rooms[name]?.renewPasses(before: place, in: &turn) }
    stalePasses.removeAll(keepingCapacity: true)
  }

  func close(_ id: MemberID, _ code: CloseCode, in turn: inout Turn) {
    turn.effects.messages.append(.close(id, code: code.rawValue, reason: code.meaning))
  }

  /// Handles the end of a member's connection; only a member whose connection was lost may rejoin.
  private mutating func leave(_ id: MemberID, code: UInt16, in turn: inout Turn) {
    guard let name = names.removeValue(forKey: id) else { return }
    if CloseCode.mayComeBack(after: code) {
      rooms[name]?.lose(id, in: &turn)
    } else {
      rooms[name]?.remove(id, in: &turn)
    }
    if rooms[name]?.memberCount == 0 { rooms[name]?.sharing.keep(in: &turn) }
    notePendingWork(of: name, in: &turn)
    noteStateChange(of: name, in: turn)
    guard rooms[name]?.memberCount == 0 else { return }
    emptySince[name] = turn.now
    forgetSurplus(in: &turn)
  }

  /// Records where the owner of a room has moved bookmarks there, and requests that this is stored.
  mutating func keepBookmarks(of name: String, in turn: inout Turn) {
    let moved = movedBookmarks.remove(in: name)
    guard let room = rooms[name] else { return }
    let time = turn.now + turn.environment.unixOffset
    for var bookmark in moved {
      bookmark.time = time
      guard let noted = directory.note(bookmark, of: room.owner, at: room.clock) else { continue }
      turn.effects.list.append(.keepBookmark(noted, of: room.owner))
    }
  }

  private mutating func keepBookmarks(until time: Double, in turn: inout Turn) {
    for name in movedBookmarks.due(at: time) {
      // Only the owner writes bookmarks.
      if paused.contains(name) {
        movedBookmarks.wait(in: name, until: turn.now + Self.pauseSeconds)
      } else {
        keepBookmarks(of: name, in: &turn)
      }
    }
  }

  /// Wakes the rooms whose time has come, and requests that moved bookmarks are stored.
  package mutating func wake(in turn: inout Turn) {
    let place = turn.effects.messages.list.count
    defer { renewPasses(before: place, in: &turn) }
    for name in wakeTimes.due(at: turn.now) {
      guard !paused.contains(name) else {
        wakeTimes[name] = turn.now + Self.pauseSeconds
        continue
      }
      guard let place = rooms.index(forKey: name) else { continue }
      rooms.values[place].wake(in: &turn)
      notePendingWork(ofRoomAt: place, name, in: &turn)
    }
    keepBookmarks(until: turn.now, in: &turn)
    keepStates(in: &turn)
  }
}

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
  /// Its members are not informed, and its bookmarks remain known. If the room is lost, which means
  /// that another process may have moved the bookmarks, those of this one are not stored any more.
  package mutating func handOver(
    _ name: String,
    isLost: Bool = false,
    in turn: inout Turn
  ) -> RoomState? {
    guard let room = rooms[name] else { return nil }
    if isLost { _ = movedBookmarks.remove(in: name) }
    let state = room.state(in: turn)
    for (id, other) in names where other == name { names[id] = nil }
    paused.remove(name)
    forget(name, in: &turn)
    return state
  }

  /// How often a paused room is looked at, in seconds.
  package static let pauseSeconds = 0.1

  /// Sets whether a room is not woken, because another process may own it.
  package mutating func setPaused(_ isPaused: Bool, room name: String) {
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
