import Motion
import Scene
import Staging
import Testing
import Wire

@testable import Rooms

@Suite("A member's view")
struct MemberViewTests {
  @Test("a double tap lays the book flat, the next one zooms in about the point, then out again")
  func doubleTaps() {
    var desk = ViewDesk(isFlat: false)
    desk.tap(80, times: 2)
    #expect(desk.stage.isOpenFlat && desk.zoom == 1)
    desk.tap(80, times: 2)
    #expect(desk.zoom == 2 && abs(desk.view.zoom.view.goal.x + 80) < 1e-9)
    desk.tap(390, times: 2)
    #expect(desk.zoom == 1 && desk.stage.spread == 0)
  }

  @Test("two taps that are apart in time or place are no double tap")
  func singleTaps() {
    var desk = ViewDesk()
    for _ in 0..<2 { desk.tap(80, pause: 0.31) }
    #expect(desk.zoom == 1)
    desk.tap(80, pause: 0.1)
    desk.tap(105, pause: 3)
    #expect(desk.zoom == 1 && desk.stage.spread == 0)
  }

  @Test("a double tap where a tap turns turns one leaf, and slower taps turn one each")
  func turningTaps() {
    var desk = ViewDesk()
    desk.tap(390, times: 2)
    #expect(desk.stage.spread == 1 && desk.zoom == 1)
    desk.tap(-390, times: 2)
    #expect(desk.stage.spread == 0)
    for _ in 0..<3 { desk.tap(390, pause: 0.4) }
    desk.pass(3)
    #expect(desk.stage.spread == 3)
  }

  @Test("two fingers on a flat book zoom, without an effect on the stage")
  func pinches() {
    var desk = ViewDesk()
    let before = desk.stage
    desk.pinch(from: 40, to: 100)
    #expect(abs(desk.zoom - 2.5) < 0.1 && desk.stage == before)
  }

  @Test("one pinch goes from paper through flat into the zoom, and each pinch back is one step")
  func steps() {
    var desk = ViewDesk(isFlat: false)
    desk.pinch(from: 40, to: 240)
    #expect(desk.stage.isOpenFlat && abs(desk.zoom - 3) < 0.2)
    desk.pinch(from: 240, to: 20)
    #expect(desk.stage.isOpenFlat && desk.zoom == 1)
    desk.pinch(from: 240, to: 60)
    #expect(!desk.stage.isFlat && desk.stage.screen == .book)
  }

  @Test("one finger and wheels move a zoomed view, and nothing turns")
  func moves() {
    var desk = ViewDesk()
    desk.zoom(by: 4)
    let before = desk.view.camera
    var inputs = desk.finger(.down, 200, 0)
    for step in 1...10 { inputs += desk.finger(.move, 200 - 30 * Double(step), 0) }
    inputs += desk.finger(.up, -100, 0, pause: 3)
    desk.tap(390, 0)
    desk.wheel(300)
    #expect(inputs.isEmpty && desk.stage.spread == 0 && desk.zoom == 4)
    let after = desk.view.camera.transform
    #expect(before.transform != after && after.m41 < -200 && after.m42 < -200)
  }

  @Test("the zoom persists through a turn and shows the top of the next page")
  func turning() {
    var desk = ViewDesk()
    desk.zoom(by: 2, at: Point(x: 512, y: 700))
    desk.act([.key(.arrowRight)], pause: 3)
    let camera = desk.view.camera.transform
    #expect(desk.zoom == 2 && camera.m42 > 200 && camera.m41 > 200)
  }

  @Test("a book that stands up or closes ends the zoom", arguments: [true, false])
  func away(stands: Bool) {
    var desk = ViewDesk()
    desk.zoom(by: 2)
    desk.act([stands ? .lay(.standing) : .go(book: "2/1", opens: false, page: nil)], pause: 9)
    #expect(desk.zoom == 1 && !desk.stage.isOpenFlat && desk.view.zoom.view.isAway)
  }

  @Test("keys zoom a flat book, and Escape ends the zoom before it stands the book up")
  func keys() {
    var desk = ViewDesk(isFlat: false)
    desk.press(.plus)
    #expect(desk.stage.isOpenFlat && desk.zoom == 1)
    desk.press(.plus)
    #expect(desk.zoom == 1.5)
    desk.press(.plus)
    desk.press(.minus)
    #expect(abs(desk.zoom - 1.5) < 1e-9)
    desk.press(.zero)
    #expect(desk.zoom == 1 && desk.stage.isOpenFlat)
    desk.press(.plus)
    desk.press(.escape)
    #expect(desk.zoom == 1 && desk.stage.isOpenFlat)
    desk.press(.escape)
    #expect(!desk.stage.isFlat && desk.stage.screen == .book)
  }

  @Test("a zooming wheel lays the book flat, zooms further, and returns step by step")
  func wheel() {
    var desk = ViewDesk(isFlat: false)
    for _ in 0..<30 { desk.wheel(-10, isZoom: true) }
    desk.pass(2)
    #expect(desk.stage.isOpenFlat && desk.zoom > 2)
    for _ in 0..<60 { desk.wheel(10, isZoom: true) }
    desk.pass(2)
    #expect(desk.stage.isOpenFlat && desk.zoom == 1)
    for _ in 0..<20 { desk.wheel(10, isZoom: true) }
    desk.pass(2)
    #expect(!desk.stage.isFlat && desk.stage.screen == .book)
  }

  @Test("a notch of a wheel turns one leaf, or moves a list by its distance")
  func notches() {
    var desk = ViewDesk()
    desk.wheel(100, pause: 3)
    #expect(desk.stage.spread == 1)
    var view = desk.view
    let list = Stage(library: ShownLibrary(.varied).layout)
    let place = Point(x: 5, y: 5)
    let inputs = view.takeWheel(dx: 3, dy: 40, at: place, isZoom: false, over: list, at: 0)
    #expect(inputs == [.wheel(dx: 3, dy: 40, ctrl: false)])
  }

  @Test("fingers that the member can no longer lift are lifted automatically")
  func lifting() {
    var desk = ViewDesk(isFlat: false)
    desk.finger(.down, 300, 0)
    desk.finger(.move, 200, 0)
    #expect(desk.stage.isDriven && desk.view.isTouched && desk.view.finger != nil)
    let now = desk.now
    desk.act(desk.view.liftFingers(over: desk.stage, at: now))
    #expect(!desk.stage.isDriven && !desk.view.isTouched)
    #expect(desk.view.liftFingers(over: desk.stage, at: now).isEmpty)
  }

  @Test("lifting the fingers cancels a zoom gesture of the browser once, if a stage accepted it")
  func browserPinch() {
    let cancelled = Input.pinch(.cancelled, scale: 1, Point(x: 0, y: 0))
    for (mayAct, isAccepted) in [(true, false), (false, false), (false, true)] {
      var desk = ViewDesk(isFlat: false)
      let place = Point(x: 600, y: 300)
      let began = desk.view
        .pinch(.began, scale: 1, at: place, mayAct: mayAct, over: desk.stage, at: desk.now)
      #expect(began.count == 1)
      if isAccepted { desk.view.holdPinch() }
      let lifted = desk.view.liftFingers(over: desk.stage, at: desk.now)
      #expect(lifted == (mayAct || isAccepted ? [cancelled] : []))
      #expect(desk.view.liftFingers(over: desk.stage, at: desk.now) == [])
    }
  }

  @Test("a flight's cameras are 1/60 s apart, never too far ahead, and end where the zoom rests")
  func flight() throws {
    var desk = ViewDesk()
    let focus = Point(x: 0, y: 0)
    _ = desk.view.zoom.zoom(by: 4, about: focus, over: desk.stage, at: desk.now)
    var cameras = try #require(desk.view.takeOff(now: desk.now).flight)
    #expect(cameras.count >= 14 && desk.view.isFlying)
    #expect(cameras.allSatisfy { $0.time > desk.now && $0.time <= desk.now + Pacing.flownAhead })
    for _ in 0..<100 where desk.view.isFlying {
      desk.now += 0.1
      cameras += desk.view.continueFlight(now: desk.now)
    }
    for (one, next) in zip(cameras, cameras.dropFirst()) {
      #expect(abs(next.time - one.time - 1.0 / 60) < 1e-9)
    }
    #expect(!desk.view.isFlying && cameras.last?.matrix == WireMatrix(desk.view.camera.transform))
    #expect(desk.view.takeOff(now: desk.now + Pacing.flownAhead).flight == nil)
  }

  @Test("a member that prefers reduced motion gets the camera at rest at once")
  func cut() {
    var desk = ViewDesk()
    desk.view.reducesMotion = true
    let focus = Point(x: 0, y: 0)
    _ = desk.view.zoom.zoom(by: 4, about: focus, over: desk.stage, at: desk.now)
    let (camera, flight) = desk.view.takeOff(now: desk.now)
    #expect(camera == desk.view.camera && flight == nil && !desk.view.isFlying)
  }

  @Test("a window of another size brings the zoom back within the book's edges")
  func resizing() {
    var desk = ViewDesk()
    desk.zoom(by: 4, at: Point(x: 1000, y: 700))
    let before = desk.view.zoom.view.goal
    desk.view.viewport = Viewport(size: Size(width: 3000, height: 768))
    desk.view.zoom.reframe(over: desk.stage, at: desk.now)
    #expect(abs(desk.view.zoom.view.goal.x) < abs(before.x))
  }
}
