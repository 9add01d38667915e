import Motion
import Scene
import TestVectors
import Testing

@testable import Staging

@Suite("Turning leaves")
struct TurningTests {
  private func open(dragRule: DragRule = .paper) -> Stage {
    Stage(library: library(), start: .book, dragRule: dragRule)
  }

  private let layout = BookLayout(pageCount: 14, box: referenceBox)

  private func shows(_ frame: Frame, offset: Double) -> Bool {
    let pages = frame.placements.filter { $0.key.kind == .page && $0.key.part != .shadow }
    return !pages.isEmpty
      && pages.allSatisfy {
        let pose = layout.transform(ofPage: $0.key.page, offset: offset)
        return $0.transform.maximumDifference(from: pose) <= 1e-9
      }
  }

  @Test("a drag that scrolls turns one spread per stage width")
  func dragTurnsSpreads() {
    var stage = open(dragRule: .scroll)
    stage.pan(.began, 300, 0, at: 0)
    for dx in [-112.0, -300, -512, -1000, -1024, -1500] {
      stage.pan(.changed, 300 + dx, 5, at: 0.1)
      #expect(shows(stage.frame(at: 0.1), offset: -dx / 1024), "\(dx)")
      #expect(stage.frame(at: 0.1).screen == .book)
    }
  }

  @Test("a drag that scrolls can begin anywhere, and stretches before the first spread")
  func dragBeginsAnywhere() {
    for start in [Point(x: -500, y: 0), Point(x: 511, y: 380), Point(x: -4000, y: 9000)] {
      var stage = open(dragRule: .scroll)
      stage.pan(.began, start.x, start.y, at: 0)
      stage.pan(.changed, start.x - 256, start.y, at: 0.1)
      #expect(shows(stage.frame(at: 0.1), offset: 0.25))
      stage.pan(.changed, start.x + 512, start.y, at: 0.2)
      #expect(shows(stage.frame(at: 0.2), offset: Scrolling.rubberBand(-0.5, dimension: 1)))
    }
  }

  @Test(
    "after a release, leaves that scroll turn to the nearest spread, or with velocity to the next"
  )
  func release() {
    let drags: [(Double, Double, Double)] = [
      (-300, 30, 0), (-600, 30, 1), (-100, 0.2, 1), (-20, 1, 0), (-900, 0.1, 1), (-3000, 1, 1),
      (400, 0.2, 0),
    ]
    for (dx, seconds, spread) in drags {
      var stage = open(dragRule: .scroll)
      stage.drag(from: Point(x: 0, y: 0), to: Point(x: dx, y: 0), at: 0, seconds: seconds)
      let rest = stage.frame(at: seconds + 5)
      #expect(rest.isSettled && shows(rest, offset: spread), "\(dx) in \(seconds) s")
      #expect(stage.spread == Int(spread))
    }
  }

  @Test("a cancelled drag turns back")
  func cancelledDrag() {
    var stage = open()
    let rest = stage.frame(at: 0)
    stage.drag(
      from: Point(x: 0, y: 0),
      to: Point(x: -900, y: 0),
      at: 0,
      seconds: 0.3,
      letGo: false
    )
    stage.pan(.cancelled, -900, 0, at: 0.3)
    #expect(stage.frame(at: 5) == rest)
  }

  @Test("keys turn leaves up to the ends")
  func keysTurn() {
    var stage = open()
    let keys: [(Key, Int)] = [
      (.arrowLeft, 0), (.arrowRight, 1), (.pageDown, 2), (.arrowDown, 3), (.pageUp, 2),
      (.arrowUp, 1),
      (.end, 6), (.arrowRight, 6), (.home, 0), (.enter, 0),
    ]
    for (step, (key, spread)) in keys.enumerated() {
      stage.press(key, at: Double(step) * 5)
      #expect(stage.spread == spread, "\(key)")
      let rest = stage.frame(at: Double(step) * 5 + 4.9)
      #expect(rest.isSettled && shows(rest, offset: Double(spread)))
    }
  }

  @Test("a rigid leaf that a key turns uses the landing spring")
  func turnByKey() {
    var stage = open(dragRule: .scroll)
    stage.press(.arrowRight, at: 0.5)
    for step in 0...30 {
      let t = Double(step) / 60
      let y = Spring.landing.state(displacement: -1, velocity: 0, after: t).displacement
      #expect(shows(stage.frame(at: 0.5 + t), offset: 1 + y))
    }
  }

  @Test("a tap on the outer third turns a leaf, and elsewhere does nothing")
  func tapTurns() {
    let taps: [(Double, Double, Int)] = [
      (280, 0, 3), (200, 0, 3), (190, 0, 2), (0, 0, 2), (-190, 0, 2), (-200, 100, 1), (-290, 0, 1),
      (280, 400, 2), (500, 0, 2), (-1e9, 0, 2), (.nan, 0, 2),
    ]
    for (x, y, spread) in taps {
      var stage = open()
      stage.press(.arrowRight, at: 0)
      stage.press(.arrowRight, at: 0)
      stage.tap(x, y, at: 5)
      #expect(stage.spread == spread, "\(x), \(y)")
    }
  }

  @Test("a wheel turns one leaf per notch")
  func wheelTurns() {
    var stage = open()
    stage.apply(.wheel(dx: 0, dy: 300, ctrl: false), at: 0)
    #expect(stage.spread == 3)
    stage.apply(.wheel(dx: -100, dy: 0, ctrl: false), at: 1)
    #expect(stage.spread == 2)
    stage.apply(.wheel(dx: 0, dy: -1e9, ctrl: false), at: 2)
    #expect(stage.spread == 0)
  }

  @Test("a zooming wheel releases the zoom on its own, whether or not a frame is requested")
  func zoomRelease() {
    for deltas in [-40.0, -8] {
      var stage = Stage(library: library(), start: .shelf)
      var time = 0.0
      for _ in 0..<5 {
        stage.apply(.wheel(dx: 0, dy: deltas, ctrl: true), at: time)
        time += 0.02
      }
      #expect(stage.isDriven && stage.frame(at: time).screen == .shelf)
      let deadline = stage.deadline ?? .infinity
      #expect(abs(deadline - (time - 0.02 + Wheel.zoomEndSeconds)) < 1e-12)
      var told = stage
      told.advance(to: deadline + 0.1)
      #expect(!told.isDriven && told.deadline == nil)
      for t in [deadline, deadline + 0.05, deadline + 0.3, deadline + 9] {
        #expect(stage.frame(at: t) == told.frame(at: t))
      }
      #expect(stage.frame(at: deadline + 9).isSettled)
      #expect(stage.frame(at: deadline + 9).screen == (deltas == -40 ? .book : .shelf))
    }
  }

  @Test("a wheel that zooms without end still releases")
  func endlessZoom() {
    for dy in [50.0, -50] {
      for start in [Screen.shelf, .book] {
        var stage = Stage(library: library(), start: start)
        for step in 0..<4000 {
          stage.apply(.wheel(dx: 0, dy: dy, ctrl: true), at: Double(step) / 100)
        }
        #expect(stage.frame(at: 45).isSettled)
        stage.press(.escape, at: 50)
        #expect(!stage.isDriven)
      }
    }
  }

  @Test(
    "a book of any length opens, turns to its end and closes",
    arguments: [1, 2, 3, 4, 5, 13, 14, 2000]
  )
  func anyLength(pages: Int) {
    var stage = Stage(library: library(pages: pages), start: .shelf)
    stage.press(.enter, at: 0)
    stage.press(.arrowRight, at: 2)
    stage.press(.end, at: 4)
    #expect(stage.spread == max(0, pages / 2 - 1))
    for step in 0...600 {
      let frame = stage.frame(at: Double(step) / 60)
      #expect(frame.placements.allSatisfy { $0.transform.isFinite })
      #expect(!frame.pages.isEmpty)
      #expect(frame.pages.allSatisfy { (0...pages).contains($0) })
    }
    stage.drag(from: Point(x: 0, y: 0), to: Point(x: -120, y: 0), at: 11, seconds: 0.5)
    #expect(stage.spread == max(0, pages / 2 - 1))
    stage.press(.escape, at: 20)
    #expect(stage.frame(at: 20.9).pages.contains(0))
    #expect(stage.frame(at: 22).isSettled && stage.frame(at: 22).screen == .shelf)
  }

  @Test("a frame of 2,000 pages has as few placements as one of 20")
  func frame2() {
    func most(_ pages: Int) -> Int {
      var stage = Stage(library: library(pages: pages), start: .shelf)
      stage.press(.enter, at: 0)
      for turn in 0..<5 { stage.press(.arrowRight, at: 2 + 0.1 * Double(turn)) }
      return (0...300).map { stage.frame(at: Double($0) / 60).placements.count }.max() ?? 0
    }
    #expect(most(2000) <= most(20) && most(2000) < 25)
  }
}
