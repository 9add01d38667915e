internal import Fabric
internal import Scene
internal import Wire

/// Members that join, rejoin and leave.
extension Room {
  /// Adds a member that was admitted: sends it a welcome and shows it the shared session.
  /// - Parameters:
  ///   - id: The member.
  ///   - hello: Its hello.
  ///   - address: The address that it comes from, in digits.
  ///   - who: Its identity.
  ///   - grant: What its link, code or key grants.
  ///   - key: The secret with which it can join again, if it used a code.
  ///   - resume: The token with which it can rejoin as the same member.
  ///   - digest: The digest of `resume`.
  ///   - turn: The time, and what is to be done.
  mutating func join(
    _ id: MemberID,
    hello: Hello,
    address: String,
    as who: Identity,
    grant: Grant,
    key: String = "",
    resume: String,
    digest: [UInt8],
    in turn: inout Turn
  ) {
    clock = turn.now
    let legacy = removeLost(of: who.reader, in: &turn)
    let grant = max(grant, legacy.grant ?? grant)
    roster.add(
      id,
      as: who,
      persona: hello.persona.name.isEmpty ? legacy.persona ?? hello.persona : hello.persona,
      address: address,
      grant: grant,
      token: digest
    )
    leadership.come(id, grant: grant, at: turn.now)
    hand(over: legacy, to: id, at: turn.now)
    // The new member may get the book from another member, which must be informed.
    told.noteAttendance(of: id)
    welcome(id, resume: resume, key: key, reader: who.freshSecret, in: &turn)
    shared.join(Member(id: id, hello: hello), in: &turn)
    tellPointers(to: id, in: &turn)
    conclude(in: &turn)
  }

  /// Readmits a member whose connection was lost, over a new connection.
  /// - Parameters:
  ///   - id: The member.
  ///   - hello: Its hello.
  ///   - address: The address that it comes from now, in digits.
  ///   - used: The digest of the token that it has sent.
  ///   - resume: The token with which it can rejoin the next time.
  ///   - digest: The digest of `resume`.
  ///   - turn: The time, and what is to be done.
  mutating func comeBack(
    _ id: MemberID,
    hello: Hello,
    address: String,
    used: [UInt8],
    resume: String,
    digest: [UInt8],
    in turn: inout Turn
  ) {
    guard let index = roster.index(of: id) else { return }
    clock = turn.now
    roster.comeBack(at: index, from: address, by: used, next: digest)
    leadership.come(id, grant: roster[index].grant, at: turn.now)
    told.noteAttendance(of: id)
    welcome(id, resume: resume, key: "", in: &turn)
    let member = Member(id: id, hello: hello)
    withSession(of: id) { $0.join(member, in: &turn) }
    tellPointers(to: id, in: &turn)
    conclude(in: &turn)
  }

  private mutating func welcome(
    _ id: MemberID,
    resume: String,
    key: String,
    reader: String = "",
    in turn: inout Turn
  ) {
    let welcome = Welcome(
      room: name,
      memberID: id.rawValue,
      serverTime: turn.now,
      resume: resume,
      key: key,
      reader: reader,
      pass: person(id)?.pass ?? "",
      numbering: library.numbers.numbering
    )
    turn.effects.send(to: id) { ServerMessage.welcome(welcome).encode(into: &$0) }
    let rejoin = Rejoin(room: name, resume: resume, key: key, reader: reader)
    turn.effects.messages.append(.welcomed(id, rejoin))
    tellAll(to: id, in: &turn)
  }

  /// Makes space for a member: if the room is full, removes the member that has been away for
  /// longest.
  /// - Returns: Whether there is space; false if the room is full and nobody is away.
  mutating func makePlace(in turn: inout Turn) -> Bool {
    guard roster.count >= Self.membersMax else { return true }
    guard let first = roster.longestAway else { return false }
    remove(first, in: &turn)
    return true
  }

  /// Records that a member's connection is lost; it may rejoin for ``Resumption/seconds``.
  mutating func lose(_ id: MemberID, in turn: inout Turn) {
    guard let index = roster.index(of: id), roster[index].isHere else { return }
    clock = turn.now
    hidePointer(of: id, in: &turn)
    withSession(of: id) { $0.leave(id, in: &turn) }
    guard !roster[index].resumption.token.isEmpty else {
      return remove(id, in: &turn)
    }
    roster.lose(at: index, now: turn.now)
    leadership.lose(id, at: turn.now)
    timing.forgetLateness(of: id)
    told.noteAttendance(of: id)
    conclude(in: &turn)
  }

  /// Removes a member for good.
  mutating func remove(_ id: MemberID, in turn: inout Turn) {
    guard let index = roster.index(of: id) else { return }
    if roster[index].isHere {
      hidePointer(of: id, in: &turn)
      withSession(of: id) { $0.leave(id, in: &turn) }
    }
    keepPlacesElsewhere(of: id)
    roster.remove(at: index)
    if let own = wanderers.remove(id) { turn.effects.messages.append(.end(own.stream.id)) }
    leadership.leave(id, at: turn.now)
    timing.remove(id)
    told.noteAttendance(of: id)
    conclude(in: &turn)
  }
}
