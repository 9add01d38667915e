internal import Fabric
internal import Notices
internal import Scene
internal import Staging
internal import Wire

/// Sends members the state of the room: roles, settings, people.
extension Room {
  /// Applies the consequences of what was received or done, and announces them.
  mutating func conclude(in turn: inout Turn) {
    let before = announced.leadership
    let isStale = announced.rolesAreStale || announced.leadershipIsStale
    if isStale { applyRoles(in: &turn) }
    tellRoom(in: &turn)
    if isStale { tell(announced.news.since(before, to: leadership, in: roster), in: &turn) }
    tellPlace(in: &turn)
    tellPeople(in: &turn)
    if roster.count > 1 { timing.planDelay() }
  }

  /// Applies the current leadership, and sends each member its role.
  ///
  /// Where a member that joins or leaves changes nothing for the others, only its own role and that
  /// of the presenter are computed.
  mutating func applyRoles(in turn: inout Turn) {
    let current = LeadershipSummary(leadership)
    let choosing = wanderers.choosing.filter { person($0)?.isHere == true }
    let isForAll =
      announced.rolesAreStale || current != announced.leadership
      || (roster.count > 1) != announced.hasOthers || choosing != announced.choosing
    (announced.hasOthers, announced.choosing) = (roster.count > 1, choosing)
    var stale = announced.staleMembers
    if let presenter = leadership.presenter { stale.append(presenter) }
    (announced.rolesAreStale, announced.leadershipIsStale, announced.staleMembers) = (
      false, false, []
    )
    if current != announced.leadership { noteChanges(since: announced.leadership) }
    RoleChange(from: announced.leadership, to: leadership).map {
      tally.roleChanges[$0, default: 0] += 1
    }
    announced.leadership = current
    let turning: Turning =
      shared.isPlayback || transition != nil
      ? .only(nil) : settings.policy == .anyoneTurns ? .anyone : .only(leadership.presenter)
    if turning != shared.control.turning {
      if let holder = shared.holder, turning != .anyone, turning != .only(holder) {
        // The server finishes the motion that the holder has begun.
        shared.takeAway(from: holder, in: &turn)
      }
      shared.control.turning = turning
    }
    tellDelay(in: &turn)
    if let presenter = leadership.presenter, let own = wanderers[presenter],
      own.catchUpLimit == nil, !isOut(presenter)
    {
      catchUp(presenter, in: &turn)
      announced.rolesAreStale = false
    }
    if isForAll {
      for index in 0..<roster.count { tellRole(at: index, in: &turn) }
    } else {
      for id in stale { roster.index(of: id).map { tellRole(at: $0, in: &turn) } }
    }
    hideForbiddenPointers(in: &turn)
    planDeadline()
  }

  /// Marks the members that a change of the leadership concerns, including those that are away, and
  /// those that had an offer from a member that left.
  private mutating func noteChanges(since before: LeadershipSummary) {
    if before.policy != leadership.policy { roster.noteChanges(of: roster.people.map(\.id)) }
    let some = [before.presenter, before.offered, leadership.presenter, leadership.offered]
    let those = some.compactMap { $0 } + before.asking + leadership.asking
    roster.noteChanges(of: those.filter { leadership.grant(of: $0) != nil })
  }

  mutating func tellRole(at index: Int, in turn: inout Turn) {
    guard roster[index].isHere else { return }
    let id = roster[index].id
    let role = roleEvent(of: roster[index])
    guard
      let news = roster[index].role.update(
        role,
        wanders: wanderers.contains(id),
        isBrought: transition != nil
      )
    else { return }
    if news.isOtherRole { roster.noteChange(of: id) }
    turn.effects.send(to: id) { ServerMessage.role(news.event).encode(into: &$0) }
  }

  /// Tells members what others have done.
  func tell(_ all: [(member: MemberID, news: Notice)], in turn: inout Turn) {
    for (id, notice) in all where person(id)?.isHere == true {
      turn.effects.send(to: id) { ServerMessage.error(code: 1, notice).encode(into: &$0) }
    }
  }

  /// Sends a message to all members whose page is visible.
  func tell(everybody message: ServerMessage, in turn: inout Turn) {
    let members = shared.members.lazy.filter(\.isVisible).map(\.id)
    turn.effects.send(message, to: members + wanderers.ids.filter { isVisible($0) })
  }

  /// The number of people up to which a newcomer is sent the whole list at once.
  private static let promptListMax = 32

  /// Sends everything to a member that has joined or rejoined, or whose page is visible again.
  mutating func tellAll(to id: MemberID, in turn: inout Turn) {
    guard let index = roster.index(of: id) else { return }
    roster[index].role.forget()
    tellRole(at: index, in: &turn)
    let event = roomEvent()
    // A change that is not announced yet may be reverted; this member would then keep the wrong
    // state.
    if roster.count > 1 { roster.retellChanged() }
    // The only member receives these here, so that they need not be announced to it.
    if roster.count == 1 {
      announced.room = event
      roster[index].lastEvent = personEvent(of: roster[index])
    }
    turn.effects.send(to: id) { ServerMessage.room(event).encode(into: &$0) }
    if roster.count > Self.promptListMax {
      roster.addNewcomer(id)
    } else {
      tell(wholeListTo: [id], in: &turn)
    }
    if recording.hasPlayed {
      // Also if no recording is open any more: a hidden page was not told that it was closed.
      let playback = playbackEvent(at: turn.now)
      turn.effects.send(to: id) { ServerMessage.playback(playback).encode(into: &$0) }
    }
    if let place = announced.place, wanderers.contains(id) {
      turn.effects.send(to: id) { ServerMessage.place(place).encode(into: &$0) }
    }
  }

  // MARK: What is sent

  /// The state of the room.
  ///
  /// Mutating, so that it reads the shared session in place: it is read after each message.
  mutating func roomEvent() -> RoomEvent {
    let (isPlayback, isDriven) = readShared { ($0.isPlayback, $0.stage.isDriven) }
    var state = RoomEvent.State()
    if isShared { state.insert(.isShared) }
    if recording.isRecorded { state.insert(.isRecorded) }
    if isPlayback { state.insert(.isPlayback) }
    // A reader that is alone does not need this, and it would cost a message at each touch.
    if roster.count > 1, isDriven { state.insert(.isHeld) }
    return RoomEvent(
      settings: settings,
      state: state,
      presenter: leadership.presenter?.rawValue ?? 0,
      delay: roster.count > 1 ? timing.delay.value : 0,
      turner: Offers(in: self).turner(isDriven: isDriven)
    )
  }

  /// Returns the state of a person, as it is sent to all members.
  func personEvent(of person: Person) -> PersonEvent {
    let id = person.id
    let isHidden = wanderers[id]?.session.watchers.isHidden(id) ?? shared.watchers.isHidden(id)
    return Offers(in: self).event(of: person, isHidden: isHidden, lags: timing.delay.lags(id))
  }

  /// Returns the role and the rights of a person, as they are sent to that person.
  ///
  /// A page need not know the rules: a member's current rights are sent with its role.
  func roleEvent(of person: Person) -> RoleEvent { Offers(in: self).role(of: person) }

  private mutating func tellRoom(in turn: inout Turn) {
    let event = roomEvent()
    guard event != announced.room else { return }
    let wasRecorded = announced.room?.state.contains(.isRecorded) == true
    announced.room = event
    tell(everybody: .room(event), in: &turn)
    guard event.state.contains(.isRecorded) != wasRecorded else { return }
    let news = Notice(wasRecorded ? .recordingEnded : .isRecorded)
    tell(roster.people.map { ($0.id, news) }, in: &turn)
  }

  /// Sends some members the list of all people, which is encoded once.
  private func tell(wholeListTo ids: [MemberID], in turn: inout Turn) {
    let all = roster.people.map { personEvent(of: $0) }
    for start in stride(from: 0, to: max(1, all.count), by: WireLimits.peoplePerMessage) {
      let part = all[start..<min(start + WireLimits.peoplePerMessage, all.count)]
      let event = PeopleEvent(isWhole: start == 0, people: Array(part))
      turn.effects.send(.people(event), to: ids)
    }
  }

  /// Announces the people that joined, changed or left: soon, and many at once.
  private mutating func tellPeople(in turn: inout Turn) {
    guard let indices = roster.beginList(at: turn.now) else { return }
    let events = indices.map { (index: $0, event: personEvent(of: roster[$0])) }
    for message in roster.endList(events) { tell(everybody: .people(message), in: &turn) }
    // A page that is hidden by now is sent the list when it is visible again.
    let newcomers = roster.takeNewcomers().filter { isVisible($0) }
    if !newcomers.isEmpty { tell(wholeListTo: newcomers, in: &turn) }
  }
}
