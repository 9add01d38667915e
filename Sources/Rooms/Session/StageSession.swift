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
  /// The recording that is played.
  private var played: Boxed<Playback>?
  private var lastBookmark: Bookmark

  /// Creates a session.
  /// - Parameters:
  ///   - room: The room's name.
  ///   - library: The library to show.
  ///   - time: The current time, in seconds.
  ///   - notes: Whether to record inputs and frames.
  ///   - places: Where the room's books were left, as ``Stage/bookPlaces`` returns it.
  init(
    room: String,
    library: ShownLibrary,
    at time: Double,
    notes: Bool = false,
    places: [BookPlace] = []
  ) {
    var stage = Stage(library: library.layout)
    stage.restore(places: places)
    let selection = LibrarySelection(library)
    let key = CaptionKey(stage, selection.arrangement, at: time)
    captions = ToldCaption(key.caption(of: library), for: key)
    stream = FrameStream(StreamID(room: room), frame: stage.frame(at: time), at: time)
    lastBookmark = Bookmark(stage)
    self.selection = selection
    self.stage = stage
    self.notes = notes
    lastInputTime = time
  }

  /// The name of the room.
  var room: String { stream.id.room }

  /// The recording that is played instead of the stage; nil if there is none.
  var playback: Playback? {
    get { played?.value }
    set { played = newValue.map { Boxed($0) } }
  }

  /// Whether a recording is played.
  var isPlayback: Bool { played != nil }

  /// The caption that was last sent to the members.
  var caption: Caption { captions.current }

  /// The member that holds a gesture, until the resulting motion has settled.
  var holder: MemberID? { control.holder }

  /// The members that watch the stage.
  var members: [Member] { watchers.members }

  /// The number of members that watch the stage.
  var memberCount: Int { watchers.members.count }

  /// Returns the camera through which a member's window shows the stage once its zoom rests; nil
  /// for a member that is not here.
  func camera(of id: MemberID) -> Transform3D? {
    index(of: id).map { members[$0].view.camera.transform }
  }

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

  /// Records that something moves without a finger.
  mutating func noteMotion(at now: Double) {
    // Only once until it is due, because this is called for each frame.
    if pacing.restWake == nil { pacing.restWake = now + FrameStream.restAfter }
  }

  /// Frees what only motion needs, if nothing has moved for long enough.
  mutating func freeAtRest(at now: Double) {
    guard let wake = pacing.restWake, wake <= now else { return }
    let rest = stream.time + FrameStream.restAfter
    // The flight after the release is noted.
    guard !stage.isDriven else { return pacing.restWake = nil }
    pacing.restWake = !pacing.isAtRest ? now + FrameStream.restAfter : rest > now ? rest : nil
    if pacing.restWake == nil { stream.rest() }
  }

  /// Advances the stage to a given time; it releases what it has held for too long.
  mutating func advanceStage(to time: Double) {
    if let deadline = stage.deadline, deadline <= time {
      lastInputTime = max(lastInputTime, deadline)
    }
    stage.advance(to: time)
  }

  /// Returns whether a place in a book may have changed since the last call.
  ///
  /// Only the book that was last opened can have moved, so this costs nothing, unlike
  /// ``Stage/bookPlaces``.
  mutating func hasMovedBookmark() -> Bool {
    let bookmark = Bookmark(stage)
    defer { lastBookmark = bookmark }
    return bookmark != lastBookmark
  }

  func index(of id: MemberID) -> Int? { watchers.index(of: id) }

  /// The book that is open; nil if there is none.
  var openEntry: CatalogueBook? { selection.shown.openBook(on: stage) }

  /// The pages of the open spread.
  var openPages: [Int] { openEntry?.pages(ofSpread: stage.spread) ?? [] }
}

/// Where the book that was last opened is or was open.
private struct Bookmark: Equatable, Sendable {
  let collection, book, spread: Int
  let isFlat, isOpen: Bool

  init(_ stage: borrowing Stage) {
    (collection, book, spread) = (stage.collection, stage.book, stage.spread)
    isFlat = stage.isFlat
    isOpen = stage.hasOpenBook
  }
}
