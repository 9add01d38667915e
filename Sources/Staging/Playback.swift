package import Scene

/// A recording that can be played, paused and sought, with its own stage.
///
/// It combines two clocks: that of the room that shows it, whose times are called `now`, and the
/// recorded clock of the stage, which stops while the recording is paused. Every event is applied
/// to the stage at exactly its recorded time, so the frame at a recorded time is bit for bit the
/// one that was shown. The state at a position does not depend on how the position was reached.
///
/// ```swift
/// var playback = Playback(transcript, at: now)
/// playback.advance(to: now)
/// let frame = playback.stage.frame(at: playback.stageTime(at: now))
/// ```
package struct Playback: Equatable, Sendable {
  /// The distance between the checkpoints from which seeking starts, in seconds.
  package static let checkpointSeconds = 10.0
  /// The maximum number of checkpoints by time; in a long recording they are farther apart.
  package static let checkpointsMax = 256
  /// The maximum number of events between checkpoints.
  ///
  /// It is greater if a recording has more events than half of ``checkpointsMax`` allow for.
  package static let checkpointEvents = 2048

  /// The recording.
  package let transcript: Transcript
  /// Whether the recording is playing; false once it has ended.
  package private(set) var isPlaying: Bool
  /// The stage at the position to which it was last advanced or sought.
  package private(set) var stage: Stage

  /// The stage after the events so far, before ``stage`` is advanced to the position.
  private var base: Stage
  /// The number of events applied to the stage.
  private var taken = 0
  private let checkpoints: [Checkpoint]
  private let libraries: RecordedLibraries
  /// The number of checkpoints.
  package var checkpointCount: Int { checkpoints.count }
  /// The position in seconds at ``anchorTime`` of the room's clock.
  private var anchor = 0.0
  private var anchorTime: Double

  /// Creates a playback that plays from the beginning.
  ///
  /// The cost is that of applying all events once, so that seeking is cheap. Create long playbacks
  /// outside the service thread, and call ``restart(at:)`` there.
  /// - Parameters:
  ///   - transcript: The recording.
  ///   - numbers: The source of element numbers, which is that of the rooms that show the
  ///     recording.
  ///   - now: The room's clock, in seconds.
  package init(
    _ transcript: Transcript,
    numbers: ElementNumbers = ElementNumbers(),
    at now: Double
  ) {
    self.transcript = transcript
    libraries = RecordedLibraries(of: transcript, numbers: numbers)
    checkpoints = Checkpoint.all(of: transcript, libraries)
    base = checkpoints[0].stage
    stage = base
    anchorTime = now
    isPlaying = transcript.length > 0
    show(0)
  }

  /// The length in seconds.
  package var length: Double { transcript.length }

  /// Returns the position in seconds, 0...``length``.
  package func position(at now: Double) -> Double {
    isPlaying ? min(anchor + max(now - anchorTime, 0), length) : anchor
  }

  /// Returns the time of the stage's clock at a time of the room's clock.
  package func stageTime(at now: Double) -> Double { transcript.beginning + position(at: now) }

  /// Returns whether the recording has ended; it then keeps its last frame.
  package func isOver(at now: Double) -> Bool { position(at: now) >= length }

  /// The time of the next event in the room's clock; nil while paused or after the end.
  ///
  /// The event is a recorded event, a change by the stage itself, or the end.
  package var nextEvent: Double? {
    guard isPlaying else { return nil }
    var next = length
    if taken < transcript.events.count {
      next = min(next, transcript.position(of: transcript.events[taken]))
    }
    if let deadline = stage.deadline { next = min(next, deadline - transcript.beginning) }
    // Despite rounding, a timer must not fire slightly too early and find nothing to do.
    var time = anchorTime + max(next - anchor, 0)
    var step = time.ulp
    while position(at: time) < next {
      time += step
      step *= 2
    }
    return time
  }

  /// Continues to play, from the beginning if it has ended.
  package mutating func play(at now: Double) {
    guard !isPlaying else { return }
    hold(at: anchor >= length ? 0 : anchor, now: now)
    isPlaying = length > 0
  }

  /// Pauses at the present position.
  package mutating func pause(at now: Double) {
    hold(at: position(at: now), now: now)
    isPlaying = false
  }

  /// Seeks to a position, and keeps playing or stays paused.
  ///
  /// The cost is at most that of the events between two checkpoints. A position beyond the ends is
  /// clamped; one that is not a number is ignored.
  package mutating func seek(to position: Double, at now: Double) {
    guard !position.isNaN else { return }
    hold(at: min(max(position, 0), length), now: now)
  }

  /// Plays from the beginning.
  package mutating func restart(at now: Double) {
    hold(at: 0, now: now)
    isPlaying = length > 0
  }

  /// Applies the recorded events up to now.
  package mutating func advance(to now: Double) {
    let position = position(at: now)
    if position >= length { hold(at: length, now: now) } else { show(position) }
  }

  private mutating func hold(at position: Double, now: Double) {
    (anchor, anchorTime) = (position, now)
    if position >= length { isPlaying = false }
    show(position)
  }

  /// Moves the stage to a position, forwards or backwards.
  private mutating func show(_ position: Double) {
    let count = transcript.count(upTo: position)
    if count != taken {
      // The last checkpoint that is not beyond the position is used, unless the stage itself is
      // closer.
      let index = partitionPoint(of: checkpoints.count) { checkpoints[$0].taken <= count }
      let nearest = checkpoints[index - 1]
      if count < taken || nearest.taken > taken { (base, taken) = (nearest.stage, nearest.taken) }
      for index in taken..<count { base.take(transcript.events[index], at: index, libraries) }
      taken = count
    }
    stage = base
    stage.advance(to: transcript.beginning + position)
  }
}

// MARK: - Frames

extension Playback {
  /// Returns the frame at a time of the room's clock.
  ///
  /// Unlike a stage, a recording knows the future: the frame of a later time includes the events up
  /// to then, so frames can be sent well ahead until somebody seeks or pauses.
  package func frame(at now: Double) -> Frame {
    var frame = Frame(screen: stage.screen, isSettled: false, placements: [])
    render(at: now, into: &frame)
    return frame
  }

  /// Renders the frame at a time into an existing frame, whose storage is reused.
  package func render(at now: Double, into frame: inout Frame) {
    let position = position(at: now)
    guard transcript.count(upTo: position) == taken else {
      var later = self
      later.show(position)
      return later.stage.render(at: stageTime(at: now), into: &frame)
    }
    stage.render(at: stageTime(at: now), into: &frame)
  }

  /// The library that the stage shows.
  package var library: LibraryLayout { stage.library }
}

// MARK: - Events

/// A state of the stage from which seeking starts.
private struct Checkpoint: Equatable, Sendable {
  /// The number of events applied to it.
  let taken: Int
  let stage: Stage

  /// Returns the stage before all events, then one checkpoint for each period with events.
  static func all(of transcript: Transcript, _ libraries: RecordedLibraries) -> [Checkpoint] {
    let spacing = max(
      Playback.checkpointSeconds,
      transcript.length / Double(Playback.checkpointsMax - 2)
    )
    // However many events share a time, no seek applies more than one stretch of them.
    let stretch = max(
      Playback.checkpointEvents,
      transcript.events.count / (Playback.checkpointsMax / 2)
    )
    var stage = Stage(library: libraries.first, dragRule: transcript.dragRule)
    var checkpoints = [Checkpoint(taken: 0, stage: stage)]
    // The state at the beginning is a checkpoint, because a recording can be restarted.
    var next = 0.0
    for (index, event) in transcript.events.enumerated() {
      let position = transcript.position(of: event)
      if position >= next || index - (checkpoints.last?.taken ?? 0) >= stretch {
        if index > 0 { checkpoints.append(Checkpoint(taken: index, stage: stage)) }
        if position >= next { next = (position / spacing).rounded(.down) * spacing + spacing }
      }
      stage.take(event, at: index, libraries)
    }
    return checkpoints
  }
}

extension Transcript {
  /// Returns the number of events up to and including a position.
  fileprivate func count(upTo position: Double) -> Int {
    partitionPoint(of: events.count) { self.position(of: events[$0]) <= position }
  }
}

extension Stage {
  /// Applies the event with an index at its recorded time.
  fileprivate mutating func take(
    _ event: Transcript.Event,
    at index: Int,
    _ libraries: RecordedLibraries
  ) {
    switch event.action {
    case .open(let bookmarks, _):
      self = Stage(library: libraries.ofEvents[index] ?? libraries.first, dragRule: dragRule)
      restore(bookmarks: bookmarks)
    case .library:
      if let library = libraries.ofEvents[index] { replace(library: library, at: event.time) }
    case .input(let input): apply(input, at: event.time)
    }
  }
}

/// The libraries of a recording, laid out once, so that seeking lays out nothing.
private struct RecordedLibraries: Equatable, Sendable {
  /// The library at the beginning.
  let first: LibraryLayout
  /// The libraries that replaced it, by the indices of their events.
  let ofEvents: [Int: LibraryLayout]

  init(of transcript: Transcript, numbers: ElementNumbers) {
    let first = LibraryLayout(transcript.outline, numbers: numbers)
    var (last, lastOutline) = (first, transcript.outline)
    var ofEvents: [Int: LibraryLayout] = [:]
    for (index, event) in transcript.events.enumerated() {
      let outline: LibraryOutline? =
        switch event.action {
        case .open(_, let library): library
        case .library(let library): library
        case .input: nil
        }
      guard let outline else { continue }
      if outline != lastOutline {
        (last, lastOutline) = (LibraryLayout(outline, numbers: numbers), outline)
      }
      ofEvents[index] = last
    }
    (self.first, self.ofEvents) = (first, ofEvents)
  }
}

/// Returns the number of leading indices that satisfy a condition that no later one satisfies.
private func partitionPoint(of count: Int, where holds: (Int) -> Bool) -> Int {
  var (low, high) = (0, count)
  while low < high {
    let middle = (low + high) / 2
    if holds(middle) { low = middle + 1 } else { high = middle }
  }
  return low
}
