internal import Fabric
internal import Motion
internal import Scene
internal import Staging
internal import Wire

/// The members' views of the stage: their inputs, and the cameras that follow the stage.
extension StageSession {
  /// Returns what a message without fingers means to the stage, and applies what it means to the
  /// member's own zoom.
  mutating func orders(of message: ClientMessage, memberAt index: Int, now: Double) -> Few<Input> {
    switch message {
    case .wheel(let dx, let dy, let place, let ctrl):
      return watchers[index].view.takeWheel(
        dx: dx,
        dy: dy,
        at: place,
        isZoom: ctrl,
        over: stage,
        at: now
      )
    case .key(let key): return watchers[index].view.zoom.take(key, over: stage, at: now)
    case .zoomStep(let factor, let place):
      let focus = watchers[index].view.windowPoint(place)
      return watchers[index].view.zoom.zoom(by: factor, about: focus, over: stage, at: now)
    case .lay(let order): return [.lay(order)]
    case .jump(let page):
      guard let book = openEntry else { return [.jump(page: Int(page))] }
      return jump(toFace: book.face(ofPage: Int(page)), memberAt: index, now: now)
    case .go(let book, let opens, let page):
      return [faced(.go(book: book, opens: opens, page: page.map { Int($0) }))]
    default: return []
    }
  }

  /// Lets a member's zoom continue a pinch that has laid the book flat.
  mutating func zoomBeyondFlat(about middle: Point, memberAt index: Int, at time: Double) {
    let isHolder = holder == members[index].id
    watchers[index].view.zoom
      .pinchBeyondFlat(about: middle, isHolder: isHolder, over: stage, at: time)
  }

  /// The same, and sends the member its camera.
  mutating func pinchBeyondFlat(
    about middle: Point,
    memberAt index: Int,
    at now: Double,
    into effects: inout Effects
  ) {
    let before = watchers[index].view.zoom
    zoomBeyondFlat(about: middle, memberAt: index, at: now)
    sendCamera(of: members[index].id, ifChangedFrom: before, now: now, into: &effects)
  }

  /// Returns the input that jumps to a face, which the member's window shows if it shows one page.
  private mutating func jump(toFace face: Int, memberAt index: Int, now: Double) -> Few<Input> {
    let page: Framing.Page = face % 2 == 1 ? .first : .second
    if stage.spreadPages.contains(face) {
      _ = watchers[index].view.zoom.look(at: page, of: stage, at: now)
    } else {
      watchers[index].view.zoom.want(page)
    }
    return [.jump(page: face)]
  }

  // MARK: Cameras

  /// Lets the members' zooms follow the stage after it has changed.
  ///
  /// While a finger moves a leaf, the zooms of those that watch have nothing to follow most of the
  /// time, so the cost of a frame does not depend on their number.
  mutating func updateZooms(at now: Double, into effects: inout Effects) {
    let spread = stage.spread
    let turned = spread - followed.spread
    followed.spread = spread
    let pages = openSides
    let cue = ZoomCue(framing: stage.framingCue(at: now), pages: pages, holder: holder)
    if turned == 0, cue == followed.cue {
      if let holder, let index = index(of: holder) {
        follow(memberAt: index, turned: 0, pages, now: now, into: &effects)
      }
      return
    }
    for index in members.indices {
      follow(memberAt: index, turned: turned, pages, now: now, into: &effects)
    }
    followed.cue = cue
  }

  private mutating func follow(
    memberAt index: Int,
    turned: Int,
    _ pages: FitPlan.Pages,
    now: Double,
    into effects: inout Effects
  ) {
    watchers[index].view.zoom.fit.pages = pages
    let holds = stage.isDriven && holder == members[index].id
    let hasChanged = watchers[index].view.zoom
      .follow(stage, turned: turned, holds: holds, at: now)
    if hasChanged { sendCamera(memberAt: index, now: now, into: &effects) }
  }

  mutating func sendCamera(
    of id: MemberID,
    ifChangedFrom before: ZoomControl,
    now: Double,
    into effects: inout Effects
  ) {
    guard let index = index(of: id) else { return }
    let zoom = watchers[index].view.zoom
    guard zoom.view != before.view || zoom.framing != before.framing else { return }
    sendCamera(memberAt: index, now: now, into: &effects)
    if let page = zoom.shownPage(over: stage), page != before.shownPage(over: stage), mayAct(id) {
      show(page, toAllBut: id, now: now, into: &effects)
    }
  }

  /// Shows the page that a member who presents has moved to in all windows that show one page.
  private mutating func show(
    _ page: Framing.Page,
    toAllBut id: MemberID,
    now: Double,
    into effects: inout Effects
  ) {
    followed.cue = nil
    for index in members.indices where members[index].id != id && !watchers[index].view.isTouched {
      guard watchers[index].view.zoom.look(at: page, of: stage, at: now) else { continue }
      sendCamera(memberAt: index, now: now, into: &effects)
    }
  }

  /// Tells a member which page its window shows, if that has changed.
  mutating func tellFraming(memberAt index: Int, into effects: inout Effects) {
    let framing = framing(ofMemberAt: index)
    guard framing != members[index].toldFraming, members[index].isVisible else { return }
    watchers[index].toldFraming = framing
    effects.send(to: members[index].id) { ServerMessage.framing(framing).encode(into: &$0) }
  }

  private func framing(ofMemberAt index: Int) -> FramingEvent {
    let zoom = watchers[index].view.zoom
    let usual = zoom.framing.goal.zoom * zoom.usualZoom(over: stage)
    let scale = Float(zoom.window.scale * usual)
    guard let page = zoom.shownPage(over: stage), let book = openEntry else {
      return FramingEvent(pages: .all, scale: scale)
    }
    let face = 2 * stage.spread + (page == .first ? 1 : 2)
    let label = PageRange(face: face, of: book).text(.label, .withTotal)
    return FramingEvent(pages: page.isLeft(in: stage) ? .left : .right, scale: scale, label: label)
  }

  /// Sends a member its camera, and the beginning of the flight that follows.
  mutating func sendCamera(memberAt index: Int, now: Double, into effects: inout Effects) {
    watchers[index].view.endFlight()
    // A hidden page receives its camera when it is visible again.
    guard members[index].isVisible else { return }
    tellFraming(memberAt: index, into: &effects)
    let (camera, flight) = watchers[index].view.takeOff(now: now)
    let id = members[index].id
    effects.send(to: id) {
      ServerMessage.camera(WireMatrix(camera.transform)).encode(into: &$0)
    }
    guard let flight else { return }
    send(flight, to: id, into: &effects)
    scheduleCameras(now: now)
  }

  /// Sends the next cameras of the zooms that are in flight.
  mutating func flyCameras(now: Double, into effects: inout Effects) {
    for index in members.indices {
      let cameras = watchers[index].view.continueFlight(now: now)
      if members[index].isVisible { send(cameras, to: members[index].id, into: &effects) }
    }
    scheduleCameras(now: now)
  }

  private mutating func scheduleCameras(now: Double) {
    cameraWake = members.contains { $0.view.isFlying } ? now + Pacing.flownEvery : nil
  }

  private func send(_ cameras: [TimedCamera], to id: MemberID, into effects: inout Effects) {
    guard !cameras.isEmpty else { return }
    effects.send(to: id) { ServerMessage.cameras(cameras).encode(into: &$0) }
  }
}

/// What the members' zooms follow; while it stays the same, a zoom that has followed it stays, too.
struct ZoomCue: Equatable, Sendable {
  var framing: FramingCue
  var pages: FitPlan.Pages
  var holder: MemberID?
}

/// What the members' zooms have followed of a stage.
struct FollowedStage: Sendable {
  /// The open spread.
  var spread = 0
  /// The state that all zooms have followed; nil if one of them has moved since.
  var cue: ZoomCue?
}
