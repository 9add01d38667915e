internal import Scene
internal import Staging
internal import Wire

/// A recording that a session shows in place of its members' stage, and what these return to.
struct PlayedRecording: Sendable {
  private var boxed: Boxed<Playback>
  /// Where the members had left their books when the recording began.
  let bookmarks: [Bookmark]

  /// Plays a recording from its beginning.
  init(_ playback: Playback, bookmarks: [Bookmark], at now: Double) {
    var playback = playback
    playback.restart(at: now)
    (boxed, self.bookmarks) = (Boxed(playback), bookmarks)
  }

  /// The recording at the position to which it was last advanced.
  private(set) var playback: Playback {
    _read { yield boxed.value }
    _modify { yield &boxed.value }
  }

  /// Pauses, continues or seeks the recording.
  mutating func steer(_ order: PlaybackOrder, at now: Double) {
    switch order {
    case .play: playback.play(at: now)
    case .pause: playback.pause(at: now)
    case .seek(let position): playback.seek(to: position, at: now)
    case .close: break
    }
    playback.advance(to: now)
  }

  /// Applies the recorded events up to now.
  mutating func advance(to now: Double) { playback.advance(to: now) }
}

// MARK: - Frames

extension PlayedRecording {
  /// Returns the frame of the recording at a given time, or the last one before another library
  /// replaces the one that is shown: the new elements are introduced when their time has come.
  func frame(at time: Double, on shown: Stage) -> Frame {
    var later = playback
    later.advance(to: time)
    guard later.library == shown.library else {
      var frame = shown.frame(at: playback.stageTime(at: time))
      frame.isSettled = false
      return frame
    }
    return Self.frame(of: later, at: time)
  }

  /// Returns the frames of a time, because they are known, and the stage after the last of them.
  /// - Parameters:
  ///   - start: The time of the first frame, in seconds.
  ///   - end: The time after which the flight continues later.
  ///   - isAtRest: Whether the frame before the first one is at rest.
  ///   - shown: The stage that is shown; a library that changes in the recording has other
  ///     elements, so its frames are sent later.
  /// - Returns: The frames up to the first one at rest, and the stage.
  func flight(
    from start: Double,
    until end: Double,
    isAtRest: Bool,
    on shown: Stage
  ) -> (frames: [TimedFrame], stage: Stage) {
    var (playing, stage, isAtRest) = (playback, shown, isAtRest)
    var frames: [TimedFrame] = []
    var time = start
    while time <= end, !isAtRest || playing.nextEvent.map({ $0 <= time }) ?? false {
      playing.advance(to: time)
      guard playing.library == stage.library else { break }
      let frame = Self.frame(of: playing, at: time)
      stage = playing.stage
      isAtRest = frame.isSettled
      frames.append(TimedFrame(time: time, frame: frame))
      time += Pacing.flownStep
    }
    return (frames, stage)
  }

  /// Returns the time of the next flight; +infinity if nothing happens any more.
  func wakeTime(isAtRest: Bool, now: Double) -> Double {
    let next = playback.nextEvent.map { max($0 - Pacing.flownAhead / 2, now + 0.01) } ?? .infinity
    return isAtRest ? next : min(next, now + Pacing.flownEvery)
  }

  /// Returns the frame of a recording, as one at rest if it is paused, even in the middle of a
  /// motion.
  private static func frame(of playing: Playback, at time: Double) -> Frame {
    var frame = playing.frame(at: time)
    if !playing.isPlaying { frame.isSettled = true }
    return frame
  }
}

// MARK: - What follows

extension PlayedRecording {
  /// Returns the stage of one member that continues alone from what the recording shows.
  func standing(at now: Double) -> Stage { continued(in: playback.library, at: now) }

  /// Returns a stage of a library, at rest where the recording is.
  ///
  /// All books are where the members had left them, except the one that the recording has open:
  /// there they continue where the recording is.
  func continued(in library: LibraryLayout, at now: Double) -> Stage {
    let open = playback.stage.openBook
    var stage = Stage(library: library)
    stage.restore(bookmarks: bookmarks.filter { $0.book != open })
    stage.restore(bookmarks: playback.stage.bookmarks.filter { $0.book == open })
    for input in playback.stage.way(at: playback.stageTime(at: now)) {
      stage.apply(input, at: now - Stage.standingSeconds)
    }
    stage.advance(to: now)
    return stage
  }
}
