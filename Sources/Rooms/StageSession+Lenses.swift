internal import Fabric
internal import Geometry
internal import Glibc
internal import Scene
internal import Staging
internal import Wire

/// Each member's own lens: what its fingers mean to it, and the cameras that follow.
extension StageSession {
  /// Two taps within this time and this distance are a double tap; seconds and CSS pixels.
  static let doubleTapSeconds = 0.3
  static let doubleTapReach = 24.0
  /// A step of zoom by a key, as a factor.
  static let keyZoom = 1.5
  /// A wheel that has come back to the whole stands a book up after a pause of this, in seconds.
  static let wheelPause = 0.25
  /// The most of one wheel event that counts, and what it takes to zoom e times, in CSS pixels.
  private static let wheelPixelsMax = 50.0
  private static let wheelPixels = 100.0
  /// How far a scale changes before two fingers over a flat book have a direction.
  private static let deadZone = 0.02

  /// What a member's lens is held over.
  func field(ofMemberAt index: Int) -> ZoomView.Bounds {
    let window = members[index].window
    let size = members[index].viewport.size
    return ZoomView.Bounds(
      book: stage.flatReach,
      window: Size(width: size.width / window.scale / 2, height: size.height / window.scale / 2)
    )
  }

  /// Gives an input, in points of the member's window, to its lens or to the stage.
  /// - Returns: What it means to the stage, in stage points.
  mutating func route(_ input: Input, memberAt index: Int, at time: Double) -> [Input] {
    switch input {
    case .tap(let point): return tap(point, memberAt: index, at: time)
    case .pan(let phase, let point):
      if phase == .began {
        members[index].route = members[index].zoomView.isZoomed ? .zoomView : .stage
      }
      guard members[index].route == .zoomView else {
        return [.pan(phase, stagePoint(point, memberAt: index, at: time))]
      }
      pan(phase, point, memberAt: index, at: time)
      return []
    case .pinch(let phase, let scale, let middle):
      return pinch(phase, scale, middle, memberAt: index, at: time)
    default: return [input]
    }
  }

  private func stagePoint(_ point: Point, memberAt index: Int, at time: Double) -> Point {
    let view = members[index].zoomView.view(at: time)
    return Point(x: (point.x - view.x) / view.zoom, y: (point.y - view.y) / view.zoom)
  }

  private mutating func pan(
    _ phase: GesturePhase,
    _ point: Point,
    memberAt index: Int,
    at time: Double
  ) {
    let field = field(ofMemberAt: index)
    switch phase {
    case .began: members[index].zoomView.pan(from: point, over: field, at: time)
    case .changed: members[index].zoomView.move(to: point, at: time)
    case .ended, .cancelled:
      members[index].route = .nobody
      members[index].zoomView.letGo(cancelled: phase == .cancelled, over: field, at: time)
    }
  }

  private mutating func pinch(
    _ phase: GesturePhase,
    _ scale: Double,
    _ middle: Point,
    memberAt index: Int,
    at time: Double
  ) -> [Input] {
    let input = Input.pinch(phase, scale: scale, middle)
    let isOver = phase == .ended || phase == .cancelled
    if phase == .began {
      if members[index].zoomView.isZoomed {
        members[index].route = .zoomView
        members[index].zoomView.pinch(at: middle, scale: scale, at: time)
      } else {
        let rests = stage.isOpenFlat && stage.isPoseSettled(at: time)
        members[index].route = rests ? .undecided(scale: scale) : .stage
      }
      return members[index].route == .stage ? [input] : []
    }
    defer { if isOver { members[index].route = .nobody } }
    switch members[index].route {
    case .nobody, .stage: return [input]
    case .zoomView:
      if phase != .cancelled { members[index].zoomView.move(to: middle, scale: scale, at: time) }
      if isOver {
        let field = field(ofMemberAt: index)
        members[index].zoomView.letGo(cancelled: phase == .cancelled, over: field, at: time)
      }
      return []
    case .undecided(let start):
      let relative = scale / start
      if relative > 1 + Self.deadZone, !isOver {
        members[index].route = .zoomView
        members[index].zoomView.pinch(at: middle, scale: start * (1 + Self.deadZone), at: time)
        members[index].zoomView.move(to: middle, scale: scale, at: time)
      } else if relative < 1 - Self.deadZone, !isOver {
        members[index].route = .stage
        return [.pinch(.began, scale: start, middle), input]
      }
      return []
    }
  }

  /// Fingers that have laid the book flat and go on look nearer.
  mutating func zoomBeyondFlat(about middle: Point, memberAt index: Int, at time: Double) {
    guard members[index].route != .zoomView else { return }
    let beyond = holder == members[index].id ? stage.pinchBeyondFlat : 1
    if beyond > 1 {
      if !members[index].zoomView.isHeld {
        members[index].zoomView.pinch(at: middle, scale: 1, at: time)
      }
      members[index].zoomView.move(to: middle, scale: beyond, at: time)
    } else if members[index].zoomView.isHeld {
      members[index].zoomView.letGo(cancelled: true, over: field(ofMemberAt: index), at: time)
    }
  }

  private mutating func tap(_ point: Point, memberAt index: Int, at time: Double) -> [Input] {
    let scale = members[index].window.scale
    let place = Point(x: point.x * scale, y: point.y * scale)
    var isDouble = false
    if let last = members[index].lastTap {
      isDouble =
        time - last.time <= Self.doubleTapSeconds
        && hypot(place.x - last.place.x, place.y - last.place.y) <= Self.doubleTapReach
    }
    members[index].lastTap = nil
    if members[index].zoomView.isZoomed {
      if isDouble {
        members[index].zoomView.goAway(at: time)
      } else {
        members[index].lastTap = (place, time)
      }
      return []
    }
    let inStage = stagePoint(point, memberAt: index, at: time)
    guard stage.openBook != nil else { return [.tap(inStage)] }
    if stage.turnsByTap(at: inStage) {
      // Who taps twice where a tap turns wants one leaf turned.
      if isDouble { return [] }
      members[index].lastTap = (place, time)
      return [.tap(inStage)]
    }
    guard isDouble, stage.isOpenFlat || stage.isInsidePage(inStage) else {
      members[index].lastTap = (place, time)
      return [.tap(inStage)]
    }
    if !stage.isOpenFlat { return [.lay(.flat)] }
    let field = field(ofMemberAt: index)
    members[index].zoomView.zoom(by: ZoomView.tapZoom, about: point, over: field, at: time)
    return []
  }
}

// MARK: - Wheels, keys and controls

extension StageSession {
  /// What a message without fingers means to the stage; what it means to the lens is done.
  mutating func orders(of message: ClientMessage, memberAt index: Int, now: Double) -> [Input] {
    switch message {
    case .wheel(let dx, let dy, let place, let ctrl):
      let focus = members[index].window.viewPoint(place)
      let isForLens = moveZoomView(byWheel: dx, dy, ctrl, focus, memberAt: index, now: now)
      if isForLens { return [] }
      return ctrl ? [.wheel(dx: dx, dy: dy, ctrl: true)] : steps(dx, dy, memberAt: index, now: now)
    case .key(let key): return orders(of: key, memberAt: index, now: now)
    case .zoomStep(let factor, let place):
      let focus = members[index].window.viewPoint(place)
      return zoom(by: factor, about: focus, memberAt: index, now: now)
    case .lay(let order): return [.lay(order)]
    case .jump(let page):
      return openEntry.map { [.jump(page: $0.face(ofPage: Int(page)))] } ?? []
    case .go(let book, let opens, let page):
      return [faced(.go(book: book, opens: opens, page: page.map { Int($0) }))]
    default: return []
    }
  }

  /// A list follows the wheel; leaves and books are turned by steps.
  private mutating func steps(
    _ dx: Double,
    _ dy: Double,
    memberAt index: Int,
    now: Double
  ) -> [Input] {
    guard stage.screen != .collections else {
      members[index].wheel = WheelRecognizer()
      return [.wheel(dx: dx, dy: dy, ctrl: false)]
    }
    let onward = stage.screen == .shelf ? WheelRecognizer.bookPixels : nil
    let count = members[index].wheel.hear(dx: dx, dy: dy, at: now, onward: onward)
    let pixels = Double(count) * WheelRecognizer.stepPixels
    return count == 0 ? [] : [.wheel(dx: 0, dy: pixels, ctrl: false)]
  }

  private mutating func moveZoomView(
    byWheel dx: Double,
    _ dy: Double,
    _ ctrl: Bool,
    _ focus: Point,
    memberAt index: Int,
    now: Double
  ) -> Bool {
    let field = field(ofMemberAt: index)
    let isZoomed = members[index].zoomView.goal.zoom > 1
    guard ctrl else {
      guard members[index].zoomView.isZoomed, !members[index].zoomView.isHeld else {
        return members[index].zoomView.isHeld
      }
      let scale = members[index].window.scale
      members[index].zoomView.scroll(dx: dx / scale, dy: dy / scale, over: field, at: now)
      return true
    }
    let rests = stage.isOpenFlat && stage.isPoseSettled(at: now)
    if members[index].zoomView.isHeld { return members[index].route == .zoomView }
    if isZoomed || (rests && dy < 0) {
      let step = min(max(dy, -Self.wheelPixelsMax), Self.wheelPixelsMax)
      let factor = exp(-step / Self.wheelPixels)
      members[index].zoomView.follow(factor: factor, about: focus, over: field, at: now)
    } else if !rests || now - members[index].zoomWheelTime > Self.wheelPause {
      return false
    }
    members[index].zoomWheelTime = now
    return true
  }

  private mutating func orders(of key: Key, memberAt index: Int, now: Double) -> [Input] {
    let middle = Point(x: 0, y: 0)
    switch key {
    case .plus: return zoom(by: Self.keyZoom, about: middle, memberAt: index, now: now)
    case .minus: return zoom(by: 1 / Self.keyZoom, about: middle, memberAt: index, now: now)
    case .zero: return zoom(by: nil, about: middle, memberAt: index, now: now)
    case .escape where members[index].zoomView.isZoomed:
      return zoom(by: nil, about: middle, memberAt: index, now: now)
    default: return [.key(key)]
    }
  }

  private mutating func zoom(
    by factor: Double?,
    about focus: Point,
    memberAt index: Int,
    now: Double
  ) -> [Input] {
    guard !members[index].zoomView.isHeld else { return [] }
    guard let factor else {
      if !members[index].zoomView.isAway { members[index].zoomView.goAway(at: now) }
      return []
    }
    if stage.isOpenFlat, factor > 1 || members[index].zoomView.isZoomed {
      let field = field(ofMemberAt: index)
      members[index].zoomView.zoom(by: factor, about: focus, over: field, at: now)
      return []
    }
    return factor == 1 ? [] : [.lay(factor > 1 ? .flat : .standing)]
  }
}

// MARK: - Cameras

extension StageSession {
  /// After the stage has changed: a lens goes with the page that is turned, and away with the book.
  mutating func updateZoomViews(at now: Double, into effects: inout Effects) {
    let spread = stage.spread
    let turned = spread - zoomSpread
    zoomSpread = spread
    for index in members.indices where !members[index].zoomView.isAway {
      let before = members[index].zoomView
      if !stage.isOpenFlat {
        members[index].zoomView.goAway(at: now)
        if members[index].route == .zoomView { members[index].route = .nobody }
      } else if turned != 0, members[index].zoomView.isZoomed {
        let field = field(ofMemberAt: index)
        members[index].zoomView.showTop(forwards: turned > 0, over: field, at: now)
      } else if members[index].zoomView.isHeld, members[index].route == .nobody, !stage.isDriven {
        // A wheel that laid the book flat and went on has let go.
        members[index].zoomView.letGo(cancelled: true, over: field(ofMemberAt: index), at: now)
      }
      if members[index].zoomView != before { sendCamera(memberAt: index, now: now, into: &effects) }
    }
  }

  mutating func sendCamera(
    of id: MemberID,
    ifChangedFrom before: ZoomView,
    now: Double,
    into effects: inout Effects
  ) {
    guard let index = index(of: id), members[index].zoomView != before else { return }
    sendCamera(memberAt: index, now: now, into: &effects)
  }

  /// Sends a member its camera, and the beginning of the flight that it is on.
  mutating func sendCamera(memberAt index: Int, now: Double, into effects: inout Effects) {
    members[index].flownCameraTime = nil
    // A hidden window gets its camera when it is seen again.
    guard members[index].isVisible else { return }
    let member = members[index]
    // Without motion what flies is where it lands; what its own fingers hold follows them.
    let isCut = member.reducesMotion && !member.zoomView.isHeld
    let view = isCut ? member.zoomView.goal : member.zoomView.view(at: now)
    let camera = Camera(viewport: member.viewport, view: view).transform
    effects.send(to: member.id) { ServerMessage.camera(WireMatrix(camera)).encode(into: &$0) }
    guard !member.zoomView.isHeld, !isCut, member.zoomView.restTime > now else { return }
    members[index].flownCameraTime = now
    flyZoomView(memberAt: index, now: now, into: &effects)
    scheduleZoomViews(now: now)
  }

  /// Sends more of the flights that lenses are on.
  mutating func flyZoomViews(now: Double, into effects: inout Effects) {
    for index in members.indices { flyZoomView(memberAt: index, now: now, into: &effects) }
    scheduleZoomViews(now: now)
  }

  private mutating func scheduleZoomViews(now: Double) {
    let flies = members.contains { $0.flownCameraTime != nil }
    zoomWake = flies ? now + Pacing.flownEvery : nil
  }

  private mutating func flyZoomView(memberAt index: Int, now: Double, into effects: inout Effects) {
    guard let last = members[index].flownCameraTime else { return }
    let member = members[index]
    var cameras: [TimedCamera] = []
    var time = max(last + Pacing.flownStep, now)
    while time <= now + Pacing.flownAhead {
      let camera = Camera(viewport: member.viewport, view: member.zoomView.view(at: time))
      cameras.append(TimedCamera(time: time, matrix: WireMatrix(camera.transform)))
      members[index].flownCameraTime = time
      if time >= member.zoomView.restTime {
        members[index].flownCameraTime = nil
        break
      }
      time += Pacing.flownStep
    }
    guard !cameras.isEmpty, member.isVisible else { return }
    effects.send(to: member.id) { ServerMessage.cameras(cameras).encode(into: &$0) }
  }
}
