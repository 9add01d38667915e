internal import Fabric
internal import Notices
internal import Scene
internal import Wire

/// Members that join, rejoin and leave.
extension Room {
  /// Adds a member that was admitted: sends it a welcome and shows it the shared session.
  /// - Parameters:
  ///   - arrival: The member.
  ///   - grant: What its link, code or key grants.
  ///   - key: The secret with which it can join again, if it used a code.
  ///   - turn: The time, and what is to be done.
  mutating func join(_ arrival: Arrival, grant: Grant, key: String = "", in turn: inout Turn) {
    clock = turn.now
    let id = arrival.id
    let legacy = removeLost(of: arrival.reader, in: &turn)
    let grant = max(grant, legacy.grant ?? grant)
    roster.add(arrival, persona: legacy.persona, grant: grant)
    leadership.come(id, grant: grant, at: turn.now)
    hand(over: legacy, to: id, at: turn.now)
    // The new member may get the book from another member, which must be informed.
    announced.noteAttendance(of: id)
    announced.news.actor = id
    welcome(id, arrival, key: key, reader: arrival.freshSecret, in: &turn)
    shared.join(Member(id: id, hello: arrival.hello), in: &turn)
    tellPointers(to: id, in: &turn)
    conclude(in: &turn)
  }

  /// Readmits a member whose connection was lost, over a new connection.
  mutating func comeBack(_ id: MemberID, _ arrival: Arrival, in turn: inout Turn) {
    guard let index = roster.index(of: id) else { return }
    clock = turn.now
    roster.comeBack(at: index, arrival)
    leadership.come(id, grant: roster[index].grant, at: turn.now)
    announced.noteAttendance(of: id)
    welcome(id, arrival, in: &turn)
    let member = Member(id: id, hello: arrival.hello)
    withSession(of: id) { $0.join(member, in: &turn) }
    tellPointers(to: id, in: &turn)
    conclude(in: &turn)
  }

  private mutating func welcome(
    _ id: MemberID,
    _ arrival: Arrival,
    key: String = "",
    reader: String = "",
    in turn: inout Turn
  ) {
    let welcome = Welcome(
      room: name,
      memberID: id.rawValue,
      serverTime: turn.now,
      resume: arrival.token.secret,
      key: key,
      reader: reader,
      pass: pass(for: id, in: turn),
      numbering: library.numbers.numbering
    )
    turn.effects.send(to: id) { ServerMessage.welcome(welcome).encode(into: &$0) }
    let rejoin = Rejoin(room: name, resume: arrival.token.secret, key: key, reader: reader)
    turn.effects.messages.append(.welcomed(id, rejoin))
    tellAll(to: id, in: &turn)
    if recording.isRecorded { tell([(id, Notice(.isRecorded))], in: &turn) }
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
    guard !roster[index].resumption.token.isEmpty else { return remove(id, in: &turn) }
    roster.lose(at: index, now: turn.now)
    leadership.lose(id, at: turn.now)
    timing.forgetLateness(of: id)
    announced.noteAttendance(of: id)
    conclude(in: &turn)
  }

  /// Removes a member for good.
  mutating func remove(_ id: MemberID, in turn: inout Turn) {
    guard let index = roster.index(of: id) else { return }
    if roster[index].isHere {
      hidePointer(of: id, in: &turn)
      withSession(of: id) { $0.leave(id, in: &turn) }
    }
    keepBookmarksElsewhere(of: id)
    roster.remove(at: index)
    if let own = wanderers.remove(id) { turn.effects.messages.append(.end(own.stream.id)) }
    leadership.leave(id, at: turn.now)
    timing.remove(id)
    announced.pointers.remove(id)
    announced.noteAttendance(of: id)
    conclude(in: &turn)
  }

  // MARK: Further windows

  /// Removes the lost windows of a reader; ``hand(over:to:at:)`` must follow once the new one is
  /// there.
  mutating func removeLost(of reader: ReaderID, in turn: inout Turn) -> Legacy {
    let legacy = roster.legacy(of: reader)
    for id in legacy.members {
      keepBookmarksElsewhere(of: id)
      if let index = roster.index(of: id) { roster.remove(at: index) }
      if let own = wanderers.remove(id) { turn.effects.messages.append(.end(own.stream.id)) }
      timing.remove(id)
      announced.pointers.remove(id)
      announced.noteAttendance(of: id)
    }
    return legacy
  }

  /// Hands the book over, if a lost window had it.
  mutating func hand(over legacy: Legacy, to id: MemberID, at now: Double) {
    if let presenter = leadership.presenter, legacy.members.contains(presenter) {
      leadership.lead(id, at: now)
    }
    for other in legacy.members { leadership.leave(other, at: now) }
  }
}
