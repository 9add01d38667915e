import Motion
import Scene
import Testing
import Wire

@testable import Rooms
@testable import Staging

extension Viewport {
  /// An upright phone.
  fileprivate static let phone = Viewport(size: Size(width: 390, height: 844), pixelRatio: 3)
}

extension ViewDesk {
  /// Where the edges of the pages and the spine are at rest, in CSS pixels from the left of the
  /// window.
  fileprivate var edges: (left: Double, spine: Double, right: Double) {
    let camera = view.camera
    func pixels(_ x: Double) -> Double {
      view.viewport.size.width / 2 + camera.transform.m41 + camera.transform.m11 * x
    }
    let reach = stage.flatReach.width
    return (pixels(-reach), pixels(0), pixels(reach))
  }

  fileprivate var side: Framing.Page { view.zoom.framing.pageAtRest }

  /// Expects that the window shows exactly one page.
  fileprivate func expectPage(_ side: Framing.Page, spread: Int, _ what: String = "") {
    let (left, spine, right) = edges
    let (from, to) = side.isLeft(in: stage) ? (left, spine) : (spine, right)
    #expect(abs(from) < 0.01 && abs(to - 390) < 0.01, "\(from)...\(to) \(what)")
    #expect(self.side == side && stage.spread == spread, "\(what)")
  }

  fileprivate mutating func swipe(_ dx: Double, pause: Double = 3) {
    finger(.down, -dx / 2, 0)
    for step in 1...12 { finger(.move, -dx / 2 + dx * Double(step) / 12, 0, pause: 1.0 / 60) }
    finger(.up, dx / 2, 0, pause: pause)
  }
}

@Suite("A phone on its side")
struct LowWindowTests {
  @Test(
    "shows both pages as high as the window, and the zoom ends at their edges",
    arguments: [(844.0, 390.0), (683, 384), (320, 256)]
  )
  func bothPages(width: Double, height: Double) {
    var desk = ViewDesk(in: Viewport(size: Size(width: width, height: height)))
    let (left, spine, right) = desk.edges
    let high = 2 * desk.stage.flatReach.height * desk.view.camera.transform.m22
    #expect(abs(spine - width / 2) < 0.01 && left > -0.01 && right < width + 0.01)
    #expect(abs(high - (height - 8)) < 0.01 || abs(right - left - width) < 0.01)
    desk.tap((right - spine) * 0.9)
    #expect(desk.stage.spread == 1)
    desk.press(.plus)
    let zoomed = desk.edges
    #expect(zoomed.right - zoomed.left > right - left)
  }

  @Test("shows the whole stage from the height at which bars and a book have room")
  func high() {
    let desk = ViewDesk(in: Viewport(size: Size(width: 844, height: 420)))
    #expect(desk.view.zoom.framing.goal == .whole)
  }
}

@Suite("An upright phone")
struct PhoneTests {
  @Test("shows one page of the open book, as wide as the window")
  func page() {
    var desk = ViewDesk(in: .phone)
    desk.expectPage(.first, spread: 0)
    desk.press(.arrowRight)
    desk.expectPage(.second, spread: 0)
  }

  @Test(
    "goes from page to page by taps, keys and the wheel, and turns a leaf after the second page",
    arguments: [Progression.leftToRight, .rightToLeft]
  )
  func steps(progression: Progression) {
    let onward = progression == .leftToRight ? 1 : -1
    let ways: [(String, (inout ViewDesk, Int) -> Void)] = [
      ("tap", { $0.tap(Double($1 * onward) * 170) }),
      ("arrow", { $0.press($1 * onward > 0 ? .arrowRight : .arrowLeft) }),
      ("key", { $0.press($1 > 0 ? .pageDown : .pageUp) }),
      ("wheel", { $0.wheel(Double($1) * 120, pause: 3) }),
      ("sideways wheel", { $0.wheel(0, dx: Double($1 * onward) * 120, pause: 3) }),
      ("swipe", { $0.swipe(Double(-$1 * onward) * 250) }),
    ]
    for (name, go) in ways {
      var desk = ViewDesk(in: .phone, reading: progression)
      let pages: [(Framing.Page, Int)] = [
        (.first, 0), (.second, 0), (.first, 1), (.second, 1), (.first, 2),
      ]
      for (page, (side, spread)) in pages.enumerated() {
        if page > 0 { go(&desk, 1) }
        desk.expectPage(side, spread: spread, "\(name) to \(page)")
      }
      for (page, (side, spread)) in pages.enumerated().reversed().dropFirst() {
        go(&desk, -1)
        desk.expectPage(side, spread: spread, "\(name) back to \(page)")
      }
    }
  }

  @Test("moves to the page whose leaf another member lifts, and on with the leaf when it falls")
  func ahead() {
    var desk = ViewDesk(in: .phone)
    let start = Point(x: 300, y: 0)
    desk.act([.touch(start), .pan(.began, start)], pause: 0.02)
    for step in 1...10 {
      desk.act([.pan(.changed, Point(x: 300 - 12 * Double(step), y: 0))], pause: 0.02)
    }
    desk.pass(2)
    desk.expectPage(.second, spread: 0, "while the leaf is held")
    for step in 1...20 {
      desk.act([.pan(.changed, Point(x: 180 - 20 * Double(step), y: 0))], pause: 0.02)
    }
    desk.act([.pan(.ended, Point(x: -220, y: 0))], pause: 3)
    desk.expectPage(.first, spread: 1)
  }

  @Test("follows a leaf that flies, past the middle of its way; its landing page never leaves")
  func flight() {
    for isRight in [true, false] {
      var desk = ViewDesk(in: .phone)
      if isRight { desk.press(.arrowRight) }
      let start = desk.now
      desk.act([.key(.arrowRight)])
      for step in 1...120 {
        let time = start + Double(step) / 60
        let seen = desk.view.zoom.framing.view(at: time)
        let isPast = desk.stage.taken.leaves.turn.value(at: time) > 0.5
        if !isRight { #expect(seen.x > 0) } else if !isPast { #expect(seen.x < 0) }
      }
      desk.pass(3)
      desk.expectPage(.first, spread: 1)
    }
  }

  @Test(
    "stays where it is while its finger holds a leaf, and goes on with the leaf when it lets go"
  )
  func holds() {
    var desk = ViewDesk(in: .phone)
    desk.press(.arrowRight)
    let framing = desk.view.zoom.framing.view(at: desk.now)
    desk.finger(.down, 120, 0)
    for step in 1...20 {
      desk.finger(.move, 120 - 14 * Double(step), 0, pause: 1.0 / 60)
      #expect(desk.view.zoom.framing.view(at: desk.now) == framing)
    }
    #expect(desk.stage.isDriven)
    desk.finger(.up, -160, 0, pause: 3)
    desk.expectPage(.first, spread: 1)
  }

  @Test("turns a leaf that a slow finger has pulled past the middle of the window, either way")
  func slow() {
    let places: [(from: Double, to: Double, turns: Bool)] = [
      (170, -60, true), (170, -170, true), (170, 60, false), (40, -40, false),
    ]
    for (from, to, turns) in places {
      for way in [1.0, -1] {
        var desk = ViewDesk(in: .phone)
        for _ in 0..<(way > 0 ? 3 : 2) { desk.press(.arrowRight) }
        desk.expectPage(way > 0 ? .second : .first, spread: 1)
        desk.finger(.down, way * from, 20)
        for step in 1...40 {
          desk.finger(.move, way * (from + (to - from) * Double(step) / 40), 20, pause: 1.0 / 30)
        }
        desk.pass(0.5)
        desk.finger(.up, way * to, 20, pause: 3)
        let spread = turns ? 1 + Int(way) : 1
        let isLeft = turns ? way > 0 : way < 0
        desk.expectPage(isLeft ? .first : .second, spread: spread, "\(from) to \(to), \(way)")
      }
    }
  }

  @Test("a leaf that is flung back falls back, wherever it is")
  func flungBack() {
    var desk = ViewDesk(in: .phone)
    desk.press(.arrowRight)
    desk.finger(.down, 170, 20)
    for step in 1...20 { desk.finger(.move, 170 - 15 * Double(step), 20, pause: 1.0 / 60) }
    for step in 1...4 { desk.finger(.move, -130 + 25 * Double(step), 20, pause: 1.0 / 60) }
    desk.finger(.up, -30, 20, pause: 3)
    desk.expectPage(.second, spread: 0)
  }

  @Test("moves under the finger between the pages, and is released to the nearer one")
  func pulls() {
    var desk = ViewDesk(in: .phone)
    desk.finger(.down, 100, 0)
    for step in 1...10 { desk.finger(.move, 100 - 8 * Double(step), 0, pause: 1.0 / 60) }
    #expect(!desk.stage.isDriven && desk.view.zoom.isHeld)
    desk.pass(0.5)
    desk.finger(.up, 20, 0, pause: 3)
    desk.expectPage(.first, spread: 0, "a slow pull over a fifth of the window")
  }

  @Test("shows the middle cover of a shelf at three fifths of the window's width or more")
  func shelf() {
    var desk = ViewDesk(isFlat: false, in: .phone)
    desk.act([.key(.escape)], pause: 4)
    #expect(desk.stage.screen == .shelf)
    let widest = desk.view.camera.transform.m11 * 0.7 * 362
    #expect(widest >= 0.6 * 390 && widest < 390, "\(widest)")
  }

  @Test("a window that becomes wide shows the whole stage again")
  func rotated() {
    var desk = ViewDesk(in: .phone)
    desk.view.viewport = Viewport(size: Size(width: 1024, height: 700))
    desk.view.zoom.reframe(over: desk.stage, at: desk.now)
    #expect(desk.view.camera == Camera(viewport: desk.view.viewport))
  }
}
