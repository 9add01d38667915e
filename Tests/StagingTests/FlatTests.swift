import Motion
import Scene
import Testing

@testable import Staging

@Suite("Lying flat")
struct FlatTests {
  private func open(pages: Int = 14, dragRule: DragRule = .paper) -> Stage {
    Stage(library: library(pages: pages), start: .book, dragRule: dragRule)
  }

  private func flat(pages: Int = 14, dragRule: DragRule = .paper) -> Stage {
    var stage = open(pages: pages, dragRule: dragRule)
    stage.apply(.lay(.flat), at: 0)
    return stage
  }

  @Test("F lays the book flat, larger and aligned to pixels, and stands it up again")
  func toggles() throws {
    var stage = open()
    let paper = stage.frame(at: 0)
    stage.press(.keyF, at: 0)
    let rest = stage.frame(at: 3)
    #expect(rest.isSettled && rest.pages.sorted() == [1, 2])
    let right = try #require(rest[.page, 2])
    let left = try #require(rest[.page, 1])
    #expect(right.transform.m11 == 1.112 && right.transform.m22 == 1.112)
    for (entry, value) in right.transform.entries.enumerated() where entry % 5 != 0 {
      #expect(value == 0 || entry == 11)
    }
    #expect(left.transform.m11 == 1.112 && left.transform.m14 == 0)
    #expect(left.shade == 0 && right.shade == 0)
    stage.press(.keyF, at: 4)
    #expect(stage.frame(at: 9) == paper)
  }

  @Test("Escape goes back one step at a time, and a zoomed page stays clear of the stage's edges")
  func steps() {
    var stage = flat()
    stage.press(.escape, at: 3)
    #expect(!stage.isFlat && stage.frame(at: 6).screen == .book)
    stage.press(.escape, at: 6)
    #expect(stage.frame(at: 9).screen == .shelf)
    for size in [Size(width: 460, height: 1), referencePage, Size(width: 1, height: 900)] {
      let reach = BookLayout(pageCount: 4, box: PageBox(fitting: size)).reach(flatness: 1)
      #expect(reach.width <= 512 && reach.height <= 384 - 64)
    }
  }

  @Test("a pinch out lays the book flat by its scale, and a pinch in stands it up, then closes it")
  func pinches() {
    var stage = open()
    stage.pinch(.began, 1, at: 0)
    stage.pinch(.changed, 1.03, at: 0.01)
    stage.pinch(.changed, 1.5, at: 0.1)
    let held = stage.taken.lay.value(at: 0.1)
    #expect(stage.taken.lay.isHeld && held > 0.5 && held < 0.6)
    stage.pinch(.changed, 5, at: 0.2)
    #expect(stage.taken.lay.value(at: 0.2) == 1 && stage.pinchBeyondFlat > 2)
    stage.pinch(.ended, 5, at: 0.5)
    #expect(stage.frame(at: 1).isSettled && stage.isOpenFlat)
    stage.pinch(to: 0.3, at: 2, seconds: 0.3)
    #expect(stage.frame(at: 5).screen == .book && !stage.isFlat)
    stage.pinch(to: 0.2, at: 6, seconds: 0.3)
    #expect(stage.frame(at: 9).screen == .shelf)
  }

  @Test("a pinch that is cancelled, or ends early, leaves the pose unchanged")
  func cancelled() {
    for ending in [GesturePhase.cancelled, .ended] {
      var stage = open()
      let rest = stage.frame(at: 0)
      stage.pinch(to: 1.2, at: 0, seconds: 0.5, letGo: false)
      stage.pinch(.changed, 1.2, at: 0.8)
      stage.pinch(ending, 1.2, at: 1)
      #expect(stage.frame(at: 4) == rest)
    }
  }

  @Test("a caught pose does not jump, and continues with its velocity")
  func caught() {
    for time in [0.02, 0.1, 0.3] {
      var stage = flat()
      let before = stage.frame(at: time)
      let value = stage.taken.lay.value(at: time)
      stage.pinch(.began, 1, at: time)
      #expect(stage.taken.lay.isHeld && stage.taken.lay.value(at: time) == value)
      #expect(difference(before, stage.frame(at: time)) < 1e-9)
      stage.pinch(.cancelled, 1, at: time + 0.1)
      #expect(stage.isFlat && stage.frame(at: 5).isSettled)
      var turned = flat()
      turned.press(.keyF, at: time)
      let h = 1e-5
      let was = (stage.taken.lay.value(at: 9), turned.taken.lay.velocity(at: time))
      let speed = (turned.taken.lay.value(at: time + h) - turned.taken.lay.value(at: time)) / h
      #expect(was.0 == 1 && abs(was.1 - speed) < 1e-2 * max(1, abs(speed)))
    }
  }

  @Test("each leaf keeps turning the same way, and no element is lost at the end")
  func monotone() {
    let layout = BookLayout(pageCount: 40, box: referenceBox)
    for leaf in 0..<20 {
      var last = layout.elevation(ofLeaf: leaf, offset: 7.3)
      let aim = layout.elevation(ofLeaf: leaf, offset: 7.3, flatness: 1)
      for step in 1...20 {
        let next = layout.elevation(ofLeaf: leaf, offset: 7.3, flatness: Double(step) / 20)
        #expect(abs(next - aim) <= abs(last - aim) + 1e-12)
        last = next
      }
      #expect(last == aim)
    }
  }

  @Test("during a turn a rigid flat leaf goes from 0 to pi and shows what is under it")
  func turning() throws {
    var stage = flat(dragRule: .scroll)
    stage.pan(.began, 0, 0, at: 3)
    stage.pan(.changed, -512, 0, at: 3.1)
    let frame = stage.frame(at: 3.1)
    #expect(frame.pages.sorted() == [1, 2, 4])
    #expect(try #require(frame[.page, 2]).shade > 0.99)
    stage.pan(.ended, -512, 0, at: 3.5)
    stage.press(.end, at: 5)
    #expect(stage.frame(at: 9).pages == [13])
  }

  @Test("taps on the outer third turn a leaf, and others do not")
  func taps() {
    var stage = flat()
    stage.tap(100, 0, at: 3)
    #expect(stage.spread == 0 && stage.isInsidePage(Point(x: 100, y: 0)))
    stage.tap(390, 0, at: 4)
    #expect(stage.spread == 1)
    stage.tap(-390, 300, at: 7)
    #expect(stage.spread == 0)
    stage.tap(450, 0, at: 9)
    #expect(stage.spread == 0)
  }

  @Test("each book keeps its pose, and a flat one opens flat")
  func remembered() {
    var stage = flat()
    for step in 0..<2 { stage.press(.arrowRight, at: 3 + Double(step)) }
    let rest = stage.frame(at: 9)
    stage.apply(.wheel(dx: 0, dy: 0, ctrl: false), at: 9)
    var closed = stage
    closed.taken.close(at: 10)
    closed.press(.arrowRight, at: 14)
    closed.press(.enter, at: 17)
    #expect(
      !closed.isFlat && closed.bookmarks == [Bookmark(book: "0/0", spread: 2, isFlat: true)]
    )
    closed.taken.close(at: 20)
    closed.press(.arrowLeft, at: 24)
    closed.press(.enter, at: 27)
    #expect(closed.isFlat && closed.frame(at: 31) == rest)
    var other = Stage(library: library(), start: .shelf)
    other.restore(bookmarks: closed.bookmarks)
    other.press(.enter, at: 0)
    #expect(other.frame(at: 3) == rest)
  }

  @Test("a long book needs no more faces than a short one")
  func bounded() {
    func most(_ pages: Int, _ dragRule: DragRule) -> Int {
      var stage = flat(pages: pages, dragRule: dragRule)
      stage.press(.end, at: 3)
      stage.press(.arrowLeft, at: 6)
      return (0..<60).map { stage.frame(at: 6 + Double($0) / 60).placements }
        .map { $0.count { $0.key.part != .shadow } }.max() ?? 0
    }
    #expect(most(2000, .scroll) == most(20, .scroll) && most(2000, .scroll) <= 4)
    // A bent leaf is drawn in strips.
    #expect(most(2000, .paper) == most(2000, .scroll) - 1 + ElementPart.stripCount)
  }
}
