internal import Motion
internal import Scene
internal import Staging
internal import Wire

/// How one member looks at a stage: its window, its zoom, and the effects of its fingers and wheel.
///
/// The view handles pointers and messages as they are received, moves the member's own zoom, and
/// returns the inputs that are for the stage; it changes no stage. Places are in CSS pixels from
/// the window's top left, and times in seconds of the room's clock.
struct MemberView: Sendable {
  /// Whether the member prefers to see no motion.
  var reducesMotion: Bool
  /// The member's zoom and pan.
  var zoom: ZoomControl
  /// Where the first of the member's fingers is; nil if none is down.
  var finger: Point? { firstFinger?.place }
  private var firstFinger: (id: UInt8, place: Point)?
  private var recognizer = Recognizer()
  /// The zoom gesture that the browser recognizes; nil if there is none.
  private var browserPinch: BrowserPinch?
  private var wheel = WheelRecognizer()
  private var flight = CameraFlight()

  private enum BrowserPinch {
    /// The member had no right to move the stage when the gesture began.
    case denied
    /// The gesture holds the stage, or the member's own zoom.
    case held
  }

  /// Creates the view of a member from its hello.
  init(_ hello: Hello) {
    zoom = ZoomControl(viewport: hello.viewport)
    reducesMotion = hello.reducesMotion
  }

  /// The member's window.
  var viewport: Viewport {
    get { zoom.viewport }
    set { zoom.viewport = newValue }
  }

  /// What the window shows once the zoom has come to rest.
  var camera: Camera { zoom.cameraAtRest }

  /// Returns the point of the stage that is visible at a place of the window.
  func stagePoint(_ place: Point, at time: Double) -> Point {
    zoom.camera(at: time).stagePoint(place)
  }

  /// Returns the point of the window at a place, in stage points from the window's middle.
  func windowPoint(_ place: Point) -> Point { zoom.window.viewPoint(place) }
}

// MARK: - Fingers

extension MemberView {
  /// Whether a finger is down.
  var isTouched: Bool { recognizer.isTouched }

  /// Handles a pointer sample.
  /// - Returns: The inputs that it means, in window points, for ``ZoomControl/take(_:over:at:)``.
  mutating func recognize(
    _ sample: PointerSample,
    over stage: Stage,
    at time: Double
  ) -> Few<Input> {
    let place = Point(x: sample.x, y: sample.y)
    if firstFinger == nil || firstFinger?.id == sample.id {
      let isDown = sample.phase == .down || sample.phase == .move
      firstFinger = isDown ? (sample.id, place) : nil
    }
    let isMoving =
      zoom.view.isZoomed && zoom.view.restTime > time
      || !zoom.isMagnified(over: stage) && !stage.isSettled(at: time)
    return recognizer.handle(
      sample.id,
      sample.phase,
      at: place,
      time: time,
      isMoving: isMoving,
      camera: zoom.window
    )
  }

  /// Handles a zoom gesture that the browser recognized.
  /// - Parameters:
  ///   - phase: The phase of the gesture.
  ///   - scale: The distance between the fingers, relative to where they began.
  ///   - place: The middle between them.
  ///   - mayAct: Whether the member may move the stage now.
  ///   - stage: The stage.
  ///   - now: The current time, in seconds.
  /// - Returns: The inputs for the stage.
  mutating func pinch(
    _ phase: GesturePhase,
    scale: Double,
    at place: Point,
    mayAct: Bool,
    over stage: Stage,
    at now: Double
  ) -> Few<Input> {
    let inputs = zoom.take(.pinch(phase, scale: scale, windowPoint(place)), over: stage, at: now)
    switch phase {
    case .began: browserPinch = inputs.isEmpty || mayAct ? .held : .denied
    case .changed: break
    case .ended, .cancelled: browserPinch = nil
    }
    return inputs
  }

  /// Marks a denied zoom gesture as held, because another stage has accepted it.
  mutating func holdPinch() {
    if browserPinch != nil { browserPinch = .held }
  }

  /// Lifts all fingers of a member that can no longer lift them itself.
  /// - Returns: The resulting inputs for the stage.
  mutating func liftFingers(over stage: Stage, at now: Double) -> Few<Input> {
    firstFinger = nil
    var lifted = recognizer.cancelAll(camera: zoom.window)
    if browserPinch == .held { lifted.append(.pinch(.cancelled, scale: 1, Point(x: 0, y: 0))) }
    browserPinch = nil
    var inputs = Few<Input>()
    for input in lifted { inputs += zoom.take(input, over: stage, at: now) }
    return inputs
  }

  /// Ends what the fingers hold, because it is gone; they count again after they have been lifted.
  mutating func dropHeld() { recognizer.forget() }

  /// Discards everything that belongs to the previous stage; the window and the zoom stay.
  mutating func changeStage() {
    recognizer = Recognizer()
    zoom.forgetGesture()
    browserPinch = nil
    firstFinger = nil
    flight.end()
  }
}

// MARK: - Wheel

extension MemberView {
  /// Handles a wheel event.
  /// - Returns: The inputs for the stage: a list follows the wheel, and leaves and books move in
  ///   steps; none if the wheel moves the zoom.
  mutating func takeWheel(
    dx: Double,
    dy: Double,
    at place: Point,
    isZoom: Bool,
    over stage: Stage,
    at now: Double
  ) -> Few<Input> {
    let isForZoom = zoom.takeWheel(
      dx: dx,
      dy: dy,
      about: windowPoint(place),
      isZoom: isZoom,
      over: stage,
      at: now
    )
    if isForZoom { return Few() }
    if isZoom { return [.wheel(dx: dx, dy: dy, ctrl: true)] }
    guard stage.screen != .collections else {
      wheel = WheelRecognizer()
      return [.wheel(dx: dx, dy: dy, ctrl: false)]
    }
    let onward = stage.screen == .shelf ? WheelRecognizer.bookPixels : nil
    // Its steps are passed on as a wheel that is turned up or down.
    let across = stage.screen == .book && stage.isMirrored ? -dx : dx
    let count = wheel.handle(dx: across, dy: dy, at: now, onward: onward)
    if count != 0, zoom.step(count, over: stage, at: now) { return [] }
    let pixels = Double(count) * WheelRecognizer.stepPixels
    return count == 0 ? [] : [.wheel(dx: 0, dy: pixels, ctrl: false)]
  }
}

// MARK: - Camera

extension MemberView {
  /// Returns the current camera, and the first cameras of the flight that follows; nil if none
  /// does.
  ///
  /// A member that prefers reduced motion receives the camera at rest, except while its fingers
  /// hold the zoom.
  mutating func takeOff(now: Double) -> (camera: Camera, flight: [TimedCamera]?) {
    flight.end()
    let isCut = reducesMotion && !zoom.isHeld
    let camera = isCut ? zoom.cameraAtRest : zoom.camera(at: now)
    guard !zoom.isHeld, !isCut, zoom.restTime > now else { return (camera, nil) }
    flight.begin(at: now)
    return (camera, continueFlight(now: now))
  }

  /// Returns the next cameras of the current flight; none if there is no flight.
  mutating func continueFlight(now: Double) -> [TimedCamera] { flight.next(of: zoom, now: now) }

  /// Ends the flight, because the member is to receive a new camera.
  mutating func endFlight() { flight.end() }

  /// Whether a flight is in progress.
  var isFlying: Bool { flight.isUnderWay }
}

// MARK: - Messages without fingers

extension MemberView {
  /// Applies what a message without fingers means to the member's own zoom.
  /// - Returns: What it means to the stage.
  mutating func orders(
    of message: ClientMessage,
    over stage: Stage,
    in library: ShownLibrary,
    at now: Double
  ) -> Few<Input> {
    switch message {
    case .wheel(let dx, let dy, let place, let ctrl):
      return takeWheel(dx: dx, dy: dy, at: place, isZoom: ctrl, over: stage, at: now)
    case .key(let key): return zoom.take(key, over: stage, at: now)
    case .zoomStep(let factor, let place):
      return zoom.zoom(by: factor, about: windowPoint(place), over: stage, at: now)
    case .lay(let order): return [.lay(order)]
    case .jump(let page):
      guard let book = library.openBook(on: stage) else { return [.jump(page: Int(page))] }
      return jump(toFace: book.face(ofPage: Int(page)), over: stage, at: now)
    case .go(let book, let opens, let page):
      return [library.faced(.go(book: book, opens: opens, page: page.map { Int($0) }))]
    default: return []
    }
  }

  /// Returns the input that jumps to a face, which the window shows if it shows one page.
  private mutating func jump(toFace face: Int, over stage: Stage, at now: Double) -> Few<Input> {
    let page: Framing.Page = face % 2 == 1 ? .first : .second
    if stage.spreadPages.contains(face) {
      _ = zoom.look(at: page, of: stage, at: now)
    } else {
      zoom.want(page)
    }
    return [.jump(page: face)]
  }
}
