internal import Fabric
internal import Scene
internal import Wire

/// Handles hellos.
extension RoomRegistry {
  mutating func enter(
    _ id: MemberID,
    hello: Hello,
    from address: String,
    room: String,
    now: Double,
    into effects: inout Effects
  ) {
    let who = Identity(of: hello, environment: environment)
    let resume = environment.secret()
    let digest = environment.digest(resume)
    switch admission(of: hello, as: who, from: address, now: now) {
    case .refused(let code):
      if code == .keyNeeded { noteWrongKey(hello, of: id, from: address, now: now, into: &effects) }
      refuse(id, code, into: &effects)
    case .elsewhere(let free): send(id, to: free, into: &effects)
    case .back(let name, let member):
      effects.messages.append(.adopt(id, as: member))
      effects.list.append(.noteComeback)
      rooms[name]?.lose(member, now: now, into: &effects)
      let pass = pass(for: member, in: name, now: now)
      rooms[name]?.comeBack(
        member,
        hello: hello,
        address: address,
        pass: pass,
        used: environment.digest(hello.resume),
        resume: resume,
        digest: digest,
        now: now,
        into: &effects
      )
      noteEntry(id, as: member, in: name, digest: digest, now: now)
    case .alone:
      guard directory.mayMakeRoom(address, at: now) else {
        return refuse(id, .tooManyRooms, into: &effects)
      }
      // A name that the gateway found also decides which host the room is on.
      guard room.isEmpty || !isKnown(room) else { return refuse(id, .roomGone, into: &effects) }
      var name = room
      while name.isEmpty || isKnown(name) { name = environment.freshName() }
      join(
        id,
        name,
        hello,
        from: address,
        as: who,
        .host,
        resume: (resume, digest),
        now: now,
        into: &effects
      )
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
        now: now,
        into: &effects
      )
    }
  }

  /// Counts a key that opens nothing, and informs the sender if it looks like a code.
  private mutating func noteWrongKey(
    _ hello: Hello,
    of id: MemberID,
    from address: String,
    now: Double,
    into effects: inout Effects
  ) {
    guard !hello.key.isEmpty else { return }
    directory.noteWrongKey(of: address, at: now)
    guard hello.room.isEmpty, hello.key.count == RoomCode.letterCount else { return }
    let code = CloseCode.keyNeeded.rawValue
    effects.send(to: id) {
      ServerMessage.error(code: code, message: Answers.unknownCode).encode(into: &$0)
    }
  }

  /// Sends a member to another room.
  private mutating func send(_ id: MemberID, to room: String, into effects: inout Effects) {
    effects.send(to: id) {
      ServerMessage.error(code: CloseCode.elsewhere.rawValue, message: room).encode(into: &$0)
    }
    refuse(id, .elsewhere, into: &effects)
  }

  private mutating func refuse(_ id: MemberID, _ code: CloseCode, into effects: inout Effects) {
    close(id, code, into: &effects)
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
    now: Double,
    into effects: inout Effects
  ) {
    if rooms[name] == nil {
      guard
        directory.roomCount(of: address) < Origins.roomsMax
          || forgetRoom(of: address, into: &effects)
      else {
        return refuse(id, .tooManyRooms, into: &effects)
      }
      // The first member of an unknown room becomes its owner.
      let owner = owner(of: name) ?? who.reader
      rooms[name] = open(name, owner: owner, from: address, now: now, into: &effects)
      directory.noteOpened(from: address)
    }
    // A process that continues a room may know the member as one that is away, but not its last
    // resume token.
    if rooms[name]?.person(id) != nil { rooms[name]?.remove(id, now: now, into: &effects) }
    guard rooms[name]?.makePlace(now: now, into: &effects) == true else {
      return refuse(id, .roomFull, into: &effects)
    }
    let pass = pass(for: id, who.opensLibrary, in: name, now: now)
    rooms[name]?.join(
      id,
      hello: hello,
      address: address,
      as: who,
      grant: grant,
      key: key,
      pass: pass,
      resume: resume.secret,
      digest: resume.digest,
      now: now,
      into: &effects
    )
    rooms[name]?.noteUse(environment: environment, now: now, into: &effects)
    if rooms[name]?.owner == who.reader {
      directory.came(who.reader, room: name, hasReturned: who.hasReturned, at: now)
      effects.list.append(.keepReader(who.reader, room: OwnRoom.first(of: name)))
    }
    noteEntry(id, as: id, in: name, digest: resume.digest, now: now)
  }

  private mutating func noteEntry(
    _ id: MemberID,
    as member: MemberID,
    in name: String,
    digest: [UInt8],
    now: Double
  ) {
    presences[digest] = Presence(room: name, member: member)
    directory.setRoom(name, ofToken: digest)
    emptySince[name] = nil
    names[member] = name
    notePendingWork(of: name, now: now)
    noteStateChange(of: name, now: now)
  }

  /// Returns the pass of a member that joins or rejoins a room.
  private mutating func pass(
    for id: MemberID,
    _ opensLibrary: Bool? = nil,
    in name: String,
    now: Double
  ) -> String {
    let opensLibrary = opensLibrary ?? rooms[name]?.person(id)?.opensLibrary ?? false
    return rooms[name]?
      .pass(for: id, opensLibrary: opensLibrary, environment: environment, now: now) ?? ""
  }

  /// Forgets a token that no longer brings a member back.
  mutating func forgetPresence(_ token: [UInt8]) {
    presences[token] = nil
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
  func refusalToShare(_ name: String) -> String? {
    guard let room = rooms[name], !room.isShared else { return nil }
    return directory.refusalToShare(from: room.origin)
  }

  // MARK: Forgetting

  /// Forgets the room that has been empty for longest, if there are too many.
  mutating func forgetSurplus(into effects: inout Effects) {
    guard emptySince.count > Self.emptyRoomsMax else { return }
    // Rooms of readers that have returned go last, so that strangers' rooms do not displace them.
    let oldest = emptySince.min { one, other in
      let (isKept, isOtherKept) = (hasReturned(one.key), hasReturned(other.key))
      guard isKept == isOtherKept else { return isOtherKept }
      return (one.value, one.key) < (other.value, other.key)
    }
    if let oldest { forget(oldest.key, into: &effects) }
  }

  /// Forgets the room of an address that has been empty for longest.
  /// - Returns: Whether there was one.
  private mutating func forgetRoom(of address: String, into effects: inout Effects) -> Bool {
    let empty = emptySince.filter { rooms[$0.key]?.origin == address }
    guard let oldest = empty.min(by: { ($0.value, $0.key) < ($1.value, $1.key) }) else {
      return false
    }
    forget(oldest.key, into: &effects)
    return true
  }

  /// Whether a room's owner has been here more than once.
  private func hasReturned(_ name: String) -> Bool {
    rooms[name].map { directory.hasReturned($0.owner) } ?? false
  }

  /// Forgets the state of an empty room; its owner, and where its books were left, remain known.
  mutating func forget(_ name: String, into effects: inout Effects) {
    noteBookmarks(of: name, into: &effects)
    guard let room = rooms.removeValue(forKey: name) else { return }
    effects.messages.append(.end(room.shared.stream.id))
    for own in room.wanderers.sessions { effects.messages.append(.end(own.stream.id)) }
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
