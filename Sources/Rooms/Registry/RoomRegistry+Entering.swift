internal import Fabric
internal import Notices
internal import Scene
internal import Wire

/// Handles hellos.
extension RoomRegistry {
  mutating func enter(
    _ id: MemberID,
    hello: Hello,
    from address: String,
    room: String,
    in turn: inout Turn
  ) {
    let who = Identity(of: hello, environment: turn.environment)
    let resume = turn.environment.secret()
    let digest = turn.environment.digest(resume)
    switch admission(of: hello, as: who, from: address, in: turn) {
    case .refused(let code):
      if code == .keyNeeded { noteWrongKey(hello, of: id, from: address, in: &turn) }
      refuse(id, code, in: &turn)
    case .elsewhere(let free): send(id, to: free, in: &turn)
    case .back(let name, let member):
      turn.effects.messages.append(.adopt(id, as: member))
      turn.effects.list.append(.noteComeback)
      if rooms[name]?.person(member)?.isHere == true {
        rooms[name]?.lose(member, in: &turn)
      }
      rooms[name]?.comeBack(
        member,
        hello: hello,
        address: address,
        used: turn.environment.digest(hello.resume),
        resume: resume,
        digest: digest,
        in: &turn
      )
      noteEntry(id, as: member, in: name, digest: digest, in: &turn)
    case .alone:
      guard directory.mayMakeRoom(address, at: turn.now) else {
        return refuse(id, .tooManyRooms, in: &turn)
      }
      // A name that the gateway found also decides which host the room is on.
      guard room.isEmpty || !isKnown(room) else { return refuse(id, .roomGone, in: &turn) }
      var name = room
      while name.isEmpty || isKnown(name) { name = turn.environment.freshName() }
      join(id, name, hello, from: address, as: who, .host, resume: (resume, digest), in: &turn)
    case .into(let name, let grant, let key):
      join(
        id,
        name,
        hello,
        from: address,
        as: who,
        grant,
        key: key,
        resume: (resume, digest),
        in: &turn
      )
    }
  }

  /// Counts a key that opens nothing, and informs the sender if it looks like a code.
  private mutating func noteWrongKey(
    _ hello: Hello,
    of id: MemberID,
    from address: String,
    in turn: inout Turn
  ) {
    guard !hello.key.isEmpty else { return }
    directory.noteWrongKey(of: address, at: turn.now)
    guard hello.room.isEmpty, hello.key.count == RoomCode.letterCount else { return }
    let code = CloseCode.keyNeeded.rawValue
    let minutes = Int(RoomCode.seconds / 60)
    let notice = Notice(.unknownCode, ["minutes": .number(minutes)])
    turn.effects.send(to: id) {
      ServerMessage.error(code: code, notice).encode(into: &$0)
    }
  }

  /// Sends a member to another room.
  private mutating func send(_ id: MemberID, to room: String, in turn: inout Turn) {
    let notice = Notice(.otherRoom, ["room": .text(room)])
    turn.effects.send(to: id) {
      ServerMessage.error(code: CloseCode.elsewhere.rawValue, notice).encode(into: &$0)
    }
    refuse(id, .elsewhere, in: &turn)
  }

  private mutating func refuse(_ id: MemberID, _ code: CloseCode, in turn: inout Turn) {
    close(id, code, in: &turn)
  }

  /// Adds a member to a room, which is opened if necessary.
  private mutating func join(
    _ id: MemberID,
    _ name: String,
    _ hello: Hello,
    from address: String,
    as who: Identity,
    _ grant: Grant,
    key: String = "",
    resume: (secret: String, digest: [UInt8]),
    in turn: inout Turn
  ) {
    if rooms[name] == nil {
      guard
        directory.roomCount(of: address) < Origins.roomsMax
          || forgetRoom(of: address, in: &turn)
      else {
        return refuse(id, .tooManyRooms, in: &turn)
      }
      // The first member of an unknown room becomes its owner.
      let owner = owner(of: name) ?? who.reader
      rooms[name] = open(name, owner: owner, from: address, in: &turn)
      directory.noteOpened(from: address)
    }
    // A process that continues a room may know the member as one that is away, but not its last
    // resume token.
    if rooms[name]?.person(id) != nil { rooms[name]?.remove(id, in: &turn) }
    guard rooms[name]?.makePlace(in: &turn) == true else {
      return refuse(id, .roomFull, in: &turn)
    }
    rooms[name]?.join(
      id,
      hello: hello,
      address: address,
      as: who,
      grant: grant,
      key: key,
      resume: resume.secret,
      digest: resume.digest,
      in: &turn
    )
    rooms[name]?.noteUse(in: &turn)
    if rooms[name]?.owner == who.reader {
      directory.came(who.reader, room: name, hasReturned: who.hasReturned, at: turn.now)
      turn.effects.list.append(.keepReader(who.reader, room: OwnRoom.first(of: name)))
    }
    noteEntry(id, as: id, in: name, digest: resume.digest, in: &turn)
  }

  private mutating func noteEntry(
    _ id: MemberID,
    as member: MemberID,
    in name: String,
    digest: [UInt8],
    in turn: inout Turn
  ) {
    let pass = rooms[name]?.person(member)?.pass ?? ""
    presences.note(.init(room: name, member: member, pass: pass), token: digest)
    directory.setRoom(name, ofToken: digest)
    emptySince[name] = nil
    names[member] = name
    notePendingWork(of: name, in: &turn)
    noteStateChange(of: name, in: turn)
  }

  /// Forgets a token that no longer brings a member back.
  mutating func forgetPresence(_ token: [UInt8]) {
    presences.forget(token)
    directory.setRoom(nil, ofToken: token)
  }

  // MARK: Owners of rooms

  /// Returns the owner of the room with a name; nil if there is no such room.
  func owner(of name: String) -> ReaderID? {
    rooms[name]?.owner ?? directory.owner(of: name)
  }

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
    noteBookmarks(of: name, in: &turn)
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
