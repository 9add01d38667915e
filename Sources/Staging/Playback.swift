public import Scene

/// A recorded reading that goes on, stands still and is wound, on a stage of its own.
///
/// Two clocks meet here: that of the room which shows it, whose instants are called `now`, and the
/// stage's own, which is the recorded one and stands still with the recording. Every event is given
/// to the stage at exactly its recorded time, so that a frame of a recorded instant is, bit for
/// bit, the one that was shown; and what the stage is at a position does not depend on the way
/// there.
///
/// ```swift
/// var playback = Playback(transcript, at: now)
/// playback.advance(to: now)
/// let frame = playback.stage.frame(at: playback.stageTime(at: now))
/// ```
public struct Playback: Equatable, Sendable {
  /// How far apart the stages are that winding starts from, in seconds.
  public static let checkpointSeconds = 10.0
  /// How many of them there are at most for their distance; those of a long recording are farther
  /// apart.
  public static let checkpointsMax = 256
  /// How many events lie between two of them at most; more in a recording of so many events that
  /// half of ``checkpointsMax`` are not enough for that.
  public static let checkpointEvents = 2048

  /// What is played.
  public let transcript: Transcript
  /// Whether it goes on; false from the end on.
  public private(set) var isPlaying: Bool
  /// The stage as it stands at the position that was last advanced or wound to.
  public private(set) var stage: Stage

  /// The stage after each event so far and nothing else; ``stage`` is this, advanced.
  private var base: Stage
  /// How many events the stage has been given.
  private var taken = 0
  private let checkpoints: [Checkpoint]
  private let libraries: RecordedLibraries
  /// How many stages there are that winding starts from.
  package var checkpointCount: Int { checkpoints.count }
  /// Where it was, in seconds from the beginning, at ``anchorTime`` of the room's clock.
  private var anchor = 0.0
  private var anchorTime: Double

  /// Begins to play at the beginning.
  ///
  /// Costs as much as all its events together, so that winding costs little: what may be long is
  /// made off the service thread, and begins with ``restart(at:)`` there.
  /// - Parameters:
  ///   - transcript: What is played.
  ///   - numbers: What gives numbers to its elements: those of the rooms that show it.
  ///   - now: The room's clock, in seconds.
  public init(
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

  /// How long it is, in seconds.
  public var length: Double { transcript.length }

  /// Where it is, in seconds from the beginning: 0...``length``.
  public func position(at now: Double) -> Double {
    isPlaying ? min(anchor + max(now - anchorTime, 0), length) : anchor
  }

  /// The instant of the stage's own clock that is seen at an instant of the room's.
  public func stageTime(at now: Double) -> Double { transcript.beginning + position(at: now) }

  /// Whether nothing more comes; it then holds its last frame.
  public func isOver(at now: Double) -> Bool { position(at: now) >= length }

  /// When something happens next, in the room's clock; nil when it stands still or is over.
  ///
  /// That is a recorded event, what the stage does by itself, or the end.
  public var nextEvent: Double? {
    guard isPlaying else { return nil }
    var next = length
    if taken < transcript.events.count {
      next = min(next, transcript.position(of: transcript.events[taken]))
    }
    if let deadline = stage.deadline { next = min(next, deadline - transcript.beginning) }
    // Rounding must not wake anybody a moment too early, who would find nothing to do.
    var time = anchorTime + max(next - anchor, 0)
    var step = time.ulp
    while position(at: time) < next {
      time += step
      step *= 2
    }
    return time
  }

  /// Goes on; from the beginning, if it is over.
  public mutating func play(at now: Double) {
    guard !isPlaying else { return }
    hold(at: anchor >= length ? 0 : anchor, now: now)
    isPlaying = length > 0
  }

  /// Stands still.
  public mutating func pause(at now: Double) {
    hold(at: position(at: now), now: now)
    isPlaying = false
  }

  /// Goes to a position, and goes on from there if it did before.
  ///
  /// Costs at most the events between two checkpoints. A position beyond the ends is the nearest
  /// end; one that is no number is ignored.
  public mutating func seek(to position: Double, at now: Double) {
    guard !position.isNaN else { return }
    hold(at: min(max(position, 0), length), now: now)
  }

  /// Plays from the beginning.
  public mutating func restart(at now: Double) {
    hold(at: 0, now: now)
    isPlaying = length > 0
  }

  /// Gives the stage what was recorded up to now.
  public mutating func advance(to now: Double) {
    let position = position(at: now)
    if position >= length { hold(at: length, now: now) } else { show(position) }
  }

  private mutating func hold(at position: Double, now: Double) {
    (anchor, anchorTime) = (position, now)
    if position >= length { isPlaying = false }
    show(position)
  }

  /// Brings the stage to a position, forth or back.
  private mutating func show(_ position: Double) {
    let count = transcript.count(upTo: position)
    if count != taken {
      // Of the checkpoints not beyond it the last, unless the stage itself is nearer.
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
  /// The frame that is seen at an instant of the room's clock.
  ///
  /// Unlike a stage, a recording knows what comes: events between now and a later instant are in
  /// that one's frame, so that frames can be sent well ahead until it is wound or halted.
  public func frame(at now: Double) -> Frame {
    var frame = Frame(screen: stage.screen, isSettled: false, placements: [])
    render(at: now, into: &frame)
    return frame
  }

  /// Renders the frame at an instant into one whose storage is used again.
  public func render(at now: Double, into frame: inout Frame) {
    let position = position(at: now)
    guard transcript.count(upTo: position) == taken else {
      var later = self
      later.show(position)
      return later.stage.render(at: stageTime(at: now), into: &frame)
    }
    stage.render(at: stageTime(at: now), into: &frame)
  }

  /// The library that the stage shows at present.
  public var library: LibraryLayout { stage.library }
}

// MARK: - Events

/// A stage on the way, that winding starts from.
private struct Checkpoint: Equatable, Sendable {
  /// How many events it has been given.
  let taken: Int
  let stage: Stage

  /// The stage before all events, then one for each stretch of time in which something happened.
  static func all(of transcript: Transcript, _ libraries: RecordedLibraries) -> [Checkpoint] {
    let spacing = max(
      Playback.checkpointSeconds,
      transcript.length / Double(Playback.checkpointsMax - 2)
    )
    // However much happened in one moment, no wind takes more than a stretch of it.
    let stretch = max(
      Playback.checkpointEvents,
      transcript.events.count / (Playback.checkpointsMax / 2)
    )
    var stage = Stage(library: libraries.first)
    var checkpoints = [Checkpoint(taken: 0, stage: stage)]
    // The scene, once it is set, is one: every recording is wound to its beginning.
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
  /// How many events happened up to a position, those at it included.
  fileprivate func count(upTo position: Double) -> Int {
    partitionPoint(of: events.count) { self.position(of: events[$0]) <= position }
  }
}

extension Stage {
  /// Does what was recorded as the event of an index, at its recorded time.
  fileprivate mutating func take(
    _ event: Transcript.Event,
    at index: Int,
    _ libraries: RecordedLibraries
  ) {
    switch event.action {
    case .open(let places, _):
      self = Stage(library: libraries.ofEvents[index] ?? libraries.first)
      restore(places: places)
    case .library:
      if let library = libraries.ofEvents[index] { replace(library: library, at: event.time) }
    case .input(let input): apply(input, at: event.time)
    }
  }
}

/// The libraries of a recording, laid out once, so that winding lays out nothing.
private struct RecordedLibraries: Equatable, Sendable {
  /// The library at the beginning.
  let first: LibraryLayout
  /// Those that replaced it, by the indices of their events.
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

/// How many of the first indices satisfy what no later one does.
private func partitionPoint(of count: Int, where holds: (Int) -> Bool) -> Int {
  var (low, high) = (0, count)
  while low < high {
    let middle = (low + high) / 2
    if holds(middle) { low = middle + 1 } else { high = middle }
  }
  return low
}
