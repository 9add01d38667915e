internal import Fabric
internal import Scene
internal import Wire

/// What happens without input, and how closely the members keep time.
extension Room {
  /// Continues what happens without input.
  mutating func wake(now: Double, into effects: inout Effects) {
    clock = now
    let owed = shared.holder.flatMap { shared.owesFrame(to: $0) ? $0 : nil }
    shared.wake(now: now, into: &effects)
    if let owed, !shared.owesFrame(to: owed) { showHand(of: owed, now: now, into: &effects) }
    for id in wanderers.due(at: now) {
      withSession(of: id) { $0.wake(now: now, into: &effects) }
    }
    notePlaybackEnd(now: now, into: &effects)
    rejoinArrived(now: now, into: &effects)
    advancePassage(now: now, into: &effects)
    for id in wanderers.ids { takeBack(id, now: now, into: &effects) }
    tendBook(now: now, into: &effects)
    if let deadline = leadership.deadline, deadline <= now {
      leadership.advance(to: now)
      told.rolesAreStale = true
    }
    if let wake = roster.deadline, wake <= now { judgePeople(now: now, into: &effects) }
    judgeDelay(now: now, into: &effects)
    tellSync(now: now, into: &effects)
    conclude(now: now, into: &effects)
  }

  /// Records a member's report of how frames reached it.
  ///
  /// The cost does not depend on the number of members.
  mutating func note(
    _ ack: Ack,
    ofPersonAt index: Int,
    now: Double,
    into effects: inout Effects
  ) {
    let id = roster[index].id
    effects.list.append(
      .noteAck(lateness: ack.lateness, syncError: ack.syncError, roundTrip: ack.roundTrip)
    )
    timing.note(ack, of: id, hasOthers: roster.count > 1, at: now)
    guard !wanderers.contains(id), id != leadership.presenter else { return }
    timing.note(lateness: ack.lateness, of: id, at: now)
    // A member that sees no motion is not behind, because it receives no frames of the motion.
    guard !shared.reducesMotion(id) else { return }
    let isLatest = ack.frame == shared.frameNumber
    let seen = shared.stream.time(of: ack.frame) ?? now
    guard roster[index].pace.note(lag: isLatest ? 0 : max(0, now - seen), at: now) else { return }
    effects.messages.append(.setInterval(roster[index].pace.interval, of: id))
  }

  /// Sends gateways the delay of the followers: how long after its time they show a frame.
  mutating func tellDelay(into effects: inout Effects) {
    guard told.delay != timing.delay.value else { return }
    told.delay = timing.delay.value
    effects.messages.append(.setDelay(told.delay, of: shared.stream.id))
  }

  private mutating func judgeDelay(now: Double, into effects: inout Effects) {
    guard timing.isDelayDue(at: now),
      let changed = timing.judgeDelay(of: roster.people.map(\.id), at: now)
    else { return }
    tellDelay(into: &effects)
    roster.noteChanges(of: changed)
  }

  /// Sends the presenter and the hosts reports of how closely the others keep time.
  private mutating func tellSync(now: Double, into effects: inout Effects) {
    guard timing.areReportsDue(at: now) else { return }
    let reports = timing.takeReports(of: roster.people.map(\.id), at: now)
    guard !reports.isEmpty else { return }
    let place = effects.messages.bytes.count
    ServerMessage.sync(reports).encode(into: &effects.messages.bytes)
    let range = place..<effects.messages.bytes.count
    for person in roster.people where person.isHere {
      guard person.grant == .host || person.id == leadership.presenter,
        isVisible(person.id)
      else { continue }
      effects.messages.append(.send(range, to: person.id))
    }
  }

  // MARK: Connections

  /// Records that a member's connection accepts no more messages for now.
  mutating func blocked(_ id: MemberID, now: Double, into effects: inout Effects) {
    guard let index = roster.index(of: id), roster[index].pace.deadline == nil else { return }
    if roster[index].pace.block(at: now), !wanderers.contains(id) {
      effects.messages.append(.setInterval(roster[index].pace.interval, of: id))
    }
    roster.planDeadline(at: index)
    planDeadline()
  }

  /// Records that a member's connection accepts messages again.
  mutating func unblocked(_ id: MemberID) {
    guard let index = roster.index(of: id) else { return }
    roster[index].pace.unblock()
    roster.planDeadline(at: index)
  }

  /// Schedules the next deadline of a person.
  mutating func planDeadline() {
    var next = roster.deadlines.soonest ?? .infinity
    for id in wanderers.returningIDs {
      guard let wanderer = wanderers[id], let limit = wanderer.catchUpLimit else { continue }
      // The last frame of the way back is known; the member rejoins the others when it has been
      // shown.
      let own = wanderer.session
      next = min(next, own.pacing.isAtRest ? min(own.stream.time, limit) : limit)
    }
    roster.deadline = next.isFinite ? next : nil
  }

  private mutating func judgePeople(now: Double, into effects: inout Effects) {
    for id in roster.deadlines.due(at: now) {
      guard let index = roster.index(of: id) else { continue }
      if let until = roster[index].resumption.awayUntil, until <= now {
        remove(id, now: now, into: &effects)
      } else if roster[index].pace.isTooSlow(at: now) {
        close(id, .tooSlow, into: &effects)
        // Sent once; the connection ends later.
        roster[index].pace.unblock()
        roster.planDeadline(at: index)
      }
    }
    planDeadline()
    // A member whose way back has not come to rest is checked again with the next frames.
    if let wake = roster.deadline, wake <= now { roster.deadline = now + 0.05 }
  }

  func close(_ id: MemberID, _ code: CloseCode, into effects: inout Effects) {
    effects.messages.append(.close(id, code: code.rawValue, reason: code.meaning))
  }
}
