internal import Fabric
internal import Notices
internal import Rates
internal import Scene
internal import Wire

/// Handles hellos.
extension RoomRegistry {
  mutating func enter(_ arrival: Arrival, room: String, in turn: inout Turn) {
    switch admission(of: arrival, in: turn) {
    case .refused(let code):
      if code == .keyNeeded { noteWrongKey(of: arrival, in: &turn) }
      close(arrival.id, code, in: &turn)
    case .elsewhere(let free):
      turn.effects.send(to: arrival.id) {
        ServerMessage.error(
          code: CloseCode.elsewhere.rawValue,
          Notice(.otherRoom, ["room": free])
        ).encode(into: &$0)
      }
      close(arrival.id, .elsewhere, in: &turn)
    case .back(let name, let member):
      turn.effects.messages.append(.adopt(arrival.id, as: member))
      turn.effects.list.append(.noteComeback)
      rooms[name]?.lose(member, in: &turn)
      rooms[name]?.comeBack(member, arrival, in: &turn)
      noteEntry(of: arrival, as: member, in: name, in: &turn)
    case .alone:
      guard directory.mayMakeRoom(arrival.address, at: turn.now) else {
        return close(arrival.id, .tooManyRooms, in: &turn)
      }
      // A name that the gateway found also decides which host the room is on.
      guard room.isEmpty || !isKnown(room) else { return close(arrival.id, .roomGone, in: &turn) }
      var name = room
      while name.isEmpty || isKnown(name) { name = turn.environment.freshName() }
      join(arrival, name, .host, in: &turn)
    case .into(let name, let grant, let key): join(arrival, name, grant, key: key, in: &turn)
    }
  }

  /// Counts a key that opens nothing, and informs the sender if it looks like a code.
  private mutating func noteWrongKey(of arrival: Arrival, in turn: inout Turn) {
    let hello = arrival.hello
    guard !hello.key.isEmpty else { return }
    directory.noteWrongKey(of: arrival.address, at: turn.now)
    guard hello.room.isEmpty, hello.key.count == RoomCode.letterCount else { return }
    let code = CloseCode.keyNeeded.rawValue
    let minutes = Int(RoomCode.seconds / 60)
    let notice = Notice(.unknownCode, ["minutes": "\(minutes)"])
    turn.effects.send(to: arrival.id) { ServerMessage.error(code: code, notice).encode(into: &$0) }
  }

  /// Adds a member to a room, which is opened if necessary.
  private mutating func join(
    _ arrival: Arrival,
    _ name: String,
    _ grant: Grant,
    key: String = "",
    in turn: inout Turn
  ) {
    if rooms[name] == nil {
      guard
        directory.roomCount(of: arrival.address) < Origins.roomsMax
          || forgetRoom(of: arrival.address, in: &turn)
      else { return close(arrival.id, .tooManyRooms, in: &turn) }
      // The first member of an unknown room becomes its owner.
      let owner = owner(of: name) ?? arrival.reader
      rooms[name] = open(name, owner: owner, from: arrival.address, in: &turn)
      directory.noteOpened(from: arrival.address)
    }
    // A process that continues a room may know the member as one that is away, but not its last
    // resume token.
    rooms[name]?.remove(arrival.id, in: &turn)
    guard rooms[name]?.makePlace(in: &turn) == true else {
      return close(arrival.id, .roomFull, in: &turn)
    }
    rooms[name]?.join(arrival, grant: grant, key: key, in: &turn)
    rooms[name]?.sharing.noteUse(in: &turn)
    if rooms[name]?.owner == arrival.reader {
      directory.came(arrival.reader, room: name, hasReturned: arrival.hasReturned, at: turn.now)
      turn.effects.list.append(.keepReader(arrival.reader, room: OwnRoom.first(of: name)))
    }
    noteEntry(of: arrival, as: arrival.id, in: name, in: &turn)
  }

  private mutating func noteEntry(
    of arrival: Arrival,
    as member: MemberID,
    in name: String,
    in turn: inout Turn
  ) {
    presences[arrival.token.digest] = Presence(room: name, member: member)
    directory.setRoom(name, ofToken: arrival.token.digest)
    emptySince[name] = nil
    names[member] = name
    notePendingWork(of: name, in: &turn)
    noteStateChange(of: name, in: turn)
  }

  /// Forgets a token that no longer brings a member back.
  mutating func forgetPresence(_ token: [UInt8]) {
    presences[token] = nil
    directory.setRoom(nil, ofToken: token)
  }

  // MARK: Owners of rooms

  /// Returns the owner of the room with a name; nil if there is no such room.
  func owner(of name: String) -> ReaderID? { rooms[name]?.owner ?? directory.owner(of: name) }

  /// Whether there is a room with a name, open or not.
  func isKnown(_ name: String) -> Bool { owner(of: name) != nil }

  // MARK: Sharing

  /// Returns why a room may not be shared at present, as text for the member; nil if it may.
  func refusalToShare(_ name: String) -> Notice? {
    guard let room = rooms[name], !room.isShared else { return nil }
    return directory.refusalToShare(from: room.origin)
  }

  // MARK: Forgetting

  /// Forgets the room that has been empty for longest, if there are too many.
  mutating func forgetSurplus(in turn: inout Turn) {
    guard emptySince.count > Self.emptyRoomsMax else { return }
    // Rooms of readers that have returned go last, so that strangers' rooms do not displace them.
    let oldest = emptySince.min { one, other in
      let (isKept, isOtherKept) = (hasReturned(one.key), hasReturned(other.key))
      guard isKept == isOtherKept else { return isOtherKept }
      return (one.value, one.key) < (other.value, other.key)
    }
    if let oldest { forget(oldest.key, in: &turn) }
  }

  /// Forgets the room of an address that has been empty for longest.
  /// - Returns: Whether there was one.
  private mutating func forgetRoom(of address: String, in turn: inout Turn) -> Bool {
    let empty = emptySince.filter { rooms[$0.key]?.origin == address }
    guard let oldest = empty.min(by: { ($0.value, $0.key) < ($1.value, $1.key) }) else {
      return false
    }
    forget(oldest.key, in: &turn)
    return true
  }

  /// Whether a room's owner has been here more than once.
  private func hasReturned(_ name: String) -> Bool {
    rooms[name].map { directory.hasReturned($0.owner) } ?? false
  }

  /// Forgets the state of an empty room; its owner, and where its books were left, remain known.
  mutating func forget(_ name: String, in turn: inout Turn) {
    keepBookmarks(of: name, in: &turn)
    guard let room = rooms.removeValue(forKey: name) else { return }
    turn.effects.messages.append(.end(room.shared.stream.id))
    for own in room.wanderers.sessions { turn.effects.messages.append(.end(own.stream.id)) }
    for person in room.roster.people {
      for token in person.resumption.tokens { forgetPresence(token) }
    }
    tally += room.tally
    directory.noteForgotten(name, from: room.origin)
    wakeTimes[name] = nil
    emptySince[name] = nil
    states.forget(name)
  }
}
