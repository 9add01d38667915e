internal import Fabric
internal import Scene
internal import Staging
internal import Wire

/// Recordings of the room, and recordings that are played in it.
extension Room {
  // MARK: Being recorded

  /// Begins or ends a recording of the shared session.
  ///
  /// If that is not possible, the member that requested it receives an explanation.
  mutating func record(
    _ isOn: Bool,
    for id: MemberID? = nil,
    now: Double,
    into effects: inout Effects
  ) {
    guard isOn != recording.isRecorded else { return }
    let reason: String? =
      if shared.isPlayback {
        Answers.recordingPlays
      } else if recording.notesAll {
        Answers.recordsAll
      } else { nil }
    if let reason {
      if let id { tell(id, reason, into: &effects) }
      return
    }
    recording.record(isOn)
    guard isOn else {
      shared.notes = recording.notes
      return effects.list.append(.endRecording(room: name, time: now))
    }
    shared.notes = true
    let book = shared.stage.openBook ?? ""
    let title = shared.caption.title.isEmpty ? shared.caption.heading : shared.caption.title
    effects.list.append(
      .beginRecording(
        room: name,
        title: title,
        book: book,
        library: shared.stage.outline,
        time: now
      )
    )
    shared.noteStanding(at: now, into: &effects)
  }

  /// Handles the end of a recording that nobody requested, and sends the reason to the hosts.
  mutating func endRecording(reason: String, now: Double, into effects: inout Effects) {
    guard recording.isRecorded else { return }
    clock = now
    recording.record(false)
    shared.notes = recording.notes
    for person in roster.people where person.isHere && person.grant == .host {
      tell(person.id, Answers.recordingEnded(reason), into: &effects)
    }
    conclude(now: now, into: &effects)
  }

  // MARK: Playing one

  /// Plays a recording in the shared session.
  mutating func play(_ playback: Playback, now: Double, into effects: inout Effects) {
    clock = now
    record(false, now: now, into: &effects)
    shared.play(playback, library: library, now: now, into: &effects)
    recording.play(playback.transcript.title)
    told.rolesAreStale = true
    tellPlayback(at: now, into: &effects)
    conclude(now: now, into: &effects)
  }

  /// Announces that a recording has played to its end.
  mutating func notePlaybackEnd(now: Double, into effects: inout Effects) {
    guard recording.toldPlaying, shared.playback?.isPlaying == false else { return }
    tellPlayback(at: now, into: &effects)
  }

  mutating func play(
    _ order: PlaybackOrder,
    from id: MemberID,
    now: Double,
    into effects: inout Effects
  ) {
    guard shared.isPlayback else { return }
    guard maySteer(id) else {
      return tell(id, Answers.holdersOnly, into: &effects)
    }
    switch order {
    case .close:
      shared.endPlayback(library: shown, now: now, into: &effects)
      told.rolesAreStale = true
      tendBook(now: now, into: &effects)
    case .play, .pause, .seek: shared.steer(order, now: now, into: &effects)
    }
    tellPlayback(at: now, into: &effects)
  }

  private mutating func tellPlayback(at now: Double, into effects: inout Effects) {
    recording.toldPlaying = shared.playback?.isPlaying ?? false
    tell(everybody: .playback(playbackEvent(at: now)), into: &effects)
  }

  func playbackEvent(at now: Double) -> PlaybackEvent? {
    guard let playback = shared.playback else { return nil }
    return PlaybackEvent(
      isPlaying: playback.isPlaying,
      time: now,
      position: playback.position(at: now),
      length: playback.length,
      title: recording.title
    )
  }
}
