internal import Scene
internal import Staging
internal import Wire

/// A session that plays a recording, and one that begins to be recorded.
extension StageSession {
  /// Plays a recording instead of the stage that the members control.
  mutating func play(
    _ playback: Playback,
    library: ShownLibrary,
    now: Double,
    into effects: inout Effects
  ) {
    notes = false
    var playback = playback
    playback.restart(at: now)
    self.playback = playback
    stage = playback.stage
    present(ShownLibrary(recorded: stage.library, in: library), now: now, into: &effects)
  }

  /// Closes the recording: the stage continues where the recording was, controlled by the members.
  mutating func endPlayback(
    library: ShownLibrary,
    now: Double,
    into effects: inout Effects
  ) {
    guard let playback else { return }
    let way = playback.stage.way(at: playback.stageTime(at: now))
    self.playback = nil
    _ = selection.replace(library, waits: false, at: now)
    let arranged = selection.arranged(keeping: playback.stage.openBook)
    let next = arranged ?? library
    stage = Stage(library: next.layout)
    stage.restore(places: playback.stage.bookPlaces)
    for input in way { stage.apply(input, at: now - Stage.standingSeconds) }
    stage.advance(to: now)
    present(next, now: now, into: &effects)
    guard arranged == nil, selection.replace(library, waits: true, at: now) else { return }
    // The members' order of the books is computed first, and shown when the stage rests.
    refreshLibrary(now: now, into: &effects)
  }

  /// Opens a book at once, as if it had been open for a long time.
  mutating func open(_ book: String, at now: Double) {
    let go = Input.go(book: book, opens: true, page: nil)
    stage.apply(go, at: now - Stage.standingSeconds)
    stage.advance(to: now)
    stream.frame = stage.frame(at: now)
    let key = CaptionKey(stage, selection.arrangement, at: now)
    captions.update(key.caption(of: selection.shown), for: nil)
    followed.spread = stage.spread
    followed.cue = nil
  }

  /// Pauses, continues or seeks the recording, and recalls frames that were sent ahead.
  mutating func steer(
    _ order: PlaybackOrder,
    now: Double,
    into effects: inout Effects
  ) {
    switch order {
    case .play: playback?.play(at: now)
    case .pause: playback?.pause(at: now)
    case .seek(let position): playback?.seek(to: position, at: now)
    case .close: return
    }
    playback?.advance(to: now)
    pacing.isAtRest = false
    showPlayed(now: now, into: &effects)
    emit(at: now, now: now, into: &effects)
    flyPlayback(now: now, into: &effects)
  }

  /// Shows another library at once, with the current stage.
  private mutating func present(
    _ next: ShownLibrary,
    now: Double,
    into effects: inout Effects
  ) {
    selection.present(next)
    refreshElements(into: &effects)
    control.release()
    images.tellAnew()
    captions.outdate()
    followed.spread = stage.spread
    followed.cue = nil
    for index in members.indices {
      watchers[index].view.dropHeld()
    }
    updateCaption(at: now, into: &effects)
    updateZooms(at: now, into: &effects)
    // In a recording, frames that were sent ahead may be later than its next change of library.
    emit(at: !isPlayback ? max(now, stream.time) : now, now: now, into: &effects)
    retireMissing(into: &effects)
    introduceUpcoming(at: now, into: &effects)
    pacing.isAtRest = false
    scheduleWake(now: now)
    if isPlayback { flyPlayback(now: now, into: &effects) }
  }

  // MARK: The flight of a recording

  /// Sends the frames of the recording up to ``Pacing/flownAhead``, because they are known.
  mutating func flyPlayback(now: Double, into effects: inout Effects) {
    guard var playing = playback else { return }
    var times: [TimedFrame] = []
    var time = max(stream.time + Pacing.flownStep, now)
    while time <= now + Pacing.flownAhead, !pacing.isAtRest || isPlayed(playing, by: time) {
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
    send(times, now: now, into: &effects)
    playback?.advance(to: now)
    showPlayed(now: now, into: &effects)
    cut(at: now, into: &effects)
    schedulePlayback(now: now)
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
  private mutating func showPlayed(now: Double, into effects: inout Effects) {
    guard let playback else { return }
    let isOther = playback.library != stage.library
    stage = playback.stage
    if isOther {
      let recorded = ShownLibrary(recorded: stage.library, in: selection.library)
      return present(recorded, now: now, into: &effects)
    }
    updateCaption(at: playback.stageTime(at: now), into: &effects)
    updateZooms(at: now, into: &effects)
  }

  // MARK: Being recorded

  /// Records what brings a new stage to the state of this one, and sets this one to exactly that
  /// state: the recording then has, bit for bit, the frames that members see from now on.
  mutating func noteStanding(at now: Double, into effects: inout Effects) {
    let before = now - Stage.standingSeconds
    effects.list.append(
      .noteOpening(places: stage.bookPlaces, library: stage.outline, room: room, time: before)
    )
    for input in stage.way(at: now) {
      effects.list.append(.noteInput(input, room: room, time: before))
    }
    let seen = stage.frame(at: now)
    stage = stage.standing(at: now)
    lastInputTime = max(lastInputTime, now)
    images.tellAnew()
    if stage.frame(at: now) != seen || stream.wasSentAhead(of: now) {
      emit(at: now, now: now, into: &effects)
    } else {
      effects.list.append(.noteFrame(room: room, time: now))
    }
  }
}
