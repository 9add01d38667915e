internal import Fabric
internal import Motion
internal import Scene
internal import Staging
internal import Wire

/// A session that one member takes along, and comparisons between sessions.
extension StageSession {
  /// Moves a member to a session of its own, which continues from what this one shows.
  /// - Returns: The new session; nil if the member is not here.
  mutating func fork(_ id: MemberID, now: Double) -> StageSession? {
    guard let member = release(id) else { return nil }
    var own = self
    own.watchers.removeAll()
    own.watchers.add(member)
    own.stream.id = StreamID(room: room, wanderer: id)
    own.selection.forgetRequests()
    own.notes = false
    own.control = control.only(id)
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

  /// Shows the stage in its current state, and recalls frames that were sent ahead.
  mutating func stand(in turn: inout Turn) {
    updateCaption(at: turn.now, in: &turn)
    updateZooms(in: &turn)
    emit(at: turn.now, in: &turn)
    scheduleWake(now: turn.now)
  }

  /// Releases what another member holds.
  private mutating func abandonGesture() {
    guard stage.isDriven else { return }
    stage.apply(.pan(.cancelled, Point(x: 0, y: 0)), at: lastInputTime)
    stage.apply(.pinch(.cancelled, scale: 1, Point(x: 0, y: 0)), at: lastInputTime)
  }

  /// Whether inputs would move anything if they were allowed; an input that leaves the book counts
  /// only for a member that may leave it.
  func wouldMove(_ inputs: [TimedInput], mayLeave: Bool) -> Bool {
    // A member that touches a recording that is played wants to turn pages in the book.
    guard !isPlayback else { return true }
    var probe = self
    probe.abandonGesture()
    var before = probe.stage
    for timed in inputs {
      if control.keepsBook, probe.leaves(timed.input, at: timed.time) {
        if mayLeave { return true }
      } else {
        probe.stage.apply(timed.input, at: max(timed.time, probe.lastInputTime))
      }
    }
    // That a book shows its end to a member is no reason to read alone.
    probe.stage.forgetEnd()
    before.forgetEnd()
    return probe.stage != before
  }

  /// Whether the same pages are open in the same pose.
  func stands(where other: StageSession) -> Bool {
    stage.openBook == other.stage.openBook && stage.spread == other.stage.spread
      && stage.isFlat == other.stage.isFlat
  }

  /// Whether the last frame shows the stage at rest and its time has come.
  func hasLanded(at now: Double) -> Bool {
    pacing.isAtRest && stream.time <= now && stage.isSettled(at: now)
  }

  /// Whether a member is here and its page is visible.
  func isVisible(_ id: MemberID) -> Bool { index(of: id).map { members[$0].isVisible } ?? false }

  /// Whether a member's page is hidden; the page of a member that is just joining is not.
  func isHidden(_ id: MemberID) -> Bool { index(of: id).map { !members[$0].isVisible } ?? false }
}

extension LayOrder {
  init(isFlat: Bool) { self = isFlat ? .flat : .standing }
}

/// A session that stays in its book, and one that may leave it.
extension StageSession {
  /// Whether an input would take the stage out of its book.
  func leaves(_ input: Input, at time: Double) -> Bool {
    switch input {
    case .images: return false
    case .go(let book, let opens, _): return !opens || book != stage.openBook
    case .key(.escape), .pinch, .wheel(_, _, true): break
    // The start and the middle of a pull past the end only pull.
    case .pan(.ended, _), .key, .tap, .wheel:
      guard stage.mayCloseAtEnd else { return stage.openBook == nil }
    default: return stage.openBook == nil
    }
    return !applied(input, at: time).staysOpen
  }

  /// Returns the stage after an input.
  private func applied(_ input: Input, at time: Double) -> Stage {
    var probe = stage
    let time = max(time, lastInputTime)
    if settlesBeforeInput(at: time) { probe.apply(.settle, at: time) }
    probe.apply(input, at: time)
    return probe
  }

  /// Returns an input that leaves the book as another stage of the book takes it.
  ///
  /// What a turn past the end does depends on those before it, which the other stage does not know.
  func carried(_ input: Input, at time: Double) -> Input {
    guard stage.openBook != nil else { return input }
    switch input {
    case .key(.escape), .wheel(_, _, true): return input
    case .pan, .key, .tap, .wheel: return .close(onBack: applied(input, at: time).closesOnBack)
    default: return input
    }
  }

  /// Releases what a member holds while its fingers stay down; the stage no longer waits for the
  /// images of that member.
  mutating func letGo(of id: MemberID, in turn: inout Turn) {
    guard holder == id else { return }
    var inputs: [Input] = []
    if stage.isDriven {
      inputs = [
        .pan(.cancelled, Point(x: 0, y: 0)), .pinch(.cancelled, scale: 1, Point(x: 0, y: 0)),
      ]
    }
    if stage.awaitedImages != nil { inputs.append(.images(ready: nil)) }
    for input in inputs { go(input, in: &turn) }
  }

  /// Applies an input that does not come from a member.
  mutating func go(_ input: Input, in turn: inout Turn) {
    let changed = apply(input, at: max(turn.now, lastInputTime), in: &turn)
    answer(changed: changed, target: turn.now, in: &turn)
  }

  /// Extends the session from its book to more of the library; gestures of fingers that are down
  /// continue.
  mutating func widen(to library: ShownLibrary, in turn: inout Turn) {
    control.keepsBook = false
    exchange(library: library, keepsFingers: true, in: &turn)
  }
}
