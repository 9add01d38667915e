import Motion
import Scene
import TestVectors
import Testing

@testable import Staging

@Suite("Zoom views")
struct ZoomViewTests {
  private let field = ZoomView.Bounds(
    book: Size(width: 402, height: 316),
    window: Size(width: 512, height: 384)
  )

  /// Returns the point of the stage under a point of the window.
  private func under(_ zoomView: ZoomView, _ point: Point, at time: Double) -> Point {
    let view = zoomView.view(at: time)
    return Point(x: (point.x - view.x) / view.zoom, y: (point.y - view.y) / view.zoom)
  }

  private func zoomed(_ zoom: Double = 4) -> ZoomView {
    var zoomView = ZoomView()
    zoomView.follow(factor: zoom, about: Point(x: 0, y: 0), over: field, at: 0)
    return zoomView
  }

  @Test("two fingers zoom about the point under them and move it along")
  func pinch() {
    var zoomView = ZoomView()
    let point = Point(x: 100, y: -50)
    zoomView.pinch(at: point, scale: 1, at: 0)
    let before = under(zoomView, point, at: 0)
    for (step, scale) in [1.2, 2.0, 3.7, 6].enumerated() {
      let moved = Point(x: 100 + 10 * Double(step), y: -50)
      zoomView.move(to: moved, scale: scale, at: 0.1 * Double(step + 1))
      let now = under(zoomView, moved, at: 1)
      #expect(abs(now.x - before.x) < 1e-9 && abs(now.y - before.y) < 1e-9)
      #expect(abs(zoomView.view(at: 1).zoom - scale) < 1e-9)
    }
  }

  @Test("beyond its range a zoom stretches and springs back to 1 or to 8")
  func band() {
    for (scale, rest) in [(0.3, 1.0), (40, 8)] {
      var zoomView = ZoomView()
      zoomView.pinch(at: Point(x: 20, y: 20), scale: 1, at: 0)
      zoomView.move(to: Point(x: 20, y: 20), scale: scale, at: 0.2)
      let zoom = zoomView.view(at: 0.2).zoom
      #expect(scale < 1 ? zoom < 1 && zoom > 0.6 : zoom > 8 && zoom < 8 * 1.6)
      zoomView.letGo(cancelled: false, over: field, at: 0.3)
      #expect(zoomView.view(at: zoomView.restTime).zoom == rest && !zoomView.isHeld)
    }
  }

  @Test("an animated zoom keeps its point all the way")
  func flight() {
    var zoomView = ZoomView()
    let point = Point(x: 120, y: 60)
    zoomView.zoom(by: 2, about: point, over: field, at: 0)
    for step in 0..<20 {
      let now = under(zoomView, point, at: Double(step) / 60)
      #expect(abs(now.x - 120) < 1e-9 && abs(now.y - 60) < 1e-9)
    }
    #expect(zoomView.goal.zoom == 2 && zoomView.restTime < 3)
    zoomView.goAway(at: 0.2)
    #expect(zoomView.view(at: 9) == .whole && zoomView.isAway)
  }

  @Test("the book stays in the window: a pan stretches at the edge, and a fling ends there")
  func limits() {
    var zoomView = zoomed()
    zoomView.pan(from: Point(x: 0, y: 0), over: field, at: 0)
    zoomView.move(to: Point(x: 400, y: 0), at: 0.05)
    #expect(zoomView.view(at: 0.05).x == 400)
    for step in 0..<6 {
      zoomView.move(to: Point(x: 400 + 400 * Double(step), y: 0), at: 0.05 + 0.02 * Double(step))
    }
    let limit = 4 * 402.0 - 512
    #expect(zoomView.view(at: 1).x > limit && zoomView.view(at: 1).x < 2000)
    zoomView.letGo(cancelled: false, over: field, at: 0.16)
    #expect(zoomView.view(at: 9).x == limit)
  }

  @Test("a fling continues with the finger's velocity and can be caught")
  func fling() {
    var zoomView = zoomed()
    zoomView.pan(from: Point(x: 0, y: 0), over: field, at: 0)
    for step in 1...10 {
      zoomView.move(to: Point(x: Double(step) * 5, y: 0), at: Double(step) / 100)
    }
    zoomView.letGo(cancelled: false, over: field, at: 0.1)
    let h = 1e-4
    let speed = (zoomView.view(at: 0.1 + h).x - zoomView.view(at: 0.1).x) / h
    #expect(abs(speed - 500) < 10 && zoomView.view(at: 9).x > 200)
    let before = zoomView.view(at: 0.2)
    zoomView.pan(from: Point(x: 7, y: 7), over: field, at: 0.2)
    let caught = zoomView.view(at: 0.2)
    #expect(abs(caught.x - before.x) < 1e-9 && zoomView.isHeld && zoomView.restTime == .infinity)
  }

  @Test("a new page is seen from its top")
  func top() {
    for (forwards, side) in [(true, 1.0), (false, -1)] {
      var zoomView = zoomed(2)
      zoomView.showTop(atLeft: forwards, over: field, at: 0)
      let goal = zoomView.goal
      #expect(goal.zoom == 2 && goal.y == 2 * 316 - 384 && goal.x == side * (2 * 402 - 512))
    }
  }

  @Test("the pointer mapping of a camera inverts its matrix")
  func inverse() {
    let view = ZoomTransform(zoom: 3, x: 40, y: -70)
    let camera = Camera(viewport: Viewport(size: Size(width: 1500, height: 900)), view: view)
    let point = camera.stagePoint(Point(x: 900, y: 333))
    let m = camera.transform
    #expect(abs(m.m11 * point.x + m.m41 - (900 - 750)) < 1e-9)
    #expect(abs(m.m22 * point.y + m.m42 - (333 - 450)) < 1e-9)
    let whole = Camera(viewport: Viewport(size: Size(width: 1500, height: 900)))
    #expect(whole.transform == .scale(x: whole.scale, y: whole.scale, z: 1))
  }

  @Test("whatever fingers do, a zoom view stays finite and comes to rest in its range")
  func anything() {
    for seed in 0..<200 as Range<UInt64> {
      var dice = SplitMix64(seed: seed)
      var zoomView = ZoomView()
      var time = 0.0
      for _ in 0..<60 {
        time += Double.random(in: 0...0.2, using: &dice)
        let point = Point(
          x: Double.random(in: -900...900, using: &dice),
          y: Double.random(in: -900...900, using: &dice)
        )
        let before = zoomView.view(at: time)
        let scale = Double.random(in: 0.05...20, using: &dice)
        var moves = false
        switch Int.random(in: 0..<9, using: &dice) {
        case 0: zoomView.pan(from: point, over: field, at: time)
        case 1: zoomView.pinch(at: point, scale: scale, at: time)
        case 2, 3, 4: (moves, _) = (true, zoomView.move(to: point, scale: scale, at: time))
        case 5: zoomView.letGo(cancelled: Bool.random(using: &dice), over: field, at: time)
        case 6: zoomView.zoom(by: scale, about: point, over: field, at: time)
        case 7: zoomView.goAway(at: time)
        default: zoomView.showTop(atLeft: true, over: field, at: time)
        }
        let now = zoomView.view(at: time)
        #expect(now.zoom > 0 && now.zoom.isFinite && now.x.isFinite && now.y.isFinite)
        if !moves {
          #expect(abs(now.x - before.x) < 1 && abs(now.y - before.y) < 1, "seed \(seed)")
        }
      }
      zoomView.letGo(cancelled: true, over: field, at: time)
      let rest = zoomView.view(at: time + 20)
      #expect(ZoomView.zooms.contains(rest.zoom) && zoomView.restTime < time + 20, "seed \(seed)")
    }
  }
}
