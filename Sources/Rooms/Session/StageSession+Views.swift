internal import Fabric
internal import Geometry
internal import Scene
internal import Staging
internal import Wire

/// The members' views of the stage: their inputs, and the cameras that follow the stage.
extension StageSession {
  /// Returns what a message without fingers means to the stage, and applies what it means to the
  /// member's own zoom.
  mutating func orders(of message: ClientMessage, memberAt index: Int, now: Double) -> [Input] {
    switch message {
    case .wheel(let dx, let dy, let place, let ctrl):
      return members[index].view.takeWheel(
        dx: dx,
        dy: dy,
        at: place,
        isZoom: ctrl,
        over: stage,
        at: now
      )
    case .key(let key): return members[index].view.zoom.take(key, over: stage, at: now)
    case .zoomStep(let factor, let place):
      let focus = members[index].view.windowPoint(place)
      return members[index].view.zoom.zoom(by: factor, about: focus, over: stage, at: now)
    case .lay(let order): return [.lay(order)]
    case .jump(let page):
      return openEntry.map { [.jump(page: $0.face(ofPage: Int(page)))] } ?? []
    case .go(let book, let opens, let page):
      return [faced(.go(book: book, opens: opens, page: page.map { Int($0) }))]
    default: return []
    }
  }

  /// Lets a member's zoom continue a pinch that has laid the book flat.
  mutating func pinchBeyondFlat(about middle: Point, memberAt index: Int, at time: Double) {
    let isHolder = holder == members[index].id
    members[index].view.zoom
      .pinchBeyondFlat(about: middle, isHolder: isHolder, over: stage, at: time)
  }

  // MARK: Cameras

  /// Lets the members' zooms follow the stage after it has changed.
  mutating func updateZooms(at now: Double, into effects: inout Effects) {
    let spread = stage.spread
    let turned = spread - zoomSpread
    zoomSpread = spread
    for index in members.indices {
      let hasChanged = members[index].view.zoom.follow(stage, turned: turned, at: now)
      if hasChanged { sendCamera(memberAt: index, now: now, into: &effects) }
    }
  }

  mutating func sendCamera(
    of id: MemberID,
    ifChangedFrom before: ZoomView,
    now: Double,
    into effects: inout Effects
  ) {
    guard let index = index(of: id), members[index].view.zoom.view != before else { return }
    sendCamera(memberAt: index, now: now, into: &effects)
  }

  /// Sends a member its camera, and the beginning of the flight that follows.
  mutating func sendCamera(memberAt index: Int, now: Double, into effects: inout Effects) {
    members[index].view.endFlight()
    // A hidden page receives its camera when it is visible again.
    guard members[index].isVisible else { return }
    let (camera, flight) = members[index].view.takeOff(now: now)
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
      let cameras = members[index].view.continueFlight(now: now)
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
