internal import Geometry
internal import Glibc
internal import Scene
internal import Staging

/// Controls one member's zoom, and decides which gestures move the zoom and which the stage.
///
/// Fingers move the zoom where the book lies flat or is zoomed; everything else is for the stage.
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

  /// The member's window.
  var viewport: Viewport
  /// The current zoom and pan.
  private(set) var view = ZoomView()
  private var target = GestureTarget.nobody
  private var taps = DoubleTap()
  /// When a wheel last zoomed.
  private var wheelTime = -Double.infinity

  /// Creates a zoom that shows the whole stage.
  init(viewport: Viewport) { self.viewport = viewport }

  /// The window without the zoom: pointers are given in its points.
  var window: Camera { Camera(viewport: viewport) }

  /// Returns the bounds of the zoom over a stage.
  private func bounds(over stage: Stage) -> ZoomView.Bounds {
    let scale = window.scale
    let size = viewport.size
    return ZoomView.Bounds(
      book: stage.flatReach,
      window: Size(width: size.width / scale / 2, height: size.height / scale / 2)
    )
  }

  private func stagePoint(_ point: Point, at time: Double) -> Point {
    let seen = view.view(at: time)
    return Point(x: (point.x - seen.x) / seen.zoom, y: (point.y - seen.y) / seen.zoom)
  }

  /// Discards the gesture in progress, because another stage is shown; the zoom stays.
  mutating func forgetGesture() { target = .nobody }

  /// What a gesture of the member moves.
  private enum GestureTarget: Equatable, Sendable {
    /// There is no gesture.
    case nobody
    /// The stage.
    case stage
    /// The member's own zoom.
    case zoom
    /// Two fingers over a flat book: spreading them zooms, pinching them makes the book stand up.
    case undecided(scale: Double)
  }
}

// MARK: - Fingers

extension ZoomControl {
  /// Applies an input, in points of the window, to the zoom, or passes it to the stage.
  /// - Returns: The inputs for the stage, in stage points.
  mutating func take(_ input: Input, over stage: Stage, at time: Double) -> [Input] {
    switch input {
    case .tap(let point): return tap(point, over: stage, at: time)
    case .touch(let point): return view.isZoomed ? [] : [.touch(stagePoint(point, at: time))]
    case .pan(let phase, let point):
      if phase == .began { target = view.isZoomed ? .zoom : .stage }
      guard target == .zoom else { return [.pan(phase, stagePoint(point, at: time))] }
      pan(phase, point, over: stage, at: time)
      return []
    case .pinch(let phase, let scale, let middle):
      return pinch(phase, scale, middle, over: stage, at: time)
    default: return [input]
    }
  }

  private mutating func pan(
    _ phase: GesturePhase,
    _ point: Point,
    over stage: Stage,
    at time: Double
  ) {
    switch phase {
    case .began: view.pan(from: point, over: bounds(over: stage), at: time)
    case .changed: view.move(to: point, at: time)
    case .ended, .cancelled:
      target = .nobody
      view.letGo(cancelled: phase == .cancelled, over: bounds(over: stage), at: time)
    }
  }

  private mutating func pinch(
    _ phase: GesturePhase,
    _ scale: Double,
    _ middle: Point,
    over stage: Stage,
    at time: Double
  ) -> [Input] {
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
      return target == .stage ? [input] : []
    }
    defer { if isOver { target = .nobody } }
    switch target {
    case .nobody, .stage: return [input]
    case .zoom:
      if phase != .cancelled { view.move(to: middle, scale: scale, at: time) }
      if isOver {
        view.letGo(cancelled: phase == .cancelled, over: bounds(over: stage), at: time)
      }
      return []
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
      return []
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

  private mutating func tap(
    _ point: Point,
    over stage: Stage,
    at time: Double
  ) -> [Input] {
    let scale = window.scale
    let place = Point(x: point.x * scale, y: point.y * scale)
    let isDouble = taps.isSecond(place, at: time)
    if view.isZoomed {
      isDouble ? view.goAway(at: time) : taps.expect(place, at: time)
      return []
    }
    let inStage = stagePoint(point, at: time)
    guard stage.openBook != nil else { return [.tap(inStage)] }
    if stage.turnsByTap(at: inStage) {
      // A double tap where a single tap turns is meant to turn one leaf.
      if isDouble { return [] }
      taps.expect(place, at: time)
      return [.tap(inStage)]
    }
    guard isDouble, stage.isOpenFlat || stage.isInsidePage(inStage) else {
      taps.expect(place, at: time)
      return [.tap(inStage)]
    }
    if !stage.isOpenFlat { return [.lay(.flat)] }
    view.zoom(by: ZoomView.tapZoom, about: point, over: bounds(over: stage), at: time)
    return []
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
    guard isZoom else {
      guard view.isZoomed, !view.isHeld else { return view.isHeld }
      let scale = window.scale
      view.scroll(dx: dx / scale, dy: dy / scale, over: bounds(over: stage), at: now)
      return true
    }
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
  mutating func take(_ key: Key, over stage: Stage, at now: Double) -> [Input] {
    let middle = Point(x: 0, y: 0)
    switch key {
    case .plus: return zoom(by: Self.keyFactor, about: middle, over: stage, at: now)
    case .minus: return zoom(by: 1 / Self.keyFactor, about: middle, over: stage, at: now)
    case .zero: return zoom(by: nil, about: middle, over: stage, at: now)
    case .escape where view.isZoomed: return zoom(by: nil, about: middle, over: stage, at: now)
    default: return [.key(key)]
    }
  }

  /// Zooms by a factor, or back to the whole stage.
  ///
  /// Instead of zooming, a step in lays a standing book flat, and a step out makes a book that is
  /// seen whole stand up.
  /// - Parameters:
  ///   - factor: The factor; nil zooms out to the whole stage.
  ///   - focus: The point that keeps its position.
  ///   - stage: The stage.
  ///   - now: The current time, in seconds.
  /// - Returns: The inputs for the stage.
  mutating func zoom(
    by factor: Double?,
    about focus: Point,
    over stage: Stage,
    at now: Double
  ) -> [Input] {
    guard !view.isHeld else { return [] }
    guard let factor else {
      if !view.isAway { view.goAway(at: now) }
      return []
    }
    if stage.isOpenFlat, factor > 1 || view.isZoomed {
      view.zoom(by: factor, about: focus, over: bounds(over: stage), at: now)
      return []
    }
    return factor == 1 ? [] : [.lay(factor > 1 ? .flat : .standing)]
  }
}

// MARK: - What the stage does

extension ZoomControl {
  /// Follows a change of the stage: the zoom moves to the page that is turned to, and ends when the
  /// book no longer lies flat.
  /// - Parameters:
  ///   - stage: The current stage.
  ///   - turned: How many leaves were turned, negative for backwards.
  ///   - now: The current time, in seconds.
  /// - Returns: Whether the zoom has changed.
  mutating func follow(_ stage: Stage, turned: Int, at now: Double) -> Bool {
    guard !view.isAway else { return false }
    let before = view
    if !stage.isOpenFlat {
      view.goAway(at: now)
      if target == .zoom { target = .nobody }
    } else if turned != 0, view.isZoomed {
      view.showTop(forwards: turned > 0, over: bounds(over: stage), at: now)
    } else if view.isHeld, target == .nobody, !stage.isDriven {
      // The wheel that laid the book flat and continued has ended.
      view.letGo(cancelled: true, over: bounds(over: stage), at: now)
    }
    return view != before
  }

  /// Flies back to within the bounds of the zoom, for example after the window has changed its
  /// size.
  mutating func stayWithinBounds(over stage: Stage, at now: Double) {
    view.stayWithin(bounds(over: stage), at: now)
  }
}
