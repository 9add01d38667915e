import Motion
import Scene
import TestVectors
import Testing
import Wire

@testable import Rooms
@testable import Staging

extension Viewport {
  fileprivate static let phone = Viewport(size: Size(width: 390, height: 844), pixelRatio: 3)
  fileprivate static let laptop = Viewport(size: Size(width: 1366, height: 768))
}

extension ViewDesk {
  /// The part of the stage in the window at rest, between the bars, in stage points.
  fileprivate var shown: (left: Double, right: Double, top: Double, bottom: Double) {
    let transform = view.camera.transform
    let size = view.viewport.size
    let bars = Framing.bars(aroundBookIn: view.viewport)
    func across(_ pixels: Double) -> Double {
      (pixels - size.width / 2 - transform.m41) / transform.m11
    }
    func down(_ pixels: Double) -> Double {
      (pixels - size.height / 2 - transform.m42) / transform.m22
    }
    return (
      across(0), across(size.width), down(bars.top), down(size.height - bars.foot)
    )
  }

  fileprivate var plan: FitPlan? { view.zoom.plan(over: stage) }

  /// The number of the stop at which the window rests; -1 if it rests elsewhere.
  fileprivate var stop: Int {
    guard let plan else { return -1 }
    return plan.stops.firstIndex { $0.view == view.zoom.view.goal } ?? -1
  }

  fileprivate mutating func fit(_ span: Fit.Span, words: Fit.Words = .page) {
    view.zoom.choose(Fit(span, words: words), over: stage, at: now)
    pass(3)
  }

  fileprivate mutating func drag(_ dx: Double, _ dy: Double, from x: Double = 0) {
    finger(.down, x, -dy / 2)
    for step in 1...12 {
      let part = Double(step) / 12
      finger(.move, x + dx * part, -dy / 2 + dy * part, pause: 1.0 / 60)
    }
    pass(0.3)
    finger(.up, x + dx, dy / 2, pause: 3)
  }
}

@Suite("A window that is fitted to the pages")
struct FitTests {
  static let windows = [
    Size(width: 390, height: 844), Size(width: 1366, height: 768), Size(width: 844, height: 390),
    Size(width: 820, height: 1180), Size(width: 320, height: 256),
  ]

  @Test(
    "shows the words from edge to edge, and every line whole in one of its places",
    arguments: windows,
    [Progression.leftToRight, .rightToLeft]
  )
  func words(size: Size, progression: Progression) throws {
    for seed in 0..<40 {
      var random = SplitMix64(seed: UInt64(seed))
      let words = Fit.Words(
        left: Double.random(in: 0...0.3, using: &random),
        top: Double.random(in: 0...0.3, using: &random),
        right: Double.random(in: 0.6...1, using: &random),
        bottom: Double.random(in: 0.6...1, using: &random)
      )
      var desk = ViewDesk(in: Viewport(size: size), reading: progression)
      desk.fit(.words, words: words)
      let reach = desk.stage.flatReach
      let plan = try #require(desk.plan)
      let pixel = 1 / desk.view.camera.transform.m11
      var bottoms: [Framing.Page: Double] = [:]
      for index in plan.stops.indices {
        let (left, right, top, bottom) = desk.shown
        let page = plan.stops[index].page
        let edge = page.isLeft(in: desk.stage) ? -reach.width : 0
        let ends = (edge + words.left * reach.width, edge + words.right * reach.width)
        let margins = (ends.0 - left, right - ends.1)
        let isLargest = plan.zoom == ZoomView.zooms.upperBound
        #expect(abs(margins.0 - margins.1) < 0.01 && margins.0 > 0)
        #expect(margins.0 < 25 * pixel || isLargest)
        let start = (2 * words.top - 1) * reach.height
        #expect(top < (bottoms[page] ?? start) + 0.01)
        bottoms[page] = bottom
        if index + 1 < plan.stops.count { desk.press(.pageDown) }
      }
      let end = (2 * words.bottom - 1) * reach.height
      #expect(bottoms.values.allSatisfy { $0 > end - 0.01 })
    }
  }

  @Test(
    "moves through the parts of both pages before a leaf turns, and back the same way",
    arguments: windows,
    [Fit.Span.spread, .page, .words, .half]
  )
  func steps(size: Size, span: Fit.Span) {
    var desk = ViewDesk(in: Viewport(size: size))
    let words = Fit.Words(left: 0.1, top: 0.1, right: 0.9, bottom: 0.9)
    desk.fit(span, words: words)
    var passed: [(spread: Int, page: Framing.Page?, view: ZoomTransform)] = []
    func here() -> (spread: Int, page: Framing.Page?, view: ZoomTransform) {
      (desk.stage.spread, desk.view.zoom.shownPage(over: desk.stage), desk.view.zoom.view.goal)
    }
    while desk.stage.spread < 2 && passed.count < 60 {
      passed.append(here())
      desk.press(.arrowRight)
    }
    #expect(desk.stage.spread == 2)
    #expect(Set(passed.map(\.spread)) == [0, 1])
    while let before = passed.popLast() {
      desk.press(.arrowLeft)
      let now = here()
      #expect(now.spread == before.spread && now.page == before.page, "\(now) \(before)")
      #expect(now.view == before.view)
    }
  }

  @Test("shows half a page at a time: the second half first, and then the leaf turns")
  func halves() throws {
    var desk = ViewDesk(in: .laptop)
    desk.fit(.half)
    #expect(desk.plan?.stops.count == 4)
    let first = desk.shown
    #expect(abs(first.top + desk.stage.flatReach.height) < 0.01)
    desk.press(.pageDown)
    let second = desk.shown
    #expect(abs(second.bottom - desk.stage.flatReach.height) < 0.01 && second.top < first.bottom)
    desk.press(.pageDown)
    #expect(desk.view.zoom.shownPage(over: desk.stage) == .second && desk.stage.spread == 0)
    desk.press(.pageDown)
    desk.press(.pageDown)
    #expect(desk.stage.spread == 1 && desk.stop == 0)
  }

  @Test(
    "turns by a tap on its outer thirds, and by a drag across",
    arguments: [Viewport.phone, .laptop]
  )
  func fingers(viewport: Viewport) {
    var desk = ViewDesk(in: viewport)
    desk.fit(.words, words: Fit.Words(left: 0.1, top: 0.1, right: 0.9, bottom: 0.5))
    let width = viewport.size.width
    let count = desk.plan?.stops.count ?? 0
    desk.tap(0.4 * width)
    desk.tap(-0.4 * width)
    #expect(desk.stop == 0 && desk.stage.spread == 0)
    for _ in 0..<(Framing.isTall(viewport) ? 2 : count) { desk.tap(0.4 * width) }
    #expect(desk.stage.spread == 1)
    desk.tap(0)
    #expect(desk.stage.spread == 1 && desk.stop == 0)
    desk.drag(0.6 * width, 0, from: -0.3 * width)
    #expect(desk.stage.spread == 0)
  }

  @Test("scrolls with a finger that goes up, and keeps its width")
  func scrolls() {
    var desk = ViewDesk(in: .laptop)
    desk.fit(.page)
    let before = desk.view.zoom.view.goal
    desk.drag(10, -200)
    let after = desk.view.zoom.view.goal
    #expect(after.y < before.y - 50 && after.zoom == before.zoom && desk.stage.spread == 0)
  }

  @Test("turns a magnified page by a drag across from its edge only")
  func edges() {
    var desk = ViewDesk(in: .laptop)
    desk.zoom(by: 3)
    desk.drag(-500, 0, from: 250)
    #expect(desk.stage.spread == 0 && desk.zoom > 2)
    for _ in 0..<4 { desk.drag(-600, 0, from: 300) }
    #expect(desk.stage.spread > 0 && desk.zoom > 2)
  }

  @Test("a wheel at the end of a page turns the leaf only after a rest")
  func wheel() {
    var desk = ViewDesk(in: .laptop)
    desk.fit(.spread)
    for _ in 0..<60 { desk.wheel(100) }
    #expect(desk.stage.spread == 0)
    desk.pass(0.5)
    desk.wheel(100, pause: 3)
    #expect(desk.stage.spread == 1 && desk.stop == 0)
  }

  @Test("returns to the fit from a zoom, and leaves it with the book")
  func returns() {
    var desk = ViewDesk(in: .phone)
    desk.fit(.words, words: Fit.Words(left: 0.1, top: 0.1, right: 0.9, bottom: 0.9))
    let fitted = desk.zoom
    desk.press(.plus)
    #expect(desk.zoom > 1.2 * fitted)
    desk.press(.escape)
    #expect(desk.zoom == fitted && desk.stage.openBook != nil)
    desk.act([.lay(.standing)], pause: 3)
    #expect(desk.zoom == 1)
    desk.act([.lay(.flat)], pause: 3)
    #expect(desk.zoom == fitted && desk.stop == 0)
    desk.press(.escape)
    #expect(desk.stage.openBook == nil && desk.zoom == 1)
    #expect(desk.view.zoom.fit.choice == .whole)
  }

  @Test("skips sides without a page, and shows a wide page on both sides")
  func sides() {
    var desk = ViewDesk(in: .laptop)
    desk.view.zoom.fit.pages = FitPlan.Pages(hasFirst: false)
    desk.fit(.page)
    #expect(desk.plan?.stops.allSatisfy { $0.page == .second } == true)
    desk.view.zoom.fit.pages = FitPlan.Pages(isWide: true)
    #expect(desk.plan?.showsOnePage == false)
  }

  @Test(
    "is not shaken by odd words and windows",
    arguments: [(0.0, 0.0), (1, 5000), (5000, 1)]
  )
  func odd(width: Double, height: Double) {
    let words = Fit.Words(left: .nan, top: 0.9, right: 2, bottom: 0.1)
    #expect(words == .page)
    var desk = ViewDesk(in: Viewport(size: Size(width: width, height: height)))
    for span in Fit.Span.allCases {
      desk.fit(span, words: words)
      desk.press(.pageDown)
      #expect(desk.view.camera.transform.m11.isFinite && desk.view.camera.transform.m42.isFinite)
    }
  }
}

@Suite("A phone at the beginning of a book")
struct BeginningTests {
  @Test("shows the first page, not the blank inside of the cover, and can go back to it")
  func begins() {
    var desk = ViewDesk(isFlat: false, in: .phone)
    desk.view.zoom.fit = FitControl()
    desk.view.zoom.fit.pages = FitPlan.Pages(hasFirst: false)
    desk.view.zoom.reframe(over: desk.stage, at: desk.now)
    #expect(desk.view.zoom.framing.pageAtRest == .second)
    desk.press(.arrowLeft)
    #expect(desk.view.zoom.framing.pageAtRest == .first && desk.stage.spread == 0)
    desk.press(.arrowRight)
    desk.press(.arrowRight)
    #expect(desk.stage.spread == 1 && desk.view.zoom.framing.pageAtRest == .first)
  }
}
