internal import Fabric
internal import Motion
internal import Scene
internal import Staging
internal import Wire

/// The members that watch a stage, in the order in which they began to.
struct Watchers: Sendable {
  private(set) var members: [Member] = []
  private var places = MemberPlaces()
  /// The number of members that prefer reduced motion.
  private(set) var reducedCount = 0
  /// When the cameras in flight have to be continued; nil if there are none.
  private(set) var cameraWake: Double?
  /// The spread that the zooms have followed.
  private var spread = 0
  /// The state of the stage that all zooms have followed; nil if one of them has moved since.
  private var cue: ZoomCue?

  /// The member at an index of ``members``, whose preference is changed with
  /// ``setReducesMotion(_:at:)``.
  subscript(index: Int) -> Member {
    _read { yield members[index] }
    _modify { yield &members[index] }
  }

  /// Returns the index of a member; nil if it does not watch.
  func index(of id: MemberID) -> Int? { places[id] }

  /// Whether there are members, and all of them prefer reduced motion.
  var allReduceMotion: Bool { reducedCount > 0 && reducedCount == members.count }

  /// Whether a member watches and its page is visible.
  func isVisible(_ id: MemberID) -> Bool { index(of: id).map { members[$0].isVisible } ?? false }

  /// Whether a member's page is hidden; the page of a member that is just joining is not.
  func isHidden(_ id: MemberID) -> Bool { index(of: id).map { !members[$0].isVisible } ?? false }

  /// Whether a member prefers reduced motion.
  func reducesMotion(_ id: MemberID) -> Bool {
    index(of: id).map { members[$0].reducesMotion } ?? false
  }

  /// Returns the camera through which a member's window shows the stage once its zoom rests; nil
  /// for a member that does not watch.
  func camera(of id: MemberID) -> Transform3D? {
    index(of: id).map { members[$0].view.camera.transform }
  }

  /// Returns the point of the stage that a member sees at a place of its window, in CSS pixels.
  func stagePoint(_ place: Point, of id: MemberID, at time: Double) -> Point? {
    index(of: id).map { members[$0].view.stagePoint(place, at: time) }
  }

  /// Returns where a member's first finger is, in CSS pixels of its window.
  func finger(of id: MemberID) -> Point? { index(of: id).flatMap { members[$0].view.finger } }

  /// Adds a member behind all others.
  mutating func add(_ member: Member) {
    places.append(member.id)
    members.append(member)
    if member.reducesMotion { reducedCount += 1 }
  }

  /// Removes a member.
  mutating func remove(at index: Int) -> Member {
    let member = members.remove(at: index)
    places.remove(member.id, before: members[index...].lazy.map(\.id))
    if member.reducesMotion { reducedCount -= 1 }
    return member
  }

  /// Removes all members; the cameras in flight are those of members that are added next.
  mutating func removeAll() { (members, places, reducedCount, cue) = ([], MemberPlaces(), 0, nil) }

  /// Sets whether a member prefers reduced motion.
  mutating func setReducesMotion(_ reducesMotion: Bool, at index: Int) {
    if members[index].reducesMotion != reducesMotion { reducedCount += reducesMotion ? 1 : -1 }
    members[index].view.reducesMotion = reducesMotion
  }
}

// MARK: - Cameras

extension Watchers {
  /// Makes all zooms follow the stage anew when it changes, because one of them may have moved.
  mutating func forgetCue() { cue = nil }

  /// Makes all zooms follow another stage, as if its spread had not turned.
  /// - Parameters:
  ///   - spread: The spread that the stage has open.
  ///   - keepsFingers: Whether fingers keep what they hold; otherwise it is gone, and they count
  ///     again after they have been lifted.
  mutating func restart(at spread: Int, keepsFingers: Bool) {
    (self.spread, cue) = (spread, nil)
    if !keepsFingers { for index in members.indices { members[index].view.dropHeld() } }
  }

  /// Lets the zooms follow the stage after it has changed.
  ///
  /// While a finger moves a leaf, the zooms of those that watch have nothing to follow most of the
  /// time, so the cost of a frame does not depend on their number.
  mutating func follow(
    _ stage: Stage,
    in library: ShownLibrary,
    holder: MemberID?,
    turn: inout Turn
  ) {
    let turned = stage.spread - spread
    spread = stage.spread
    let pages = library.openSides(on: stage)
    let cue = ZoomCue(framing: stage.framingCue(at: turn.now), pages: pages, holder: holder)
    func follow(at index: Int) {
      members[index].view.zoom.fit.pages = pages
      let holds = stage.isDriven && holder == members[index].id
      let hasChanged = members[index].view.zoom
        .follow(stage, turned: turned, holds: holds, at: turn.now)
      if hasChanged { sendCamera(at: index, over: stage, in: library, turn: &turn) }
    }
    if turned == 0, cue == self.cue {
      if let holder, let index = index(of: holder) { follow(at: index) }
      return
    }
    for index in members.indices { follow(at: index) }
    self.cue = cue
  }

  /// Shows the page that a member who presents has moved to in all windows that show one page.
  private mutating func show(
    _ page: Framing.Page,
    toAllBut id: MemberID,
    over stage: Stage,
    in library: ShownLibrary,
    turn: inout Turn
  ) {
    forgetCue()
    for index in members.indices where members[index].id != id && !members[index].view.isTouched {
      guard members[index].view.zoom.look(at: page, of: stage, at: turn.now) else { continue }
      sendCamera(at: index, over: stage, in: library, turn: &turn)
    }
  }

  /// Tells a member which page its window shows, if that has changed.
  mutating func tellFraming(
    at index: Int,
    over stage: Stage,
    in library: ShownLibrary,
    turn: inout Turn
  ) {
    let framing = members[index].framing(over: stage, in: library)
    guard framing != members[index].sentFraming, members[index].isVisible else { return }
    members[index].sentFraming = framing
    turn.effects.send(to: members[index].id) { ServerMessage.framing(framing).encode(into: &$0) }
  }

  /// Sends a member its camera, and the beginning of the flight that follows.
  mutating func sendCamera(
    at index: Int,
    over stage: Stage,
    in library: ShownLibrary,
    turn: inout Turn
  ) {
    members[index].view.endFlight()
    // A hidden page receives its camera when it is visible again.
    guard members[index].isVisible else { return }
    tellFraming(at: index, over: stage, in: library, turn: &turn)
    let (camera, flight) = members[index].view.takeOff(now: turn.now)
    let id = members[index].id
    turn.effects.send(to: id) {
      ServerMessage.camera(WireMatrix(camera.transform)).encode(into: &$0)
    }
    guard let flight else { return }
    send(flight, to: id, in: &turn)
    scheduleCameras(now: turn.now)
  }

  /// Sends a member its camera if its zoom is not what it was; if the member leads, the windows of
  /// the others that show one page show the same page.
  mutating func sendCamera(
    at index: Int,
    ifChangedFrom before: ZoomControl,
    leads: Bool,
    over stage: Stage,
    in library: ShownLibrary,
    turn: inout Turn
  ) {
    let zoom = members[index].view.zoom
    guard zoom.view != before.view || zoom.framing != before.framing else { return }
    sendCamera(at: index, over: stage, in: library, turn: &turn)
    if let page = zoom.shownPage(over: stage), page != before.shownPage(over: stage), leads {
      show(page, toAllBut: members[index].id, over: stage, in: library, turn: &turn)
    }
  }

  /// Lets a member's zoom continue a pinch that has laid the book flat.
  mutating func pinchBeyondFlat(
    about middle: Point,
    at index: Int,
    holder: MemberID?,
    over stage: Stage,
    now: Double
  ) {
    let isHolder = holder == members[index].id
    members[index].view.zoom
      .pinchBeyondFlat(about: middle, isHolder: isHolder, over: stage, at: now)
  }

  /// Shows a member all that the others see; a flight of its zoom ends.
  mutating func attach(
    at index: Int,
    to stream: StreamID,
    over stage: Stage,
    in library: ShownLibrary,
    turn: inout Turn
  ) {
    let member = members[index]
    members[index].view.endFlight()
    members[index].sentFraming = nil
    tellFraming(at: index, over: stage, in: library, turn: &turn)
    turn.effects.send(to: member.id) {
      ServerMessage.camera(WireMatrix(member.view.camera.transform)).encode(into: &$0)
    }
    turn.effects.messages.append(.attach(member.id, to: stream))
  }

  /// Sends the next cameras of the zooms that are in flight.
  mutating func flyCameras(in turn: inout Turn) {
    for index in members.indices {
      let cameras = members[index].view.continueFlight(now: turn.now)
      if members[index].isVisible { send(cameras, to: members[index].id, in: &turn) }
    }
    scheduleCameras(now: turn.now)
  }

  private mutating func scheduleCameras(now: Double) {
    cameraWake = members.contains { $0.view.isFlying } ? now + Pacing.flownEvery : nil
  }

  private func send(_ cameras: [TimedCamera], to id: MemberID, in turn: inout Turn) {
    guard !cameras.isEmpty else { return }
    turn.effects.send(to: id) { ServerMessage.cameras(cameras).encode(into: &$0) }
  }
}

extension Member {
  /// Returns which page the window shows, and how large.
  fileprivate func framing(over stage: Stage, in library: ShownLibrary) -> FramingEvent {
    let zoom = view.zoom
    let usual = zoom.framing.goal.zoom * zoom.usualZoom(over: stage)
    let scale = Float(zoom.window.scale * usual)
    guard let page = zoom.shownPage(over: stage), let book = library.openBook(on: stage) else {
      return FramingEvent(pages: .all, scale: scale)
    }
    let face = 2 * stage.spread + (page == .first ? 1 : 2)
    let range = PageRange(face: face, of: book)
    return FramingEvent(pages: page.isLeft(in: stage) ? .left : .right, scale: scale, range: range)
  }
}

/// What the members' zooms follow; while it stays the same, a zoom that has followed it stays, too.
private struct ZoomCue: Equatable, Sendable {
  var framing: FramingCue
  var pages: FitPlan.Pages
  var holder: MemberID?
}
