import Motion
import Scene
import TestVectors
import Testing

@testable import Staging

@Suite("Jumping")
struct JumpTests {
  private func open(pages: Int = 100, at page: Int = 0) -> Stage {
    var stage = Stage(library: library(pages: pages), start: .shelf)
    let spread = max(0, (page - 1) / 2)
    stage.restore(bookmarks: [Bookmark(book: "0/0", spread: spread)])
    stage.press(.enter, at: -10)
    stage.advance(to: 0)
    return stage
  }

  @Test(
    "a jump ends byte-equal to a book opened there",
    arguments: [0, 1, 2, 3, 40, 41, 98, 99, 5000]
  )
  func rest(page: Int) {
    for start in [0, 1, 39, 60, 99] {
      for isFlat in [false, true] {
        var (there, jumped) = (open(at: min(page, 99)), open(at: start))
        if isFlat {
          there.apply(.lay(.flat), at: 0)
          jumped.apply(.lay(.flat), at: 0)
        }
        jumped.apply(.jump(page: page), at: 3)
        #expect(jumped.frame(at: 9) == there.frame(at: 9), "from \(start)")
        jumped.advance(to: 9)
        #expect(jumped.frame(at: 9) == there.frame(at: 9) && jumped.spread == there.spread)
      }
    }
  }

  @Test("one leaf turns, with the previous page on its front and the target page on its back")
  func oneLeaf() {
    for (from, to, recto, verso) in [(0, 61, 2, 61), (61, 0, 2, 61), (21, 99, 22, 99)] {
      var stage = open(at: from)
      stage.apply(.jump(page: to), at: 0)
      var seen: Set<Int> = []
      for step in 0..<120 {
        let frame = stage.frame(at: Double(step) / 120)
        for placement in frame.placements where placement.shade > 0.55 {
          seen.insert(placement.key.page)
        }
      }
      #expect(seen == [recto, verso], "from \(from) to \(to)")
    }
  }

  @Test("a jump begins and ends without a visible discontinuity")
  func noLeap() {
    for (from, to) in [(0, 61), (61, 3), (1, 7), (99, 0)] {
      var stage = open(at: from)
      let before = stage.frame(at: 0)
      stage.apply(.jump(page: to), at: 0)
      for new in stage.frame(at: 0).placements {
        #expect(before.placements.contains { $0.transform == new.transform })
      }
    }
  }

  @Test("a jump to the next spread is a turn like any other")
  func neighbour() {
    var (jumped, turned) = (open(), open())
    jumped.apply(.jump(page: 3), at: 0)
    turned.press(.arrowRight, at: 0)
    for step in 0..<60 {
      let time = Double(step) / 60
      #expect(jumped.frame(at: time) == turned.frame(at: time))
    }
  }

  @Test("a caught jump stops, and after a release lands on either side, like any leaf")
  func caught() {
    for (dx, page) in [(900.0, 1), (-500, 61)] {
      var stage = open()
      stage.apply(.jump(page: 61), at: 0)
      let before = stage.frame(at: 0.12)
      stage.pan(.began, 0, 0, at: 0.12)
      #expect(difference(before, stage.frame(at: 5)) < 1e-9 && stage.isDriven)
      stage.drag(from: Point(x: 0, y: 0), to: Point(x: dx, y: 0), at: 5, seconds: 0.3)
      stage.advance(to: 9)
      #expect(stage.firstPage == page && stage.frame(at: 9).isSettled)
      #expect(stage.taken.leaves.layout.bundle == nil)
    }
  }

  @Test("a second jump during a jump reverses it to either end, or follows after it lands")
  func again() {
    var stage = open()
    stage.apply(.key(.end), at: 0)
    stage.apply(.key(.home), at: 0.1)
    #expect(stage.frame(at: 5) == open().frame(at: 5))
    stage.apply(.jump(page: 61), at: 6)
    stage.apply(.jump(page: 31), at: 6.1)
    stage.advance(to: 12)
    #expect(stage.firstPage == 31)
    #expect(stage.frame(at: 12) == open(at: 31).frame(at: 12))
  }

  @Test("a moving leaf lands where the jump starts")
  func fromTheAir() {
    for page in [0, 99, 41] {
      var stage = open(at: 41)
      stage.press(.arrowRight, at: 0)
      let before = stage.frame(at: 0.1)
      stage.apply(.jump(page: page), at: 0.1)
      for new in stage.frame(at: 0.1).placements {
        let old = before.placements.map { $0.transform.maximumDifference(from: new.transform) }
        #expect((old.min() ?? 1) < 1e-9)
      }
      #expect(stage.frame(at: 9) == open(at: page).frame(at: 9))
    }
  }

  @Test("a jump has no effect on the list")
  func elsewhere() {
    var stage = Stage(library: library(), start: .collections)
    let rest = stage.frame(at: 0)
    stage.apply(.jump(page: 9), at: 0)
    #expect(stage.frame(at: 0) == rest)
  }
}

@Suite("Waiting for images")
struct WaitTests {
  private func open(ready: [Int]?) -> Stage {
    var stage = Stage(library: library(pages: 40), start: .book)
    stage.apply(.images(ready: ready), at: 0)
    return stage
  }

  /// Returns the position of the turning leaf, as an offset.
  private func offset(_ stage: Stage, at time: Double) -> Double {
    var later = stage
    later.advance(to: time)
    return later.taken.leaves.turn.value(at: time)
  }

  @Test("a leaf waits upright at the gutter until the pages of its spread can be shown")
  func waits() {
    var stage = open(ready: [1, 2, 3])
    stage.press(.arrowRight, at: 0)
    #expect(stage.isWaiting && stage.spread == 1)
    #expect(offset(stage, at: 1.5) == 0.5 && !stage.frame(at: 1.5).isSettled)
    stage.apply(.images(ready: [1, 2, 3, 4]), at: 1.5)
    #expect(!stage.isWaiting && stage.frame(at: 4).isSettled && offset(stage, at: 4) == 1)
  }

  @Test("a leaf waits for at most 2 seconds, and not at all for members that report nothing")
  func atMost() {
    var stage = open(ready: [])
    stage.press(.arrowRight, at: 10)
    #expect(stage.deadline == 12 && offset(stage, at: 11.99) == 0.5)
    #expect(offset(stage, at: 12.2) > 0.6 && stage.frame(at: 14).isSettled)
    var silent = open(ready: nil)
    silent.press(.arrowRight, at: 10)
    #expect(!silent.isWaiting && silent.frame(at: 12).isSettled)
  }

  @Test("available pages cause no delay: the frames are equal to the last bit")
  func ready() {
    var (knows, silent) = (open(ready: Array(0..<40)), open(ready: nil))
    for stage in [\Pair.knows, \Pair.silent] {
      var pair = Pair(knows: knows, silent: silent)
      pair[keyPath: stage].press(.arrowRight, at: 0)
      (knows, silent) = (pair.knows, pair.silent)
    }
    for step in 0..<60 {
      #expect(knows.frame(at: Double(step) / 60) == silent.frame(at: Double(step) / 60))
    }
  }

  private struct Pair { var knows, silent: Stage }

  @Test("a finger can hold a waiting leaf, and the time under the finger counts")
  func held() {
    var stage = open(ready: [])
    stage.press(.arrowRight, at: 0)
    stage.pan(.began, 0, 0, at: 1)
    #expect(stage.taken.leaves.turn.isHeld && stage.deadline == nil && !stage.isWaiting)
    stage.pan(.changed, -100, 0, at: 1.1)
    stage.pan(.ended, -100, 0, at: 2.5)
    #expect(!stage.isWaiting && stage.frame(at: 5).isSettled)
    var back = open(ready: [])
    back.press(.arrowRight, at: 0)
    back.pan(.began, 0, 0, at: 1)
    back.apply(.images(ready: [3, 4]), at: 1.2)
    back.pan(.cancelled, 0, 0, at: 1.3)
    #expect(!back.isWaiting && back.spread == 1)
  }

  @Test("a leaf that is turned back waits for the missing pages of that spread")
  func turnedBack() {
    var stage = open(ready: [1, 2])
    stage.press(.arrowRight, at: 0)
    stage.press(.arrowLeft, at: 1)
    #expect(!stage.isWaiting && stage.spread == 0)
    #expect(stage.frame(at: 4).isSettled)
  }

  @Test("a jump waits for the pages of its target spread")
  func jump() {
    var stage = open(ready: [1, 2, 3, 4])
    stage.apply(.jump(page: 31), at: 0)
    #expect(stage.isWaiting && stage.spreadPages == [31, 32])
    stage.apply(.images(ready: [31, 32]), at: 0.5)
    stage.advance(to: 4)
    #expect(stage.firstPage == 31 && stage.frame(at: 4).isSettled)
  }
}
