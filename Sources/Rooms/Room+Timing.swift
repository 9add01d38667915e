internal import Fabric
internal import Scene
internal import Wire

/// What happens by itself, and how well the members keep time.
extension Room {
  /// Continues what goes on by itself.
  mutating func wake(now: Double, into effects: inout Effects) {
    clock = now
    shared.wake(now: now, into: &effects)
    for id in dueWanderers(at: now) {
      withReading(of: id) { $0.wake(now: now, into: &effects) }
    }
    notePlaybackEnd(now: now, into: &effects)
    rejoinArrived(now: now, into: &effects)
    advancePassage(now: now, into: &effects)
    for id in wanderers { takeBack(id, now: now, into: &effects) }
    tendBook(now: now, into: &effects)
    if let deadline = leadership.deadline, deadline <= now {
      leadership.advance(to: now)
      hasNewRoles = true
    }
    if let wake = personWake, wake <= now { judgePeople(now: now, into: &effects) }
    if let wake = delayWake, wake <= now { judgeDelay(now: now, into: &effects) }
    if let wake = syncWake, wake <= now { tellSync(now: now, into: &effects) }
    settle(now: now, into: &effects)
  }

  /// Hears how frames came to a member.
  mutating func hear(
    _ ack: Ack,
    from id: MemberID,
    now: Double,
    into effects: inout Effects
  ) {
    guard let index = index(of: id) else { return }
    effects.list.append(
      .noteAck(lateness: ack.lateness, syncError: ack.syncError, roundTrip: ack.roundTrip)
    )
    people[index].sync = SyncEvent(
      member: id.rawValue,
      error: ack.syncError,
      roundTrip: ack.roundTrip
    )
    people[index].isSyncNew = true
    if syncWake == nil, people.count > 1 { syncWake = max(now, syncTime + Self.syncEvery) }
    guard wanderings[id] == nil, id != leadership.presenter else { return }
    playoutDelay.note(lateness: ack.lateness, of: id, at: now)
    if delayWake == nil { delayWake = playoutDelay.deadline }
    // A member that sees no motion is not behind because it sees none of it.
    guard !shared.reducesMotion(id) else { return }
    let isLatest = ack.frame == shared.frameNumber
    let seen = shared.stream.time(of: ack.frame) ?? now
    guard people[index].pace.note(lag: isLatest ? 0 : max(0, now - seen), at: now) else { return }
    effects.messages.append(.setInterval(people[index].pace.interval, of: id))
  }

  /// Tells gateways how long after its time followers show a frame.
  mutating func tellDelay(into effects: inout Effects) {
    guard toldDelay != playoutDelay.value else { return }
    toldDelay = playoutDelay.value
    effects.messages.append(.setDelay(toldDelay, of: shared.stream.id))
  }

  private mutating func judgeDelay(now: Double, into effects: inout Effects) {
    delayWake = nil
    let lagging = Set(people.map(\.id).filter { playoutDelay.lags($0) })
    guard playoutDelay.advance(to: now) else { return }
    tellDelay(into: &effects)
    let lag = Set(people.map(\.id).filter { playoutDelay.lags($0) })
    changed.formUnion(lagging.symmetricDifference(lag))
  }

  /// Tells who leads, and hosts, how well the others keep time.
  private mutating func tellSync(now: Double, into effects: inout Effects) {
    syncWake = nil
    syncTime = now
    var news: [SyncEvent] = []
    for index in people.indices where people[index].isSyncNew {
      people[index].isSyncNew = false
      if let sync = people[index].sync { news.append(sync) }
    }
    guard !news.isEmpty else { return }
    for person in people where person.isHere {
      guard person.grant == .host || person.id == leadership.presenter,
        session(of: person.id).isVisible(person.id)
      else { continue }
      effects.send(to: person.id) { ServerMessage.sync(news).encode(into: &$0) }
    }
  }

  // MARK: Connections

  /// A member's connection takes no more messages for now.
  mutating func blocked(_ id: MemberID, now: Double, into effects: inout Effects) {
    guard let index = index(of: id), people[index].pace.deadline == nil else { return }
    if people[index].pace.block(at: now), wanderings[id] == nil {
      effects.messages.append(.setInterval(people[index].pace.interval, of: id))
    }
    notePersonWake()
  }

  /// A member's connection takes messages again.
  mutating func unblocked(_ id: MemberID) {
    if let index = index(of: id) { people[index].pace.unblock() }
  }

  /// Notes when the next person's time is up.
  mutating func notePersonWake() {
    var next = Double.infinity
    for person in people {
      if let until = person.awayUntil { next = min(next, until) }
      if let deadline = person.pace.deadline { next = min(next, deadline) }
      if let limit = person.catchUpLimit {
        // The last frame of the way back is known; the member is among the others when it is seen.
        let own = wanderings[person.id]
        next = min(next, own.map { $0.pacing.isAtRest ? min($0.stream.time, limit) : limit } ?? limit)
      }
    }
    personWake = next.isFinite ? next : nil
  }

  private mutating func judgePeople(now: Double, into effects: inout Effects) {
    for person in people {
      if let until = person.awayUntil, until <= now {
        remove(person.id, now: now, into: &effects)
      } else if person.pace.isTooSlow(at: now) {
        close(person.id, .tooSlow, into: &effects)
        // Said once; the line's end comes later.
        if let index = index(of: person.id) { people[index].pace.unblock() }
      }
    }
    notePersonWake()
    // A way back that has not come to rest is looked at again with the next frames.
    if let wake = personWake, wake <= now { personWake = now + 0.05 }
  }

  func close(_ id: MemberID, _ code: CloseCode, into effects: inout Effects) {
    effects.messages.append(.close(id, code: code.rawValue, reason: code.meaning))
  }
}
