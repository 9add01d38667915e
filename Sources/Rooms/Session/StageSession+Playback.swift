internal import Scene
internal import Staging
internal import Wire

/// A session that plays a recording, and one that begins to be recorded.
extension StageSession {
  /// Plays a recording instead of the stage that the members control.
  mutating func play(_ playback: Playback, library: ShownLibrary, in turn: inout Turn) {
    notes = false
    let bookmarks = played?.bookmarks ?? stage.bookmarks
    let played = PlayedRecording(playback, bookmarks: bookmarks, at: turn.now)
    (self.played, stage) = (played, played.playback.stage)
    present(ShownLibrary(recorded: stage.library, in: library), in: &turn)
  }

  /// Closes the recording: the stage continues where the recording was, controlled by the members.
  mutating func endPlayback(library: ShownLibrary, in turn: inout Turn) {
    guard let played else { return }
    self.played = nil
    _ = selection.replace(library, waits: false, at: turn.now)
    let arranged = selection.arranged(keeping: played.playback.stage.openBook)
    let next = arranged ?? library
    stage = played.continued(in: next.layout, at: turn.now)
    // While it played, its bookmarks were not those of the members.
    spreadObserver.forget()
    present(next, in: &turn)
    guard arranged == nil, selection.replace(library, waits: true, at: turn.now) else { return }
    // The members' order of the books is computed first, and shown when the stage rests.
    refreshLibrary(in: &turn)
  }

  /// Opens a book at once, as if it had been open for a long time.
  mutating func open(_ book: String, at now: Double) {
    let go = Input.go(book: book, opens: true, page: nil)
    stage.apply(go, at: now - Stage.standingSeconds)
    stage.advance(to: now)
    stream.frame = stage.frame(at: now)
    let key = CaptionKey(stage, selection.arrangement, at: now)
    captions.update(key.caption(of: selection.shown), for: nil)
    watchers.restart(at: stage.spread, keepsFingers: true)
  }

  /// Pauses, continues or seeks the recording, and recalls frames that were sent ahead.
  mutating func steer(_ order: PlaybackOrder, in turn: inout Turn) {
    played?.steer(order, at: turn.now)
    pacing.isAtRest = false
    showPlayed(in: &turn)
    emit(at: turn.now, in: &turn)
    flyPlayback(in: &turn)
  }

  /// Shows another library at once, with the current stage.
  private mutating func present(_ next: ShownLibrary, in turn: inout Turn) {
    selection.present(next)
    changeStage(in: &turn)
    captions.outdate()
    updateCaption(at: turn.now, in: &turn)
    updateZooms(in: &turn)
    // In a recording, frames that were sent ahead may be later than its next change of library.
    emit(at: !isPlayback ? max(turn.now, stream.time) : turn.now, in: &turn)
    retireMissing(in: &turn)
    introduceUpcoming(at: turn.now, in: &turn)
    pacing.isAtRest = false
    scheduleWake(now: turn.now)
    if isPlayback { flyPlayback(in: &turn) }
  }

  // MARK: The flight of a recording

  /// Sends the frames of the recording up to ``Pacing/flownAhead``, because they are known.
  mutating func flyPlayback(in turn: inout Turn) {
    guard let played else { return }
    let flight = played.flight(
      from: max(stream.time + Pacing.flownStep, turn.now),
      until: turn.now + Pacing.flownAhead,
      isAtRest: pacing.isAtRest,
      on: stage
    )
    stage = flight.stage
    if let last = flight.frames.last { pacing.isAtRest = last.frame.isSettled }
    send(flight.frames, in: &turn)
    self.played?.advance(to: turn.now)
    showPlayed(in: &turn)
    cut(at: turn.now, in: &turn)
    if let played = self.played {
      pacing.wait(until: played.wakeTime(isAtRest: pacing.isAtRest, now: turn.now))
    }
  }

  /// Shows the current state of the recording, and another library if the recording has changed it.
  private mutating func showPlayed(in turn: inout Turn) {
    guard let playback else { return }
    let isOther = playback.library != stage.library
    stage = playback.stage
    if isOther {
      let recorded = ShownLibrary(recorded: stage.library, in: selection.library)
      return present(recorded, in: &turn)
    }
    updateCaption(at: playback.stageTime(at: turn.now), in: &turn)
    updateZooms(in: &turn)
  }

  // MARK: Being recorded

  /// Records what brings a new stage to the state of this one, and sets this one to exactly that
  /// state: the recording then has, bit for bit, the frames that members see from now on.
  mutating func noteStanding(in turn: inout Turn) {
    turn.effects.noteOpening(of: stage, room: room, at: turn.now)
    let seen = stage.frame(at: turn.now)
    stage = stage.standing(at: turn.now)
    lastInputTime = max(lastInputTime, turn.now)
    images.tellAnew()
    if stage.frame(at: turn.now) != seen || stream.wasSentAhead(of: turn.now) {
      emit(at: turn.now, in: &turn)
    } else {
      turn.effects.list.append(.noteFrame(room: room, time: turn.now))
    }
  }
}
