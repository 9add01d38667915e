internal import Glibc
internal import Motion
internal import Scene
internal import Staging

/// Controls one member's zoom and framing, and decides which gestures move these and which the
/// stage.
///
/// Fingers move the zoom where the book lies flat or is zoomed, and the framing from one page of a
/// spread to the other where the window shows a single page; everything else is for the stage.
/// Points are points of the window, in stage points from its middle; places are in CSS pixels.
/// Times are seconds of the room's clock.
struct ZoomControl: Sendable {
  /// The factor of one step of zoom by a key.
  private static let keyFactor = 1.5
  /// How long a wheel that has zoomed out must rest before it makes the book stand up, in seconds.
  private static let wheelPause = 0.25
  /// The maximum of one wheel event that counts, and the distance for a factor of e, in CSS pixels.
  private static let wheelPixelsMax = 50.0
  private static let wheelPixels = 100.0
  /// How far the scale must change before two fingers over a flat book have a direction.
  private static let deadZone = 0.02
  /// How many times as far across as up or down a drag over a magnified page must go to turn it.
  private static let acrossMin = 2.0

  /// The member's window.
  var viewport: Viewport
  /// How the window shows the pages of the flat book.
  var fit = FitControl()
  /// The current zoom and pan.
  var view = ZoomView()
  /// What the window shows of the stage without the zoom.
  var framing = Framing()
  /// Where the finger of the drag that begins next was put down.
  private var touched: Point?
  /// Where the finger of the present drag was put down; nil if it caught what moved.
  private(set) var pressed: Point?
  var target = GestureTarget.nobody
  private var taps = DoubleTap()
  /// When a wheel last zoomed.
  private var wheelTime = -Double.infinity
  /// When a wheel last scrolled through a page, or arrived at its end.
  var scrollTime = -Double.infinity

  /// Creates a zoom that shows the whole stage.
  init(viewport: Viewport) { self.viewport = viewport }

  /// The window without the framing and the zoom: pointers are given in its points.
  var window: Camera { Camera(viewport: viewport) }

  /// Returns what the window shows at a time.
  func camera(at time: Double) -> Camera {
    Camera(viewport: viewport, framing: framing.view(at: time), view: view.view(at: time))
  }

  /// What the window shows once it is at rest.
  var cameraAtRest: Camera { Camera(viewport: viewport, framing: framing.goal, view: view.goal) }

  /// The time from which the window shows the same, in seconds; +infinity while a finger holds it.
  var restTime: Double { max(view.restTime, framing.restTime) }

  /// Whether fingers hold the zoom or the framing.
  var isHeld: Bool { view.isHeld || framing.isHeld }

  /// Ends the motion of the window that no finger holds.
  mutating func land() {
    view.land()
    framing.land()
  }

  /// Returns the bounds of the zoom over a stage.
  func bounds(over stage: Stage) -> ZoomView.Bounds {
    let scale = window.scale
    let size = viewport.size
    let stops = plan(over: stage)?.stops ?? []
    return ZoomView.Bounds(
      book: framing.reach(of: stage, in: viewport),
      window: Size(width: size.width / scale / 2, height: size.height / scale / 2),
      least: Size(
        width: stops.reduce(0) { max($0, abs($1.view.x)) },
        height: stops.reduce(0) { max($0, abs($1.view.y)) }
      )
    )
  }

  func stagePoint(_ point: Point, at time: Double) -> Point {
    framing.view(at: time).inverse(view.view(at: time).inverse(point))
  }

  /// Discards the gesture in progress, because another stage is shown; the zoom stays.
  mutating func forgetGesture() { target = .nobody }

  /// What a gesture of the member moves.
  enum GestureTarget: Equatable, Sendable {
    /// There is no gesture.
    case nobody
    /// The stage.
    case stage
    /// The member's own zoom.
    case zoom
    /// The member's own framing.
    case framing
    /// Two fingers over a flat book: spreading them zooms, pinching them makes the book stand up.
    case undecided(scale: Double)
  }
}

// MARK: - Fingers

extension ZoomControl {
  /// Applies an input, in points of the window, to the zoom, or passes it to the stage.
  /// - Returns: The inputs for the stage, in stage points.
  mutating func take(_ input: Input, over stage: Stage, at time: Double) -> Few<Input> {
    switch input {
    case .tap(let point): return tap(point, over: stage, at: time)
    case .touch(let point):
      touched = point
      return Few()
    case .pan(let phase, let point): return pan(phase, point, over: stage, at: time)
    case .pinch(let phase, let scale, let middle):
      return pinch(phase, scale, middle, over: stage, at: time)
    default: return Few(input)
    }
  }

  private mutating func pan(
    _ phase: GesturePhase,
    _ point: Point,
    over stage: Stage,
    at time: Double
  ) -> Few<Input> {
    let from = touched
    touched = nil
    if phase == .began {
      target = panTarget(from: from, to: point, over: stage, at: time)
      switch target {
      case .zoom: view.pan(from: point, over: bounds(over: stage), at: time)
      case .framing:
        framing.pull(from: point.x / view.goal.zoom, over: stage, in: viewport, at: time)
      default: break
      }
    }
    let isOver = phase == .ended || phase == .cancelled
    defer { if isOver { target = .nobody } }
    switch target {
    case .zoom:
      if phase == .changed { view.move(to: point, at: time) }
      if isOver { view.letGo(cancelled: phase == .cancelled, over: bounds(over: stage), at: time) }
      return Few()
    case .framing:
      if phase != .cancelled { framing.move(to: point.x / view.goal.zoom, at: time) }
      guard isOver else { return Few() }
      let before = framing.pageAtRest
      framing.letGo(cancelled: phase == .cancelled, over: stage, in: viewport, at: time)
      if framing.pageAtRest != before { showStart(of: framing.pageAtRest, over: stage, at: time) }
      return Few()
    default:
      let input = Input.pan(phase, stagePoint(point, at: time))
      if phase == .began { pressed = from }
      if phase == .ended, let turn = turnByPull(to: point, over: stage, at: time) {
        return [input, .key(Key(turning: turn))]
      }
      return from.map { Few(.touch(stagePoint($0, at: time)), input) } ?? Few(input)
    }
  }

  /// Returns what a drag moves.
  ///
  /// Over a magnified page that is the zoom, unless the drag pulls across from the edge of what can
  /// be shown; over a page that is fitted to the window it is the zoom if the drag goes up or down.
  /// Where one page is shown, a drag that pulls the other page of the spread into the window moves
  /// the framing.
  private func panTarget(
    from: Point?,
    to point: Point,
    over stage: Stage,
    at time: Double
  ) -> GestureTarget {
    let isFitted = isFitted(over: stage)
    guard let from else {
      return view.isZoomed && (!isFitted || stage.isSettled(at: time)) ? .zoom : .stage
    }
    let (across, down) = (point.x - from.x, point.y - from.y)
    if isFitted {
      if abs(down) > abs(across), plan(over: stage)?.zoom ?? 1 > 1 { return .zoom }
    } else if view.isZoomed {
      let isAcross = abs(across) > Self.acrossMin * abs(down)
      guard isAcross, view.isAtEnd(across < 0 ? -1 : 1, over: bounds(over: stage)) else {
        return .zoom
      }
    }
    guard across != 0, Framing.isTall(viewport), stage.openBook != nil else { return .stage }
    let isOnward = stage.step(towards: -across) > 0
    return framing.pageAtRest == (isOnward ? .first : .second) ? .framing : .stage
  }

  private mutating func pinch(
    _ phase: GesturePhase,
    _ scale: Double,
    _ middle: Point,
    over stage: Stage,
    at time: Double
  ) -> Few<Input> {
    let input = Input.pinch(phase, scale: scale, middle)
    let isOver = phase == .ended || phase == .cancelled
    if phase == .began {
      if view.isZoomed {
        target = .zoom
        view.pinch(at: middle, scale: scale, at: time)
      } else {
        let rests = stage.isOpenFlat && stage.isPoseSettled(at: time)
        target = rests ? .undecided(scale: scale) : .stage
      }
      return target == .stage ? Few(input) : Few()
    }
    defer { if isOver { target = .nobody } }
    switch target {
    case .nobody, .stage, .framing: return Few(input)
    case .zoom:
      if phase != .cancelled { view.move(to: middle, scale: scale, at: time) }
      if isOver { view.letGo(cancelled: phase == .cancelled, over: bounds(over: stage), at: time) }
      return Few()
    case .undecided(let start):
      let relative = scale / start
      if relative > 1 + Self.deadZone, !isOver {
        target = .zoom
        view.pinch(at: middle, scale: start * (1 + Self.deadZone), at: time)
        view.move(to: middle, scale: scale, at: time)
      } else if relative < 1 - Self.deadZone, !isOver {
        target = .stage
        return [.pinch(.began, scale: start, middle), input]
      }
      return Few()
    }
  }

  /// Lets the zoom continue a pinch that has laid the book flat.
  /// - Parameters:
  ///   - middle: The point between the fingers.
  ///   - isHolder: Whether the member holds the stage's gesture.
  ///   - stage: The stage after the fingers' input.
  ///   - time: The time of the input, in seconds.
  mutating func pinchBeyondFlat(
    about middle: Point,
    isHolder: Bool,
    over stage: Stage,
    at time: Double
  ) {
    guard target != .zoom else { return }
    let beyond = isHolder ? stage.pinchBeyondFlat : 1
    if beyond > 1 {
      if !view.isHeld { view.pinch(at: middle, scale: 1, at: time) }
      view.move(to: middle, scale: beyond, at: time)
    } else if view.isHeld {
      view.letGo(cancelled: true, over: bounds(over: stage), at: time)
    }
  }

  private mutating func tap(_ point: Point, over stage: Stage, at time: Double) -> Few<Input> {
    let scale = window.scale
    let place = Point(x: point.x * scale, y: point.y * scale)
    let isDouble = taps.isSecond(place, at: time)
    if isMagnified(over: stage) {
      isDouble ? goBack(over: stage, at: time) : taps.expect(place, at: time)
      return Few()
    }
    let inStage = stagePoint(point, at: time)
    guard stage.openBook != nil else { return [.tap(inStage)] }
    if let turn = turnByTap(at: point, inStage, over: stage) {
      // A double tap where a single tap turns is meant to turn one leaf.
      if isDouble { return Few() }
      taps.expect(place, at: time)
      return step(turn, over: stage, at: time) ? [] : [.key(Key(turning: turn))]
    }
    guard isDouble, stage.isOpenFlat || stage.isInsidePage(inStage) else {
      taps.expect(place, at: time)
      // The stage would turn where the outer part of a page is, which is not that of the window.
      return isFitted(over: stage) ? [] : [.tap(inStage)]
    }
    if !stage.isOpenFlat { return [.lay(.flat)] }
    view.zoom(by: ZoomView.tapZoom, about: point, over: bounds(over: stage), at: time)
    return Few()
  }
}

// MARK: - Wheels, keys and controls

extension ZoomControl {
  /// Zooms or scrolls by a wheel event.
  /// - Returns: Whether the wheel moves the zoom; if not, it is for the stage.
  mutating func takeWheel(
    dx: Double,
    dy: Double,
    about focus: Point,
    isZoom: Bool,
    over stage: Stage,
    at now: Double
  ) -> Bool {
    guard isZoom else { return scroll(dx: dx, dy: dy, over: stage, at: now) }
    if view.isHeld { return target == .zoom }
    let rests = stage.isOpenFlat && stage.isPoseSettled(at: now)
    if view.goal.zoom > 1 || (rests && dy < 0) {
      let step = min(max(dy, -Self.wheelPixelsMax), Self.wheelPixelsMax)
      let factor = exp(-step / Self.wheelPixels)
      view.follow(factor: factor, about: focus, over: bounds(over: stage), at: now)
    } else if !rests || now - wheelTime > Self.wheelPause {
      return false
    }
    wheelTime = now
    return true
  }

  /// Applies a key that zooms; any other key is for the stage.
  /// - Returns: The inputs for the stage.
  mutating func take(_ key: Key, over stage: Stage, at now: Double) -> Few<Input> {
    let middle = Point(x: 0, y: 0)
    switch key {
    // Without a book they lead from the carousel to the wall and back.
    case .plus where stage.openBook == nil, .minus where stage.openBook == nil: return [.key(key)]
    case .plus: return zoom(by: Self.keyFactor, about: middle, over: stage, at: now)
    case .minus: return zoom(by: 1 / Self.keyFactor, about: middle, over: stage, at: now)
    case .zero: return zoom(by: nil, about: middle, over: stage, at: now)
    case .escape where isMagnified(over: stage):
      return zoom(by: nil, about: middle, over: stage, at: now)
    // A standing page would be too foreshortened to be a step on the way back.
    case .escape where showsPage(of: stage) && stage.isFlat: return [.lay(.standing), .key(key)]
    default:
      if let turn = key.turn(in: stage), step(turn, over: stage, at: now) { return Few() }
      return [.key(key)]
    }
  }

  /// Zooms by a factor, or back to what the window shows without it.
  ///
  /// Instead of zooming, a step in lays a standing book flat, and a step out makes a book that is
  /// seen whole stand up.
  /// - Parameters:
  ///   - factor: The factor; nil zooms back.
  ///   - focus: The point that keeps its position.
  ///   - stage: The stage.
  ///   - now: The current time, in seconds.
  /// - Returns: The inputs for the stage.
  mutating func zoom(
    by factor: Double?,
    about focus: Point,
    over stage: Stage,
    at now: Double
  ) -> Few<Input> {
    guard !view.isHeld else { return Few() }
    guard let factor else {
      if !view.isAway { goBack(over: stage, at: now) }
      return Few()
    }
    if stage.isOpenFlat, factor > 1 || view.isZoomed {
      view.zoom(by: factor, about: focus, over: bounds(over: stage), at: now)
      return Few()
    }
    return factor == 1 ? [] : [.lay(factor > 1 ? .flat : .standing)]
  }
}
