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
  ///   - pass: Its pass.
  ///   - resume: The token with which it can rejoin as the same member.
  ///   - digest: The digest of `resume`.
  ///   - now: When it joined, in seconds.
  ///   - effects: Receives the messages to send.
  mutating func join(
    _ id: MemberID,
    hello: Hello,
    address: String,
    as who: Identity,
    grant: Grant,
    key: String = "",
    pass: String = "",
    resume: String,
    digest: [UInt8],
    now: Double,
    into effects: inout Effects
  ) {
    clock = now
    let legacy = removeLost(of: who.reader, into: &effects)
    let grant = max(grant, legacy.grant ?? grant)
    roster.add(
      id,
      as: who,
      persona: hello.persona.name.isEmpty ? legacy.persona ?? hello.persona : hello.persona,
      address: address,
      grant: grant,
      token: digest
    )
    leadership.come(id, grant: grant, at: now)
    hand(over: legacy, to: id, at: now)
    // The new member may get the book from another member, which must be informed.
    told.noteAttendance(of: id)
    welcome(
      id,
      resume: resume,
      key: key,
      reader: who.freshSecret,
      pass: pass,
      now: now,
      into: &effects
    )
    shared.join(Member(id: id, hello: hello), now: now, into: &effects)
    tellPointers(to: id, into: &effects)
    conclude(now: now, into: &effects)
  }

  /// Readmits a member whose connection was lost, over a new connection.
  /// - Parameters:
  ///   - id: The member.
  ///   - hello: Its hello.
  ///   - address: The address that it comes from now, in digits.
  ///   - pass: Its pass.
  ///   - used: The digest of the token that it has sent.
  ///   - resume: The token with which it can rejoin the next time.
  ///   - digest: The digest of `resume`.
  ///   - now: When it rejoined, in seconds.
  ///   - effects: Receives the messages to send.
  mutating func comeBack(
    _ id: MemberID,
    hello: Hello,
    address: String,
    pass: String,
    used: [UInt8],
    resume: String,
    digest: [UInt8],
    now: Double,
    into effects: inout Effects
  ) {
    guard let index = roster.index(of: id) else { return }
    clock = now
    roster.comeBack(at: index, from: address, by: used, next: digest)
    leadership.come(id, grant: roster[index].grant, at: now)
    told.noteAttendance(of: id)
    welcome(id, resume: resume, key: "", pass: pass, now: now, into: &effects)
    let member = Member(id: id, hello: hello)
    withSession(of: id) { $0.join(member, now: now, into: &effects) }
    tellPointers(to: id, into: &effects)
    conclude(now: now, into: &effects)
  }

  private mutating func welcome(
    _ id: MemberID,
    resume: String,
    key: String,
    reader: String = "",
    pass: String,
    now: Double,
    into effects: inout Effects
  ) {
    let welcome = Welcome(
      room: name,
      memberID: id.rawValue,
      serverTime: now,
      resume: resume,
      key: key,
      reader: reader,
      pass: pass,
      numbering: library.numbers.numbering
    )
    effects.send(to: id) { ServerMessage.welcome(welcome).encode(into: &$0) }
    tellAll(to: id, now: now, into: &effects)
  }

  /// Makes space for a member: if the room is full, removes the member that has been away for
  /// longest.
  /// - Returns: Whether there is space; false if the room is full and nobody is away.
  mutating func makePlace(now: Double, into effects: inout Effects) -> Bool {
    guard roster.count >= Self.membersMax else { return true }
    guard let first = roster.longestAway else { return false }
    remove(first, now: now, into: &effects)
    return true
  }

  /// Records that a member's connection is lost; it may rejoin for ``Resumption/seconds``.
  mutating func lose(_ id: MemberID, now: Double, into effects: inout Effects) {
    guard let index = roster.index(of: id), roster[index].isHere else { return }
    clock = now
    hidePointer(of: id, now: now, into: &effects)
    withSession(of: id) { $0.leave(id, now: now, into: &effects) }
    guard !roster[index].resumption.token.isEmpty else {
      return remove(id, now: now, into: &effects)
    }
    roster.lose(at: index, now: now)
    leadership.lose(id, at: now)
    timing.forgetLateness(of: id)
    told.noteAttendance(of: id)
    conclude(now: now, into: &effects)
  }

  /// Removes a member for good.
  mutating func remove(_ id: MemberID, now: Double, into effects: inout Effects) {
    guard let index = roster.index(of: id) else { return }
    if roster[index].isHere {
      hidePointer(of: id, now: now, into: &effects)
      withSession(of: id) { $0.leave(id, now: now, into: &effects) }
    }
    keepPlacesElsewhere(of: id)
    roster.remove(at: index)
    if let own = wanderers.remove(id) { effects.messages.append(.end(own.stream.id)) }
    leadership.leave(id, at: now)
    timing.remove(id)
    told.noteAttendance(of: id)
    conclude(now: now, into: &effects)
  }
}
