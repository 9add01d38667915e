import Motion
import Scene
import TestVectors
import Testing

@testable import Staging

/// An end of a book, as a reader meets it.
struct BookEnd: CustomTestStringConvertible, Sendable {
  let onBack: Bool
  let isFlat: Bool
  let isMirrored: Bool

  static let all = [false, true].flatMap { onBack in
    [false, true].flatMap { isFlat in
      [false, true].map { BookEnd(onBack: onBack, isFlat: isFlat, isMirrored: $0) }
    }
  }

  var testDescription: String {
    "\(onBack ? "back" : "front"), \(isFlat ? "flat" : "standing"), \(isMirrored ? "mirrored" : "")"
  }

  static let pages = 14

  /// The spread at this end.
  var spread: Int { onBack ? 6 : 0 }
  /// The key that turns past it.
  var key: Key { onBack ? .pageDown : .pageUp }
  /// The direction of a finger that turns past it.
  var direction: Double { onBack != isMirrored ? -1 : 1 }

  /// Opens a book at this end, at rest at second 10.
  func stage(dragRule: DragRule = .covers) -> Stage {
    let progression: Progression = isMirrored ? .rightToLeft : .leftToRight
    let book = BookOutline(
      pageCount: Self.pages,
      pageSize: referencePage,
      progression: progression
    )
    let library = LibraryOutline(collections: [CollectionOutline(books: [book, book, book])])
    var stage = Stage(library: library, start: .book, dragRule: dragRule)
    if isFlat { stage.apply(.lay(.flat), at: 0) }
    stage.apply(.jump(page: 2 * spread + 1), at: 2)
    stage.advance(to: 10)
    return stage
  }

  /// Pulls a stage past this end in steps of 10 ms, from second 10 on.
  func pull(_ stage: inout Stage, by distance: Double, seconds: Double, letGo: Bool = true) {
    let start = Point(x: -direction * 300, y: 20)
    stage.apply(.touch(start), at: 10)
    let end = Point(x: start.x + direction * distance, y: 20)
    stage.drag(from: start, to: end, at: 10, seconds: seconds, letGo: letGo)
  }
}

extension Stage {
  fileprivate func openness(at time: Double) -> Double { taken.opening.value(at: time) }
}

@Suite("Past the ends of a book")
struct EndTests {
  @Test("a key shows that the book ends, and the book returns", arguments: BookEnd.all)
  func shown(end: BookEnd) {
    var stage = end.stage()
    let rest = stage.frame(at: 10)
    stage.press(end.key, at: 10)
    #expect(stage.pastEnd?.onBack == end.onBack)
    let most = (0...100).map { 1 - stage.openness(at: 10 + Double($0) / 100) }.max() ?? 0
    #expect(most > 0.04 && most < 0.06)
    #expect(stage.screen == .book && stage.staysOpen)
    #expect(stage.frame(at: 12) == rest)
  }

  @Test("a second key closes the book onto its cover, where it was left", arguments: BookEnd.all)
  func closed(end: BookEnd) {
    var stage = end.stage()
    let mark = stage.bookmark
    stage.press(end.key, at: 10)
    stage.press(end.key, at: 11)
    #expect(stage.screen == .shelf && stage.closesOnBack == end.onBack)
    var boards: Set<Bool> = []
    for step in 0...140 {
      for placement in stage.frame(at: 11 + Double(step) / 100).placements
      where placement.key.kind == .board { boards.insert(placement.z == 0) }
    }
    #expect(boards.contains(false) == end.onBack)
    let rest = stage.frame(at: 13)
    #expect(rest.isSettled && rest.placements.allSatisfy { $0.key.kind == .cover })
    #expect(stage.bookmark == mark && stage.leftSpread(ofBook: 0, in: 0) == end.spread)
    stage.press(.enter, at: 14)
    #expect(stage.screen == .book && stage.spread == end.spread && stage.isFlat == end.isFlat)
    #expect(!stage.closesOnBack)
  }

  @Test("a held key, a wheel and a hurried reader do not close the book", arguments: BookEnd.all)
  func unmeant(end: BookEnd) {
    var stage = end.stage()
    for step in 0..<300 { stage.press(end.key, at: 10 + Double(step) / 30) }
    #expect(stage.staysOpen && stage.spread == end.spread)
    let turned: Double = end.onBack ? 1 : -1
    for step in 0..<100 {
      stage.apply(.wheel(dx: 0, dy: turned * 250, ctrl: false), at: 20 + Double(step) / 5)
    }
    #expect(stage.staysOpen && stage.spread == end.spread)
    // After a pause a turn is meant.
    stage.press(end.key, at: 41)
    #expect(!stage.staysOpen)
  }

  @Test("a reader who turns fast to the end is shown it first")
  func fast() {
    var stage = BookEnd(onBack: true, isFlat: true, isMirrored: false).stage()
    stage.press(.pageUp, at: 10)
    stage.advance(to: 12)
    for step in 0..<4 { stage.press(.pageDown, at: 12 + Double(step) * 0.15) }
    #expect(stage.staysOpen && stage.pastEnd == nil && stage.spread == 6)
  }

  @Test("the end is forgotten after a while, and by a turn", arguments: BookEnd.all)
  func forgotten(end: BookEnd) {
    var stage = end.stage()
    stage.press(end.key, at: 10)
    stage.press(end.key, at: 10 + PastEnd.memory + 0.1)
    #expect(stage.staysOpen)
    let back: Key = end.onBack ? .pageUp : .pageDown
    stage.press(back, at: 17)
    stage.press(end.key, at: 19)
    #expect(stage.pastEnd == nil)
    stage.advance(to: 20.5)
    stage.press(end.key, at: 20.5)
    #expect(stage.staysOpen && stage.pastEnd != nil)
  }

  @Test("a finger meets a resistance that grows, and the book returns", arguments: BookEnd.all)
  func resistance(end: BookEnd) {
    var stage = end.stage()
    let rest = stage.frame(at: 10)
    let start = Point(x: -end.direction * 300, y: 20)
    stage.apply(.touch(start), at: 10)
    stage.apply(.pan(.began, start), at: 10)
    var (last, lastStep) = (0.0, Double.infinity)
    for step in 1...150 {
      let (time, x) = (10 + Double(step) / 60, start.x + end.direction * Double(step))
      stage.apply(.pan(.changed, Point(x: x, y: 20)), at: time)
      let closed = 1 - stage.openness(at: time)
      #expect(closed > last && closed - last < lastStep)
      let band = Scrolling.rubberBand(Double(step) / 362, dimension: EndPull.band)
      #expect(abs(closed - band) < 1e-12)
      (last, lastStep) = (closed, closed - last)
      #expect(stage.screen == .book)
    }
    #expect(last < 0.15)
    let end = Point(x: start.x + end.direction * 150, y: 20)
    let held = stage.frame(at: 13).placements
    stage.apply(.pan(.ended, end), at: 13)
    #expect(stage.frame(at: 13).placements == held)
    #expect(stage.staysOpen && stage.frame(at: 16) == rest)
  }

  @Test("a finger that goes back where it began turns leaves as usual", arguments: BookEnd.all)
  func reversed(end: BookEnd) {
    var stage = end.stage()
    end.pull(&stage, by: 120, seconds: 0.4, letGo: false)
    let start = -end.direction * 300
    // Where the leaf is that can turn the other way.
    for step in 0...60 {
      let x = start + end.direction * (120 - Double(step) * 10)
      stage.apply(.pan(.changed, Point(x: x, y: 20)), at: 10.4 + Double(step) / 100)
    }
    #expect(stage.openness(at: 11) == 1)
    #expect(stage.taken.leaves.turn.value(at: 11) != Double(end.spread))
    stage.apply(.pan(.cancelled, Point(x: 0, y: 20)), at: 11.5)
    #expect(stage.frame(at: 14).isSettled && stage.spread == end.spread)
  }

  @Test(
    "a long pull or a strong fling closes the book, a cancelled one does not",
    arguments: BookEnd.all
  )
  func pulled(end: BookEnd) {
    for (distance, seconds, closes) in [(400.0, 2.0, true), (250, 0.06, true), (150, 0.6, false)] {
      var stage = end.stage()
      end.pull(&stage, by: distance, seconds: seconds)
      #expect(stage.staysOpen == !closes, "\(distance) in \(seconds) s")
      let rest = stage.frame(at: 15)
      #expect(rest.isSettled && rest.screen == (closes ? .shelf : .book))
      var cancelled = end.stage()
      end.pull(&cancelled, by: distance, seconds: seconds, letGo: false)
      cancelled.apply(.pan(.cancelled, Point(x: 0, y: 0)), at: 10 + seconds)
      #expect(cancelled.staysOpen && cancelled.pastEnd == nil)
    }
  }

  @Test(
    "a swipe that would turn a leaf shows the end, and a second one closes the book",
    arguments: BookEnd.all
  )
  func swiped(end: BookEnd) {
    var stage = end.stage()
    end.pull(&stage, by: 160, seconds: 0.15)
    #expect(stage.staysOpen && stage.pastEnd != nil)
    let start = Point(x: -end.direction * 300, y: 20)
    let last = Point(x: start.x + end.direction * 160, y: 20)
    stage.apply(.touch(start), at: 11)
    stage.drag(from: start, to: last, at: 11, seconds: 0.15)
    #expect(!stage.staysOpen && stage.closesOnBack == end.onBack)
  }

  @Test("a tap while the book closes opens it again, without a leap", arguments: BookEnd.all)
  func reopened(end: BookEnd) {
    for moment in [0.3, 0.7, 1.1] where end.onBack || moment < 1 {
      var stage = end.stage()
      stage.press(end.key, at: 10)
      stage.press(end.key, at: 11)
      let before = stage.frame(at: 11 + moment).placements
      stage.tap(0, 0, at: 11 + moment)
      #expect(stage.frame(at: 11 + moment).placements == before)
      #expect(stage.screen == .book)
      #expect(stage.frame(at: 15) == end.stage().frame(at: 12))
    }
  }

  @Test("a finger on a closing book opens it against its way", arguments: BookEnd.all)
  func caught(end: BookEnd) {
    var stage = end.stage()
    stage.press(end.key, at: 10)
    stage.press(end.key, at: 11)
    stage.pan(.began, 0, 0, at: 11.4)
    let caught = stage.openness(at: 11.4)
    stage.pan(.changed, -end.direction * 100, 0, at: 11.5)
    #expect(stage.openness(at: 11.5) > caught)
  }

  @Test("recordings of older programs only yield", arguments: [DragRule.paper, .scroll])
  func older(dragRule: DragRule) {
    for end in BookEnd.all {
      var stage = end.stage(dragRule: dragRule)
      let rest = stage.frame(at: 10)
      for step in 0..<4 { stage.press(end.key, at: 10 + Double(step)) }
      #expect(stage.frame(at: 14) == rest)
      stage = end.stage(dragRule: dragRule)
      end.pull(&stage, by: 500, seconds: 0.2)
      #expect(stage.staysOpen && stage.frame(at: 15) == rest)
    }
  }

  @Test("an input closes the book onto its back cover only from its last spread")
  func ordered() {
    for end in BookEnd.all {
      var stage = end.stage()
      stage.apply(.close(onBack: true), at: 10)
      #expect(stage.staysOpen != end.onBack)
      stage = end.stage()
      stage.apply(.close(onBack: false), at: 10)
      #expect(!stage.staysOpen && !stage.closesOnBack)
    }
  }

  @Test("the cover of an open book may become visible next, wherever the book is open")
  func upcoming() {
    for end in BookEnd.all {
      let stage = end.stage()
      let pages = stage.upcoming(at: 11).map(\.page)
      #expect(pages.contains(0) && Set(pages).count == pages.count)
      #expect(stage.spreadPages.allSatisfy(pages.contains))
    }
  }
}
