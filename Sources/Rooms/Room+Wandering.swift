internal import Geometry
internal import Scene
internal import Staging
internal import Wire

/// Who leafs on alone, and comes back.
extension Room {
  /// How long the way back may take, in seconds; then the wanderer is put there.
  static let catchUpSeconds = 3.0

  /// Gives a follower a reading of its own, which begins as what it sees; the inputs are what it
  /// did to the shared book without the right to.
  mutating func wander(
    _ id: MemberID,
    doing inputs: [TimedInput] = [],
    now: Double,
    into effects: inout Effects
  ) {
    guard wanderings[id] == nil, leadership.presenter != id, passage == nil,
      settings.mayWander || person(id)?.grant == .host
    else { return }
    fork(id, now: now, into: &effects)
    wanderings[id]?.makeUp(for: inputs, of: id, now: now, into: &effects)
  }

  /// Gives a member a reading of its own, which begins as what it sees.
  mutating func fork(_ id: MemberID, now: Double, into effects: inout Effects) {
    guard shared.index(of: id) != nil else { return }
    // While it still is one of the others: these are who see its finger.
    hidePointer(of: id, now: now, into: &effects)
    tellNoPointers(to: id, now: now, into: &effects)
    guard var own = shared.fork(id, now: now) else { return }
    if shared.playback != nil {
      own.stand(now: now, into: &effects)
      // A recording may stand on its shelf, where there is no book to stay in.
      own.control.keepsBook = own.control.keepsBook && own.stage.openBook != nil
    }
    wanderings[id] = own
    movedWanderers.insert(id)
    playoutDelay.forget(id)
    hasNewRoles = true
    changed.insert(id)
    lastPlace.map { place in
      effects.send(to: id) { ServerMessage.place(place).encode(into: &$0) }
    }
  }

  /// Lets a wanderer fly to where the others are; there it follows again.
  ///
  /// Who is on its way already is sent to where they are by now, and has no more time for it than
  /// it had.
  mutating func catchUp(_ id: MemberID, now: Double, into effects: inout Effects) {
    guard let index = index(of: id), let own = wanderings[id] else { return }
    let stands = own.stands(where: shared)
    guard people[index].isHere, let book = shared.stage.openBook,
      own.stage.openBook != nil || isOut(id), !stands || !own.hasLanded(at: now)
    else { return rejoin(id, now: now, into: &effects) }
    people[index].catchUpLimit = people[index].catchUpLimit ?? now + Self.catchUpSeconds
    hasNewRoles = true
    guard !stands else { return }
    let page = shared.stage.firstPage
    var inputs = [Input.jump(page: page)]
    if own.stage.openBook != book { inputs = [.go(book: book, opens: true, page: page)] }
    if own.stage.isFlat != shared.stage.isFlat {
      inputs.insert(.lay(LayOrder(isFlat: shared.stage.isFlat)), at: 0)
    }
    let timed = inputs.map { TimedInput(input: $0, time: now) }
    withReading(of: id) { own in
      own.takeAway(from: id, now: now, into: &effects)
      own.makeUp(for: timed, of: id, now: now, into: &effects)
    }
  }

  /// Puts a wanderer back among the others.
  mutating func rejoin(_ id: MemberID, now: Double, into effects: inout Effects) {
    guard let index = index(of: id) else { return }
    keepPlacesElsewhere(of: id)
    guard var own = wanderings.removeValue(forKey: id) else { return }
    leadership.setOut(false, of: id, at: now)
    wanderingWakes[id] = nil
    people[index].catchUpLimit = nil
    people[index].isChoosing = false
    people[index].roleNumber &+= 1
    // Nobody saw where it pointed elsewhere, and nobody shall.
    people[index].pointer = nil
    hasNewRoles = true
    changed.insert(id)
    own.takeAway(from: id, now: now, into: &effects)
    guard var member = own.release(id) else { return }
    member.leaveBehind()
    shared.join(member, now: now, into: &effects)
    tellPointers(to: id, into: &effects)
  }

  /// Puts back whoever has arrived, or was too long on the way.
  mutating func rejoinArrived(now: Double, into effects: inout Effects) {
    for person in people {
      guard let limit = person.catchUpLimit, let own = wanderings[person.id] else { continue }
      guard limit <= now || own.hasLanded(at: now) else { continue }
      rejoin(person.id, now: now, into: &effects)
    }
  }

  /// Tells wanderers where the others are, when that is news.
  mutating func tellPlace(into effects: inout Effects) {
    guard let place = newPlace else { return }
    lastPlace = place
    for id in wanderers
    where session(of: id).isVisible(id) {
      effects.send(to: id) { ServerMessage.place(place).encode(into: &$0) }
    }
  }
}

extension StageSession {
  /// Moves a member to a stage of its own, which goes on from what this one shows.
  /// - Returns: The session of that stage; nil if the member is not here.
  mutating func fork(_ id: MemberID, now: Double) -> StageSession? {
    guard let member = release(id) else { return nil }
    var own = self
    own.members = [member]
    own.reader = id
    own.selection.forgetRequests()
    own.notes = false
    own.control = control.only(id)
    own.delay = 0
    own.images = images.only(id)
    images.remove(id)
    own.lastInputTime = max(lastInputTime, now)
    if let playback {
      own.stage = playback.stage.standing(from: playback.stageTime(at: now), at: now)
      own.playback = nil
    }
    own.abandonGesture()
    return own
  }

  /// Shows the stage as it stands, instead of what was on its way.
  mutating func stand(now: Double, into effects: inout Effects) {
    updateCaption(at: now, into: &effects)
    updateZooms(at: now, into: &effects)
    emit(at: now, now: now, into: &effects)
    scheduleWake(now: now)
  }

  /// Takes out of the stage what somebody else holds.
  private mutating func abandonGesture() {
    guard stage.isDriven else { return }
    stage.apply(.pan(.cancelled, Point(x: 0, y: 0)), at: lastInputTime)
    stage.apply(.pinch(.cancelled, scale: 1, Point(x: 0, y: 0)), at: lastInputTime)
  }

  /// Whether inputs would do anything, were they allowed; what leaves the book only for a member
  /// that may leave it.
  func wouldMove(_ inputs: [TimedInput], mayLeave: Bool) -> Bool {
    // Whoever stops a recording by touching it wants to leaf in the book.
    guard playback == nil else { return true }
    var probe = self
    probe.abandonGesture()
    let before = probe.stage
    for timed in inputs {
      if control.keepsBook, probe.leaves(timed.input, at: timed.time) {
        if mayLeave { return true }
      } else {
        probe.stage.apply(timed.input, at: max(timed.time, probe.lastInputTime))
      }
    }
    return probe.stage != before
  }

  /// Whether the same pages are open in the same pose.
  func stands(where other: StageSession) -> Bool {
    stage.openBook == other.stage.openBook && stage.spread == other.stage.spread
      && stage.isFlat == other.stage.isFlat
  }

  /// Whether the last frame shows the stage at rest and its time has come.
  func hasLanded(at now: Double) -> Bool {
    isAtRest && frameTime <= now && stage.isSettled(at: now)
  }

  /// Whether a member looks.
  func isVisible(_ id: MemberID) -> Bool { index(of: id).map { members[$0].isVisible } ?? false }

  /// Whether a member's page is hidden; that of one who is just coming in is not.
  func isHidden(_ id: MemberID) -> Bool { index(of: id).map { !members[$0].isVisible } ?? false }
}

extension Member {
  /// Forgets what belonged to the reading that it comes from.
  fileprivate mutating func leaveBehind() {
    view.changeStage()
    owesFrame = false
  }
}

extension LayOrder {
  init(isFlat: Bool) { self = isFlat ? .flat : .standing }
}
