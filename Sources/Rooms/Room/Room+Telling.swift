internal import Fabric
internal import Scene
internal import Staging
internal import Wire

/// Sends members the state of the room: roles, settings, people.
extension Room {
  /// Applies the consequences of what was received or done, and announces them.
  mutating func conclude(now: Double, into effects: inout Effects) {
    if told.rolesAreStale { applyRoles(now: now, into: &effects) }
    tellRoom(into: &effects)
    tellPlace(into: &effects)
    tellPeople(now: now, into: &effects)
    if roster.count > 1 { timing.planDelay() }
    wanderers.noteWakeTimes()
  }

  /// Applies the current leadership, and sends each member its role.
  private mutating func applyRoles(now: Double, into effects: inout Effects) {
    told.rolesAreStale = false
    noteChanges(since: told.leadership)
    RoleChange(from: told.leadership, to: leadership).map {
      tally.roleChanges[$0, default: 0] += 1
    }
    told.leadership = leadership
    let turning: Turning =
      shared.isPlayback || passage != nil
      ? .only(nil) : settings.policy == .anyoneTurns ? .anyone : .only(leadership.presenter)
    if turning != shared.control.turning {
      if let holder = shared.holder, turning != .anyone, turning != .only(holder) {
        // The server finishes the motion that the holder has begun.
        shared.takeAway(from: holder, now: now, into: &effects)
      }
      shared.control.turning = turning
    }
    tellDelay(into: &effects)
    if let presenter = leadership.presenter, let own = wanderers[presenter],
      own.catchUpLimit == nil, !isOut(presenter)
    {
      catchUp(presenter, now: now, into: &effects)
      told.rolesAreStale = false
    }
    for index in roster.people.indices where roster[index].isHere {
      tellRole(at: index, into: &effects)
    }
    hideForbiddenPointers(now: now, into: &effects)
    planDeadline()
  }

  /// Marks the members that a change of the leadership concerns, including those that are away, and
  /// those that had an offer from a member that left.
  private mutating func noteChanges(since before: Leadership) {
    if before.policy != leadership.policy { roster.noteChanges(of: roster.people.map(\.id)) }
    let some = [before.presenter, before.offered, leadership.presenter, leadership.offered]
    let those = some.compactMap { $0 } + before.asking + leadership.asking
    roster.noteChanges(of: those.filter { leadership.grant(of: $0) != nil })
  }

  private mutating func tellRole(at index: Int, into effects: inout Effects) {
    let id = roster[index].id
    let role = roleEvent(of: roster[index])
    guard let news = roster[index].role.update(role, wanders: wanderers.contains(id)) else {
      return
    }
    if news.isOtherRole { roster.noteChange(of: id) }
    effects.send(to: id) { ServerMessage.role(news.event).encode(into: &$0) }
  }

  /// Sends a message to all members whose page is visible.
  func tell(everybody message: ServerMessage, into effects: inout Effects) {
    let start = effects.messages.bytes.count
    message.encode(into: &effects.messages.bytes)
    let range = start..<effects.messages.bytes.count
    for members in [shared.members] + wanderers.ids.compactMap({ wanderers[$0]?.session.members }) {
      for member in members where member.isVisible {
        effects.messages.append(.send(range, to: member.id))
      }
    }
  }

  /// Sends everything to a member that has joined or rejoined, or whose page is visible again.
  mutating func tellAll(to id: MemberID, now: Double, into effects: inout Effects) {
    guard let index = roster.index(of: id) else { return }
    roster[index].role.forget()
    tellRole(at: index, into: &effects)
    let event = roomEvent
    // A change that is not announced yet may be reverted; this member would then keep the wrong
    // state.
    roster.retellChanged()
    // The only member receives these here, so that they need not be announced to it.
    if roster.count == 1 {
      told.room = event
      roster[index].lastEvent = personEvent(of: roster[index])
    }
    effects.send(to: id) { ServerMessage.room(event).encode(into: &$0) }
    tell(wholeListTo: id, into: &effects)
    if recording.hasPlayed {
      // Also if no recording is open any more: a hidden page was not told that it was closed.
      let playback = playbackEvent(at: now)
      effects.send(to: id) { ServerMessage.playback(playback).encode(into: &$0) }
    }
    if let place = told.place, wanderers.contains(id) {
      effects.send(to: id) { ServerMessage.place(place).encode(into: &$0) }
    }
  }

  private mutating func tellRoom(into effects: inout Effects) {
    let event = roomEvent
    guard event != told.room else { return }
    told.room = event
    tell(everybody: .room(event), into: &effects)
  }

  private func tell(wholeListTo id: MemberID, into effects: inout Effects) {
    let all = roster.people.map { personEvent(of: $0) }
    for start in stride(from: 0, to: max(1, all.count), by: WireLimits.peoplePerMessage) {
      let part = all[start..<min(start + WireLimits.peoplePerMessage, all.count)]
      let event = PeopleEvent(isWhole: start == 0, people: Array(part))
      effects.send(to: id) { ServerMessage.people(event).encode(into: &$0) }
    }
  }

  /// Announces the people that joined, changed or left: soon, and many at once.
  private mutating func tellPeople(now: Double, into effects: inout Effects) {
    guard let indices = roster.beginList(at: now) else { return }
    let events = indices.map { (index: $0, event: personEvent(of: roster[$0])) }
    for message in roster.endList(events) { tell(everybody: .people(message), into: &effects) }
  }
}
