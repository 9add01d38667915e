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
    in turn: inout Turn
  ) {
    let before = watchers[index].view.zoom
    zoomBeyondFlat(about: middle, memberAt: index, at: turn.now)
    sendCamera(of: members[index].id, ifChangedFrom: before, in: &turn)
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
  mutating func updateZooms(in turn: inout Turn) {
    let spread = stage.spread
    let turned = spread - followed.spread
    followed.spread = spread
    let pages = openSides
    let cue = ZoomCue(framing: stage.framingCue(at: turn.now), pages: pages, holder: holder)
    if turned == 0, cue == followed.cue {
      if let holder, let index = index(of: holder) {
        follow(memberAt: index, turned: 0, pages, in: &turn)
      }
      return
    }
    for index in members.indices {
      follow(memberAt: index, turned: turned, pages, in: &turn)
    }
    followed.cue = cue
  }

  private mutating func follow(
    memberAt index: Int,
    turned: Int,
    _ pages: FitPlan.Pages,
    in turn: inout Turn
  ) {
    watchers[index].view.zoom.fit.pages = pages
    let holds = stage.isDriven && holder == members[index].id
    let hasChanged = watchers[index].view.zoom
      .follow(stage, turned: turned, holds: holds, at: turn.now)
    if hasChanged { sendCamera(memberAt: index, in: &turn) }
  }

  mutating func sendCamera(
    of id: MemberID,
    ifChangedFrom before: ZoomControl,
    in turn: inout Turn
  ) {
    guard let index = index(of: id) else { return }
    let zoom = watchers[index].view.zoom
    guard zoom.view != before.view || zoom.framing != before.framing else { return }
    sendCamera(memberAt: index, in: &turn)
    if let page = zoom.shownPage(over: stage), page != before.shownPage(over: stage), mayAct(id) {
      show(page, toAllBut: id, in: &turn)
    }
  }

  /// Shows the page that a member who presents has moved to in all windows that show one page.
  private mutating func show(_ page: Framing.Page, toAllBut id: MemberID, in turn: inout Turn) {
    followed.cue = nil
    for index in members.indices where members[index].id != id && !watchers[index].view.isTouched {
      guard watchers[index].view.zoom.look(at: page, of: stage, at: turn.now) else { continue }
      sendCamera(memberAt: index, in: &turn)
    }
  }

  /// Tells a member which page its window shows, if that has changed.
  mutating func tellFraming(memberAt index: Int, in turn: inout Turn) {
    let framing = framing(ofMemberAt: index)
    guard framing != members[index].toldFraming, members[index].isVisible else { return }
    watchers[index].toldFraming = framing
    turn.effects.send(to: members[index].id) { ServerMessage.framing(framing).encode(into: &$0) }
  }

  private func framing(ofMemberAt index: Int) -> FramingEvent {
    let zoom = watchers[index].view.zoom
    let usual = zoom.framing.goal.zoom * zoom.usualZoom(over: stage)
    let scale = Float(zoom.window.scale * usual)
    guard let page = zoom.shownPage(over: stage), let book = openEntry else {
      return FramingEvent(pages: .all, scale: scale)
    }
    let face = 2 * stage.spread + (page == .first ? 1 : 2)
    let range = PageRange(face: face, of: book)
    return FramingEvent(pages: page.isLeft(in: stage) ? .left : .right, scale: scale, range: range)
  }

  /// Sends a member its camera, and the beginning of the flight that follows.
  mutating func sendCamera(memberAt index: Int, in turn: inout Turn) {
    watchers[index].view.endFlight()
    // A hidden page receives its camera when it is visible again.
    guard members[index].isVisible else { return }
    tellFraming(memberAt: index, in: &turn)
    let (camera, flight) = watchers[index].view.takeOff(now: turn.now)
    let id = members[index].id
    turn.effects.send(to: id) {
      ServerMessage.camera(WireMatrix(camera.transform)).encode(into: &$0)
    }
    guard let flight else { return }
    send(flight, to: id, in: &turn)
    scheduleCameras(now: turn.now)
  }

  /// Sends the next cameras of the zooms that are in flight.
  mutating func flyCameras(in turn: inout Turn) {
    for index in members.indices {
      let cameras = watchers[index].view.continueFlight(now: turn.now)
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
