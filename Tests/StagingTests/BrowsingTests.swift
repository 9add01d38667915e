import Motion
import Scene
import Testing

@testable import Staging

@Suite("Shelves and lists")
struct BrowsingTests {
  private func shelf(books: Int = 5) -> Stage {
    Stage(library: library(books: books), start: .shelf)
  }

  @Test("a tap in the middle opens, and a tap on a side cover scrolls to it")
  func tapOnCover() {
    var stage = shelf()
    stage.tap(372, 0, at: 0)
    #expect(stage.frame(at: 0.1).screen == .shelf)
    let rest = stage.frame(at: 3)
    #expect(rest.isSettled && rest.screen == .shelf)
    #expect(
      rest[.cover, 1, in: stage.library]?.transform.m41 == 0
        && rest[.cover, 0, in: stage.library]?.transform.m41 == -281.5
    )
    stage.tap(0, 0, at: 4)
    #expect(stage.frame(at: 4.1).screen == .book && stage.book == 1)
  }

  @Test("a tap in a gap, or off the stage, does nothing")
  func tapInGap() {
    for point in [(160.0, 0.0), (0, 250), (0, -5000), (-400, 0), (1e300, 1e300), (.nan, 0)] {
      var stage = shelf()
      let rest = stage.frame(at: 0)
      stage.tap(point.0, point.1, at: 1)
      #expect(stage.frame(at: 1) == rest, "\(point)")
    }
  }

  @Test("a drag moves the covers with the finger")
  func dragMovesCovers() {
    var stage = shelf()
    stage.pan(.began, 0, 0, at: 0)
    stage.pan(.changed, -112, 40, at: 0.1)
    #expect(stage.frame(at: 0.1)[.cover, 0, in: stage.library]?.transform.m41 == -112)
    #expect(stage.frame(at: 0.1)[.cover, 1, in: stage.library]?.transform.m41 == 169.5)
    // Beyond the first cover it stretches like the reference's rubber band: 100 points show as
    // 52.2.
    var back = shelf()
    back.pan(.began, 0, 0, at: 0)
    back.pan(.changed, 100, 0, at: 0.1)
    #expect(
      abs(
        (back.frame(at: 0.1)[.cover, 0, in: back.library]?.transform.m41 ?? 0) - 52.19647822057459
      ) < 1e-9
    )
  }

  @Test("a drag lands on a cover, depending on its velocity")
  func dragLandsOnCover() {
    // Distance, seconds, and the cover in the middle afterwards.
    let throws_: [(Double, Double, Int)] = [
      (-100, 2, 0), (-200, 2, 1), (-100, 0.2, 1), (-600, 2, 3), (-600, 0.4, 3), (-100, 0.02, 3),
      (300, 0.1, 0), (-5000, 0.2, 4), (-10, 1, 0),
    ]
    for (dx, seconds, index) in throws_ {
      var stage = shelf()
      stage.drag(
        from: Point(x: 0, y: 0),
        to: Point(x: dx, y: 0),
        at: 0,
        seconds: seconds
      )
      let rest = stage.frame(at: seconds + 5)
      #expect(rest.isSettled)
      #expect(rest[.cover, index, in: stage.library]?.transform.m41 == 0, "\(dx) in \(seconds) s")
    }
  }

  @Test("a released carousel moves on the landing spring")
  func releasedCarousel() throws {
    var stage = shelf()
    stage.drag(from: Point(x: 0, y: 0), to: Point(x: -200, y: 0), at: 0, seconds: 1)
    // A velocity of 200 points per second ends at 219.8, so the carousel goes to the next cover.
    for step in 0...30 {
      let t = Double(step) / 60
      let y = Spring.landing.state(displacement: 200 - 281.5, velocity: 200, after: t).displacement
      let cover = try #require(stage.frame(at: 1 + t)[.cover, 1, in: stage.library])
      #expect(abs(cover.transform.m41 + y) < 1e-6)
    }
  }

  @Test("a cancelled drag returns")
  func cancelledDrag() {
    var stage = shelf()
    let rest = stage.frame(at: 0)
    stage.drag(
      from: Point(x: 0, y: 0),
      to: Point(x: -700, y: 0),
      at: 0,
      seconds: 0.1,
      letGo: false
    )
    stage.pan(.cancelled, -700, 0, at: 0.1)
    #expect(stage.frame(at: 5) == rest)
  }

  @Test("keys move along the shelf and stop at its ends")
  func keysOnShelf() {
    var stage = shelf()
    let walk: [(Key, Int)] = [
      (.arrowLeft, 0), (.arrowRight, 1), (.arrowDown, 2), (.pageDown, 3), (.arrowUp, 2),
      (.pageUp, 1),
      (.end, 4), (.arrowRight, 4), (.home, 0),
    ]
    for (step, (key, index)) in walk.enumerated() {
      stage.press(key, at: Double(step) * 5)
      let rest = stage.frame(at: Double(step) * 5 + 4.9)
      #expect(
        rest.isSettled && rest[.cover, index, in: stage.library]?.transform.m41 == 0,
        "\(key)"
      )
    }
    stage.press(.escape, at: 100)
    #expect(stage.frame(at: 101).screen == .collections)
  }

  @Test("a wheel steps once per hundred pixels, and a pause discards the remainder")
  func wheelSteps() {
    var stage = shelf()
    stage.apply(.wheel(dx: 0, dy: 60, ctrl: false), at: 0)
    #expect(stage.centreBook(at: 0) == 0)
    stage.apply(.wheel(dx: 0, dy: 60, ctrl: false), at: 0.1)
    #expect(stage.centreBook(at: 0.1) == 1)
    stage.apply(.wheel(dx: 60, dy: 0, ctrl: false), at: 1)
    stage.apply(.wheel(dx: 60, dy: 0, ctrl: false), at: 2)
    #expect(stage.centreBook(at: 2) == 1)
    stage.apply(.wheel(dx: -100, dy: 3, ctrl: false), at: 3)
    #expect(stage.centreBook(at: 3) == 0)
    stage.apply(.wheel(dx: .nan, dy: .infinity, ctrl: false), at: 4)
    stage.apply(.wheel(dx: 1e300, dy: 0, ctrl: false), at: 5)
    #expect(stage.centreBook(at: 5) == 4)
  }

  // MARK: - The slide

  @Test("the shelf slides in with ease-in-out, and fades in during the first half")
  func slideTiming() throws {
    var stage = Stage(library: library(collections: 2), start: .collections)
    stage.press(.enter, at: 1)
    for step in 1..<20 {
      let T = CubicBezier.easeInOut(Double(step) / 20)
      let frame = stage.frame(at: 1 + 0.01 * Double(step))
      let cover = try #require(frame[.cover, 0, in: stage.library])
      #expect(frame.screen == .shelf)
      #expect(abs(cover.transform.m41 - 1024 * (1 - T)) < 1e-6)
      #expect(abs(cover.opacity - min(2 * T, 1)) < 1e-6)
      let ledge = frame[.collection, 0, in: stage.library]
      #expect(abs((ledge?.opacity ?? 0) - max(0, 1 - 2 * T)) < 1e-6)
      if let ledge { #expect(abs(ledge.transform.m41 + 1024 * T) < 1e-6) }
    }
    #expect(stage.frame(at: 1.2 + 1e-9).isSettled)
    stage.press(.escape, at: 2)
    for step in 1..<20 {
      let T = CubicBezier.easeInOut(Double(step) / 20)
      let frame = stage.frame(at: 2 + 0.01 * Double(step))
      #expect(frame.screen == .collections)
      #expect(abs((frame[.cover, 0, in: stage.library]?.transform.m41 ?? 0) - 1024 * T) < 1e-6)
      #expect(abs((frame[.cover, 0, in: stage.library]?.opacity ?? 0) - (1 - T)) < 1e-6)
      #expect(abs((frame[.collection, 1, in: stage.library]?.opacity ?? 0) - min(2 * T, 1)) < 1e-6)
    }
    #expect(stage.frame(at: 2.3).indices(of: .cover, in: stage.library).isEmpty)
  }

  @Test("a drag from the left edge goes back beyond the middle, or before it with velocity")
  func edgeDragGoesBack() {
    // Distance, seconds, and whether it goes back.
    let swipes = [(400.0, 4.0, false), (600, 4, true), (200, 0.2, true), (100, 1, false)]
    for (dx, seconds, goesBack) in swipes {
      var stage = shelf()
      stage.drag(
        from: Point(x: -500, y: 0),
        to: Point(x: dx - 500, y: 0),
        at: 0,
        seconds: seconds,
        letGo: false
      )
      let held = stage.frame(at: seconds)
      #expect(held.screen == .shelf && !held.isSettled)
      #expect(abs((held[.cover, 0, in: stage.library]?.transform.m41 ?? 0) - dx) < 1e-9)
      stage.pan(.ended, dx - 500, 0, at: seconds)
      let rest = stage.frame(at: seconds + 5)
      #expect(rest.isSettled)
      #expect(rest.screen == (goesBack ? .collections : .shelf), "\(dx) in \(seconds) s")
    }
    // The finger is beyond the middle but moves back when it is lifted.
    var stage = shelf()
    stage.drag(
      from: Point(x: -500, y: 0),
      to: Point(x: 200, y: 0),
      at: 0,
      seconds: 1,
      letGo: false
    )
    for step in 1...10 {
      stage.pan(.changed, 200 - 10 * Double(step), 0, at: 1 + 0.01 * Double(step))
    }
    stage.pan(.ended, 100, 0, at: 1.1)
    #expect(stage.frame(at: 6).screen == .shelf)
  }

  @Test("a drag from further inside moves the carousel")
  func innerDragMovesCarousel() {
    var stage = shelf()
    stage.drag(from: Point(x: -460, y: 0), to: Point(x: 340, y: 0), at: 0, seconds: 1)
    #expect(stage.frame(at: 6).screen == .shelf)
  }

  // MARK: - The list

  @Test("keys move along the list, which scrolls to the selected ledge")
  func keysInList() {
    var stage = Stage(library: library(collections: 9))
    stage.press(.end, at: 0)
    let rest = stage.frame(at: 5)
    #expect(stage.collection == 8 && rest.isSettled)
    let last = rest[.collection, 8, in: stage.library]?.transform.m42 ?? 1e9
    #expect(abs(last) + LedgeList.ledge.height / 2 <= Stage.size.height / 2)
    for (key, collection) in [
      (Key.arrowUp, 7), (.pageUp, 4), (.arrowLeft, 3), (.arrowDown, 4), (.arrowRight, 5),
      (.pageDown, 8), (.home, 0), (.escape, 0),
    ] {
      stage.press(key, at: 10)
      #expect(stage.collection == collection, "\(key)")
    }
    stage.press(.enter, at: 20)
    #expect(stage.frame(at: 21).screen == .shelf)
  }

  @Test("a tap on a ledge goes to its shelf, and a tap between does nothing")
  func tapOnLedge() throws {
    var stage = Stage(library: library(collections: 3))
    let y = try #require(stage.frame(at: 0)[.collection, 2, in: stage.library]?.transform.m42)
    stage.tap(0, y - LedgeList.pitch / 2, at: 0)
    #expect(stage.isSettled(at: 0) && stage.screen == .collections)
    stage.tap(300, y, at: 0)
    #expect(stage.collection == 2 && stage.screen == .shelf)
    #expect(
      stage.frame(at: 1).placements.allSatisfy { stage.library.index(of: $0.key)?.collection == 2 }
    )
  }

  @Test("the list follows a drag, continues after it, and stretches at its ends")
  func listDrag() throws {
    var stage = Stage(library: library(collections: 9))
    let y = try #require(stage.frame(at: 0)[.collection, 0, in: stage.library]?.transform.m42)
    stage.drag(
      from: Point(x: 0, y: 200),
      to: Point(x: 0, y: 100),
      at: 0,
      seconds: 0.5,
      letGo: false
    )
    #expect(
      abs((stage.frame(at: 0.5)[.collection, 0, in: stage.library]?.transform.m42 ?? 0) - (y - 100))
        < 1e-9
    )
    stage.pan(.ended, 0, 100, at: 0.5)
    // A velocity of 200 points per second continues for 99.8 points.
    let thrown = try #require(stage.frame(at: 5)[.collection, 0, in: stage.library]?.transform.m42)
    #expect(abs(thrown - (y - 199.8)) < 1e-6)
    stage.drag(
      from: Point(x: 0, y: 0),
      to: Point(x: 0, y: 5000),
      at: 6,
      seconds: 1,
      letGo: false
    )
    let pulled = try #require(stage.frame(at: 7)[.collection, 0, in: stage.library]?.transform.m42)
    #expect(pulled > y && pulled < y + Stage.size.height)
    stage.pan(.ended, 0, 5000, at: 7)
    #expect(stage.frame(at: 12)[.collection, 0, in: stage.library]?.transform.m42 == y)
  }

  @Test("a thousand ledges cost no more than twenty, and none is missed")
  func thousandLedges() {
    let list = LedgeList(count: 1000)
    let reach = 1536.0
    for scroll in stride(from: -700, through: list.maximumScroll + 700, by: 37.5) {
      let looked = list.indices(within: reach, scroll: scroll)
      let seen = (0..<1000).filter { abs(list.y(of: $0, scroll: scroll)) < reach }
      #expect(looked.count <= 16 && Set(seen).isSubset(of: looked), "\(scroll)")
    }
    #expect(LedgeList(count: 2).indices(within: reach, scroll: 0) == 0..<2)
    #expect(LedgeList(count: 0).indices(within: reach, scroll: 0).isEmpty)
  }

  @Test("a point hits the ledge at its position")
  func hitTesting() {
    let list = LedgeList(count: 4)
    for index in 0..<4 {
      let y = list.y(of: index, scroll: 57)
      #expect(list.index(at: Point(x: 471, y: y + 94), scroll: 57) == index)
      #expect(list.index(at: Point(x: -471, y: y - 94), scroll: 57) == index)
      #expect(list.index(at: Point(x: 0, y: y + 96), scroll: 57) == nil)
      #expect(list.index(at: Point(x: 473, y: y), scroll: 57) == nil)
    }
    for y in [-1e9, 1e9, .infinity, .nan, 1e300] {
      #expect(list.index(at: Point(x: 0, y: y), scroll: 0) == nil)
    }
    #expect(LedgeList(count: 0).index(at: Point(x: 0, y: -197), scroll: 0) == nil)
    #expect(LedgeList(count: 0).maximumScroll == 0 && LedgeList(count: 1).maximumScroll == 0)
  }
}
