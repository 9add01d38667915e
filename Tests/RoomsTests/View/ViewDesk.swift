import Motion
import Scene
import Staging
import Testing
import Wire

@testable import Rooms

/// One member's view of a stage with an open book, and a virtual clock.
struct ViewDesk: Hand {
  var stage: Stage
  var view: MemberView
  var now = 10.0
  private var spread = 0

  init(
    isFlat: Bool = true,
    in viewport: Viewport = .plain,
    reading progression: Progression = .leftToRight
  ) {
    stage = Stage(library: ShownLibrary(.varied.read(progression)).layout)
    view = MemberView(Hello(room: "R", viewport: viewport))
    view.zoom.reframe(over: stage, at: now)
    stage.apply(.go(book: "0/0", opens: true, page: nil), at: now)
    pass(9)
    if isFlat { act([.lay(.flat)], pause: 3) }
  }

  /// The final zoom of the window.
  var zoom: Double { view.zoom.view.goal.zoom }

  /// Applies the inputs of the view to the stage.
  mutating func act(_ inputs: some Sequence<Input>, pause: Double = 0) {
    for input in inputs { stage.apply(input, at: now) }
    pass(pause)
  }

  mutating func pass(_ seconds: Double) {
    follow()
    now += seconds
    stage.advance(to: now)
    follow()
  }

  private mutating func follow() {
    _ = view.zoom.follow(
      stage,
      turned: stage.spread - spread,
      holds: stage.isDriven && view.isTouched,
      at: now
    )
    spread = stage.spread
  }

  @discardableResult
  mutating func finger(
    _ phase: PointerPhase,
    _ x: Double,
    _ y: Double,
    id: UInt8 = 0,
    pause: Double = 0.02
  ) -> [Input] {
    let size = view.viewport.size
    let place = Point(x: size.width / 2 + x, y: size.height / 2 + y)
    let sample = PointerSample(id: id, phase: phase, x: place.x, y: place.y)
    var all: [Input] = []
    for input in view.recognize(sample, over: stage, at: now) {
      let inputs = view.zoom.take(input, over: stage, at: now)
      all += inputs
      act(inputs)
      if case .pinch(_, _, let middle) = input {
        view.zoom.pinchBeyondFlat(about: middle, isHolder: true, over: stage, at: now)
      }
    }
    pass(pause)
    return all
  }

  mutating func tap(_ x: Double, _ y: Double = 20, times: Int = 1, pause: Double = 3) {
    for _ in 0..<times {
      finger(.down, x, y)
      finger(.up, x, y)
    }
    pass(pause)
  }

  mutating func wheel(
    _ dy: Double,
    dx: Double = 0,
    isZoom: Bool = false,
    pause: Double = 0.016
  ) {
    let size = view.viewport.size
    let place = Point(x: size.width / 2, y: size.height / 2)
    act(view.takeWheel(dx: dx, dy: dy, at: place, isZoom: isZoom, over: stage, at: now))
    if isZoom {
      let middle = view.windowPoint(place)
      view.zoom.pinchBeyondFlat(about: middle, isHolder: true, over: stage, at: now)
    }
    pass(pause)
  }

  mutating func press(_ key: Key) { act(view.zoom.take(key, over: stage, at: now), pause: 3) }

  mutating func zoom(by factor: Double, at place: Point = Point(x: 512, y: 384)) {
    let focus = view.windowPoint(place)
    act(view.zoom.zoom(by: factor, about: focus, over: stage, at: now), pause: 3)
  }
}
