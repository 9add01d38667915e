internal import Fabric
internal import Notices
internal import Scene
internal import Staging
internal import Wire

/// Recordings of the room, and recordings that are played in it.
extension Room {
  // MARK: Being recorded

  /// Begins or ends a recording of the shared session.
  ///
  /// If that is not possible, the member that requested it receives an explanation.
  mutating func record(_ isOn: Bool, for id: MemberID? = nil, in turn: inout Turn) {
    guard isOn != recording.isRecorded else { return }
    let reason: Notice.Code? =
      shared.isPlayback ? .recordingPlays : recording.notesAll ? .recordsAll : nil
    if let reason {
      if let id { tell(id, Notice(reason), in: &turn) }
      return
    }
    recording.record(isOn)
    guard isOn else {
      shared.notes = recording.notes
      return turn.effects.list.append(.endRecording(room: name, time: turn.now))
    }
    shared.notes = true
    let book = shared.stage.openBook ?? ""
    let title =
      shared.captions.current.title.isEmpty
      ? shared.captions.current.heading : shared.captions.current.title
    turn.effects.list.append(
      .beginRecording(
        room: name,
        title: title,
        book: book,
        library: shared.stage.outline,
        time: turn.now
      )
    )
    shared.noteStanding(in: &turn)
  }

  /// Handles the end of a recording that nobody requested, and sends the reason to the hosts.
  mutating func endRecording(reason: Notice, in turn: inout Turn) {
    guard recording.isRecorded else { return }
    clock = turn.now
    recording.record(false)
    shared.notes = recording.notes
    for person in roster.people where person.isHere && person.grant == .host {
      tell(person.id, reason, in: &turn)
    }
    conclude(in: &turn)
  }

  // MARK: Playing one

  /// Plays a recording in the shared session.
  mutating func play(_ playback: Playback, in turn: inout Turn) {
    clock = turn.now
    record(false, in: &turn)
    shared.play(playback, library: library, in: &turn)
    recording.play(playback.transcript.title)
    announced.rolesAreStale = true
    tellPlayback(in: &turn)
    conclude(in: &turn)
  }

  /// Announces that a recording has played to its end.
  mutating func notePlaybackEnd(in turn: inout Turn) {
    guard recording.announcedPlaying, shared.playback?.isPlaying == false else { return }
    tellPlayback(in: &turn)
  }

  mutating func play(_ order: PlaybackOrder, from id: MemberID, in turn: inout Turn) {
    guard shared.isPlayback else { return }
    guard let person = person(id), Offers(in: self).maySteer(person) else {
      return tell(id, Notice(.holdersOnly), in: &turn)
    }
    switch order {
    case .close:
      shared.endPlayback(library: shown, in: &turn)
      announced.rolesAreStale = true
      tendBook(in: &turn)
    case .play, .pause, .seek: shared.steer(order, in: &turn)
    }
    tellPlayback(in: &turn)
  }

  private mutating func tellPlayback(in turn: inout Turn) {
    recording.announcedPlaying = shared.playback?.isPlaying ?? false
    tell(everybody: .playback(playbackEvent(at: turn.now)), in: &turn)
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
