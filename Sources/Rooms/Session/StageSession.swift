internal import Fabric
internal import Geometry
internal import Scene
internal import Staging
internal import Wire

/// One stage, the members that look at it, and what each of them has been sent.
///
/// A room has one that all share, and one more for each wanderer. Time is handed in; nothing
/// here reads a clock or knows a socket. While a finger drives, every message of the holder is
/// answered with one frame. What flies is sent ahead in batches, and recalled by a snapshot when
/// a finger catches it. At rest nothing is computed and nothing sent.
struct StageSession: Sendable {
  /// The stage that all of them see.
  var stage: Stage
  /// Who may move the stage, and what it refused.
  var control = TurnControl()
  /// The number of the last frame.
  var frameNumber: UInt32 { stream.number }
  /// When the room wants to be woken; nil at rest.
  var wakeTime: Double? {
    let next = min(
      pacing.wakeTime ?? .infinity,
      min(cameraWake ?? .infinity, selection.wakeTime ?? .infinity)
    )
    return next.isFinite ? next : nil
  }

  /// What has been published.
  var stream: FrameStream
  /// When the next frames go out.
  var pacing = Pacing()
  /// When the members' cameras want the room to be woken.
  var cameraWake: Double?
  /// What of the library is shown.
  var selection: LibrarySelection
  /// The spread that zooms have followed.
  var zoomSpread = 0
  /// Whether inputs and frames are noted for a recording.
  var notes: Bool
  var members: [Member] = []
  /// What the members were told that they see.
  var captions: ToldCaption
  var lastInputTime: Double
  /// Which pages the members have decoded.
  var images = ImageReadiness()
  /// The recording that is played.
  private var played: Boxed<Playback>?
  private var lastBookmark: Bookmark

  /// Opens a session.
  /// - Parameters:
  ///   - room: The room's name.
  ///   - library: What there is to read.
  ///   - time: Now, in seconds.
  ///   - notes: Whether inputs and frames shall be noted for a recording.
  ///   - places: Where the room's books were left, as ``Stage/bookPlaces`` tells it.
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
    captions = ToldCaption(current: key.caption(of: library), key: key)
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

  /// The caption that the members were told last.
  var caption: Caption { captions.current }

  /// The member that holds a gesture, until what it began has settled.
  var holder: MemberID? { control.holder }

  /// How many members look at the stage.
  var memberCount: Int { members.count }

  /// How a member's window looks at the stage once its zoom rests; nil for
  /// one that is not here.
  func camera(of id: MemberID) -> Transform3D? {
    index(of: id).map { members[$0].view.camera.transform }
  }

  /// Applies an input of the holder and tells whether the stage changed.
  mutating func apply(_ input: Input, at time: Double, into effects: inout Effects) -> Bool {
    lastInputTime = max(lastInputTime, time)
    let before = stage
    stage.apply(input, at: lastInputTime)
    if notes { effects.list.append(.noteInput(input, room: room, time: lastInputTime)) }
    return before != stage
  }

  /// Lets the stage let go of what it held for too long.
  mutating func advanceStage(to time: Double) {
    if let deadline = stage.deadline, deadline <= time {
      lastInputTime = max(lastInputTime, deadline)
    }
    stage.advance(to: time)
  }

  /// Tells whether a book may have been left elsewhere since this was last asked.
  ///
  /// Only the book in the hand goes anywhere, so this costs nothing; ``Stage/bookPlaces`` does.
  mutating func hasMovedBookmark() -> Bool {
    let bookmark = Bookmark(stage)
    defer { lastBookmark = bookmark }
    return bookmark != lastBookmark
  }

  func index(of id: MemberID) -> Int? { members.firstIndex { $0.id == id } }
}

/// Where the book that was last in the hand is open.
private struct Bookmark: Equatable, Sendable {
  let collection, book, spread: Int
  let isFlat: Bool

  init(_ stage: Stage) {
    (collection, book, spread) = (stage.collection, stage.book, stage.spread)
    isFlat = stage.isFlat
  }
}
