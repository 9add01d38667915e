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
      guard let book = selection.shown.openBook(on: stage) else { return [.jump(page: Int(page))] }
      return jump(toFace: book.face(ofPage: Int(page)), memberAt: index, now: now)
    case .go(let book, let opens, let page):
      return [selection.shown.faced(.go(book: book, opens: opens, page: page.map { Int($0) }))]
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
  mutating func pinchBeyondFlat(about middle: Point, memberAt index: Int, in turn: inout Turn) {
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
  mutating func updateZooms(in turn: inout Turn) {
    watchers.follow(stage, in: selection.shown, holder: holder, turn: &turn)
  }

  /// Sends a member its camera if its zoom is not what it was.
  mutating func sendCamera(
    of id: MemberID,
    ifChangedFrom before: ZoomControl,
    in turn: inout Turn
  ) {
    guard let index = index(of: id) else { return }
    let zoom = watchers[index].view.zoom
    guard zoom.view != before.view || zoom.framing != before.framing else { return }
    watchers.sendCamera(at: index, over: stage, in: selection.shown, turn: &turn)
    if let page = zoom.shownPage(over: stage), page != before.shownPage(over: stage), mayAct(id) {
      watchers.show(page, toAllBut: id, over: stage, in: selection.shown, turn: &turn)
    }
  }

  /// Tells a member which page its window shows, if that has changed.
  mutating func tellFraming(memberAt index: Int, in turn: inout Turn) {
    watchers.tellFraming(at: index, over: stage, in: selection.shown, turn: &turn)
  }
}
