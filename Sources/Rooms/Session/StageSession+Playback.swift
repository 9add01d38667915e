internal import Scene
internal import Staging
internal import Wire

/// A session that plays a recording, and one that begins to be recorded.
extension StageSession {
  /// Plays a recording instead of the stage that the members control.
  mutating func play(_ playback: Playback, library: ShownLibrary, in turn: inout Turn) {
    notes = false
    var playback = playback
    playback.restart(at: turn.now)
    self.playback = playback
    stage = playback.stage
    present(ShownLibrary(recorded: stage.library, in: library), in: &turn)
  }

  /// Closes the recording: the stage continues where the recording was, controlled by the members.
  mutating func endPlayback(library: ShownLibrary, in turn: inout Turn) {
    guard let playback else { return }
    let way = playback.stage.way(at: playback.stageTime(at: turn.now))
    self.playback = nil
    _ = selection.replace(library, waits: false, at: turn.now)
    let arranged = selection.arranged(keeping: playback.stage.openBook)
    let next = arranged ?? library
    stage = Stage(library: next.layout)
    stage.restore(bookmarks: playback.stage.bookmarks)
    for input in way { stage.apply(input, at: turn.now - Stage.standingSeconds) }
    stage.advance(to: turn.now)
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
    watchers.restart(at: stage.spread)
  }

  /// Pauses, continues or seeks the recording, and recalls frames that were sent ahead.
  mutating func steer(_ order: PlaybackOrder, in turn: inout Turn) {
    switch order {
    case .play: playback?.play(at: turn.now)
    case .pause: playback?.pause(at: turn.now)
    case .seek(let position): playback?.seek(to: position, at: turn.now)
    case .close: return
    }
    playback?.advance(to: turn.now)
    pacing.isAtRest = false
    showPlayed(in: &turn)
    emit(at: turn.now, in: &turn)
    flyPlayback(in: &turn)
  }

  /// Shows another library at once, with the current stage.
  private mutating func present(_ next: ShownLibrary, in turn: inout Turn) {
    selection.present(next)
    refreshElements(in: &turn)
    control.release()
    images.tellAnew()
    captions.outdate()
    watchers.restart(at: stage.spread)
    for index in members.indices { watchers[index].view.dropHeld() }
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
    guard var playing = playback else { return }
    var times: [TimedFrame] = []
    var time = max(stream.time + Pacing.flownStep, turn.now)
    while time <= turn.now + Pacing.flownAhead, !pacing.isAtRest || isPlayed(playing, by: time) {
      playing.advance(to: time)
      if playing.library != stage.library {
        // A library that changes in the recording has other elements; its frames are sent later.
        break
      }
      let frame = settled(playing.frame(at: time), playing)
      stage = playing.stage
      pacing.isAtRest = frame.isSettled
      times.append(TimedFrame(time: time, frame: frame))
      time += Pacing.flownStep
    }
    send(times, in: &turn)
    playback?.advance(to: turn.now)
    showPlayed(in: &turn)
    cut(at: turn.now, in: &turn)
    schedulePlayback(now: turn.now)
  }

  /// Returns the frame of the recording at a given time, or the last one before another library
  /// replaces the one that is shown: the new elements are introduced when their time has come.
  func playedFrame(_ playback: Playback, at time: Double) -> Frame {
    var later = playback
    later.advance(to: time)
    guard later.library == stage.library else {
      var frame = stage.frame(at: playback.stageTime(at: time))
      frame.isSettled = false
      return frame
    }
    return settled(later.frame(at: time), later)
  }

  /// Whether the recording has an event up to a given time that the stage has not applied yet.
  private func isPlayed(_ playing: Playback, by time: Double) -> Bool {
    playing.nextEvent.map { $0 <= time } ?? false
  }

  /// Returns the frame as one at rest if the recording is paused, even in the middle of a motion.
  func settled(_ frame: Frame, _ playing: Playback) -> Frame {
    guard !playing.isPlaying else { return frame }
    var frame = frame
    frame.isSettled = true
    return frame
  }

  private mutating func schedulePlayback(now: Double) {
    guard let playback else { return }
    let next = playback.nextEvent.map { max($0 - Pacing.flownAhead / 2, now + 0.01) } ?? .infinity
    let wake = pacing.isAtRest ? next : min(next, now + Pacing.flownEvery)
    pacing.wait(until: wake)
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
    let before = turn.now - Stage.standingSeconds
    turn.effects.list.append(
      .noteOpening(bookmarks: stage.bookmarks, library: stage.outline, room: room, time: before)
    )
    for input in stage.way(at: turn.now) {
      turn.effects.list.append(.noteInput(input, room: room, time: before))
    }
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
