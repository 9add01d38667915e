internal import Fabric
internal import Motion
internal import Scene
internal import Staging
internal import Wire

/// One stage, the members that watch it, and what they have been sent.
///
/// A room has one session that all members share, and one more for each wanderer. The caller passes
/// the time in; nothing here reads a clock or knows a socket. While a finger drives, every message
/// of the holder is answered with one frame. The frames of a flight are sent ahead in batches, and
/// a snapshot recalls them when a finger catches what flies. At rest nothing is computed or sent.
struct StageSession: Sendable {
  /// The stage that all these members see.
  var stage: Stage
  /// Who may move the stage, and the inputs that it refused.
  var control = TurnControl()
  /// The number of the last frame.
  var frameNumber: UInt32 { stream.number }
  /// When to wake the session; nil at rest.
  var wakeTime: Double? {
    let next = min(
      min(pacing.wakeTime ?? .infinity, pacing.restWake ?? .infinity),
      min(watchers.cameraWake ?? .infinity, selection.wakeTime ?? .infinity)
    )
    return next.isFinite ? next : nil
  }

  /// What has been published.
  var stream: FrameStream
  /// When the next frames are sent.
  var pacing = Pacing()
  /// The part of the library that is shown.
  var selection: LibrarySelection
  /// Which books are laid flat when they open.
  var laying = FlatOpening()
  /// Whether inputs and frames are recorded.
  var notes: Bool
  /// The members that watch the stage.
  var watchers = Watchers()
  /// The caption that was last sent to the members.
  var captions: ToldCaption
  var lastInputTime: Double
  /// The pages that the members have decoded.
  var images = ImageReadiness()
  /// The recording that is played instead of the members' stage; nil if there is none.
  var played: PlayedRecording?
  var spreadObserver: SpreadObserver

  /// Creates a session.
  /// - Parameters:
  ///   - room: The room's name.
  ///   - library: The library to show.
  ///   - time: The current time, in seconds.
  ///   - notes: Whether to record inputs and frames.
  ///   - bookmarks: Where the room's books were left, as ``Stage/bookmarks`` returns it.
  init(
    room: String,
    library: ShownLibrary,
    at time: Double,
    notes: Bool = false,
    bookmarks: [Bookmark] = []
  ) {
    var stage = Stage(library: library.layout)
    stage.restore(bookmarks: bookmarks)
    let selection = LibrarySelection(library)
    let key = CaptionKey(stage, selection.arrangement, at: time)
    captions = ToldCaption(key.caption(of: library), for: key)
    stream = FrameStream(StreamID(room: room), frame: stage.frame(at: time), at: time)
    spreadObserver = SpreadObserver(stage)
    self.selection = selection
    self.stage = stage
    self.notes = notes
    lastInputTime = time
  }

  /// The name of the room.
  var room: String { stream.id.room }

  /// The recording that is played; nil if there is none.
  var playback: Playback? { played?.playback }

  /// Whether a recording is played.
  var isPlayback: Bool { played != nil }

  /// The member that holds a gesture, until the resulting motion has settled.
  var holder: MemberID? { control.holder }

  /// The members that watch the stage.
  var members: [Member] { watchers.members }

  /// Applies an input to the stage, and returns whether the stage changed.
  mutating func apply(_ input: Input, at time: Double, in turn: inout Turn) -> Bool {
    lastInputTime = max(lastInputTime, time)
    let before = stage
    if settlesBeforeInput(at: lastInputTime) { note(.settle, in: &turn) }
    note(input, in: &turn)
    return before != stage
  }

  /// Applies an input now, and notes it for a recording.
  mutating func note(_ input: Input, in turn: inout Turn) {
    stage.apply(input, at: lastInputTime)
    if notes { turn.effects.list.append(.noteInput(input, room: room, time: lastInputTime)) }
  }

  /// Advances the stage to a given time; it releases what it has held for too long.
  mutating func advanceStage(to time: Double) {
    if let deadline = stage.deadline, deadline <= time {
      lastInputTime = max(lastInputTime, deadline)
    }
    stage.advance(to: time)
  }

  /// Returns whether the bookmark of the taken book has moved since the last call.
  mutating func hasMovedBookmark() -> Bool { spreadObserver.hasMoved(on: stage) }

  func index(of id: MemberID) -> Int? { watchers.index(of: id) }

  /// The book that is open; nil if there is none.
  var openEntry: CatalogueBook? { selection.shown.openBook(on: stage) }
}

/// What the room does with a session: members leave it with their own, compare it, or return.
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
    if let played {
      own.stage = played.standing(at: now)
      own.played = nil
    }
    own.stage.abandonGesture(at: own.lastInputTime)
    return own
  }

  /// Shows the stage in its current state, and recalls frames that were sent ahead.
  mutating func stand(in turn: inout Turn) {
    updateCaption(at: turn.now, in: &turn)
    updateZooms(in: &turn)
    emit(at: turn.now, in: &turn)
    scheduleWake(now: turn.now)
  }

  /// Whether inputs would move anything if they were allowed; an input that leaves the book counts
  /// only for a member that may leave it.
  func wouldMove(_ inputs: [TimedInput], mayLeave: Bool) -> Bool {
    // A member that touches a recording that is played wants to turn pages in the book.
    guard !isPlayback else { return true }
    return control.wouldMove(
      stage,
      by: inputs,
      mayLeave: mayLeave,
      since: lastInputTime,
      cuts: watchers.allReduceMotion
    )
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

  // MARK: Leaving the book

  /// Releases what a member holds while its fingers stay down; the stage no longer waits for the
  /// images of that member.
  mutating func letGo(of id: MemberID, in turn: inout Turn) {
    guard holder == id else { return }
    var inputs = stage.isDriven ? Input.cancellations : []
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
