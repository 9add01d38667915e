internal import Fabric
internal import Rates
internal import Scene
internal import Wire

/// What happens without input, and how closely the members keep time.
extension Room {
  /// Continues what happens without input.
  mutating func wake(in turn: inout Turn) {
    clock = turn.now
    let owed = shared.holder.flatMap { shared.owesFrame(to: $0) ? $0 : nil }
    shared.wake(in: &turn)
    if let owed, !shared.owesFrame(to: owed) { showHand(of: owed, in: &turn) }
    for id in wanderers.due(at: turn.now) { withSession(of: id) { $0.wake(in: &turn) } }
    notePlaybackEnd(in: &turn)
    rejoinArrived(in: &turn)
    advanceTransition(in: &turn)
    for id in wanderers.ids { takeBack(id, in: &turn) }
    tendBook(in: &turn)
    if let deadline = leadership.deadline, deadline <= turn.now {
      leadership.advance(to: turn.now)
      announced.rolesAreStale = true
    }
    if let wake = roster.deadline, wake <= turn.now { judgePeople(in: &turn) }
    judgeDelay(in: &turn)
    tellSync(in: &turn)
    conclude(in: &turn)
  }

  /// Records a member's report of how frames reached it.
  ///
  /// The cost does not depend on the number of members.
  mutating func note(_ ack: Ack, ofPersonAt index: Int, in turn: inout Turn) {
    let id = roster[index].id
    turn.effects.list.append(
      .noteAck(lateness: ack.lateness, syncError: ack.syncError, roundTrip: ack.roundTrip)
    )
    timing.note(ack, of: id, hasOthers: roster.count > 1, at: turn.now)
    guard !wanderers.contains(id), id != leadership.presenter else { return }
    timing.note(lateness: ack.lateness, of: id, at: turn.now)
    // A member that sees no motion is not behind, because it receives no frames of the motion.
    guard !shared.watchers.reducesMotion(id) else { return }
    let isLatest = ack.frame == shared.frameNumber
    let seen = shared.stream.time(of: ack.frame) ?? turn.now
    guard roster[index].pace.note(lag: isLatest ? 0 : max(0, turn.now - seen), at: turn.now) else {
      return
    }
    turn.effects.messages.append(.setInterval(roster[index].pace.interval, of: id))
  }

  /// Sends gateways the delay of the followers: how long after its time they show a frame.
  mutating func tellDelay(in turn: inout Turn) {
    guard announced.delay != timing.delay.value else { return }
    announced.delay = timing.delay.value
    turn.effects.messages.append(.setDelay(announced.delay, of: shared.stream.id))
  }

  private mutating func judgeDelay(in turn: inout Turn) {
    guard timing.isDelayDue(at: turn.now),
      let changed = timing.judgeDelay(of: roster.people.map(\.id), at: turn.now)
    else { return }
    tellDelay(in: &turn)
    roster.noteChanges(of: changed)
  }

  /// Sends the presenter and the hosts reports of how closely the others keep time.
  private mutating func tellSync(in turn: inout Turn) {
    guard timing.areReportsDue(at: turn.now) else { return }
    let reports = timing.takeReports(of: roster.people.map(\.id), at: turn.now)
    guard !reports.isEmpty else { return }
    let recipients = roster.people.filter { person in
      person.isHere && (person.grant == .host || person.id == leadership.presenter)
        && isVisible(person.id)
    }
    turn.effects.send(.sync(reports), to: recipients.map(\.id))
  }

  // MARK: Connections

  /// Records that a member's connection accepts no more messages for now.
  mutating func blocked(_ id: MemberID, in turn: inout Turn) {
    guard let index = roster.index(of: id), roster[index].pace.deadline == nil else { return }
    if roster[index].pace.block(at: turn.now), !wanderers.contains(id) {
      turn.effects.messages.append(.setInterval(roster[index].pace.interval, of: id))
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

  private mutating func judgePeople(in turn: inout Turn) {
    for id in roster.deadlines.due(at: turn.now) {
      guard let index = roster.index(of: id) else { continue }
      if let until = roster[index].resumption.awayUntil, until <= turn.now {
        remove(id, in: &turn)
      } else if roster[index].pace.isTooSlow(at: turn.now) {
        close(id, .tooSlow, in: &turn)
        // Sent once; the connection ends later.
        roster[index].pace.unblock()
        roster.planDeadline(at: index)
      }
    }
    planDeadline()
    // A member whose way back has not come to rest is checked again with the next frames.
    if let wake = roster.deadline, wake <= turn.now { roster.deadline = turn.now + 0.05 }
  }

  func close(_ id: MemberID, _ code: CloseCode, in turn: inout Turn) {
    turn.effects.messages.append(.close(id, code: code.rawValue, reason: code.meaning))
  }
}
