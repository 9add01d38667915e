import Motion
import Scene
import TestVectors
import Testing

@testable import Staging

@Suite("Opening and closing")
struct OpeningTests {
  struct Push: Decodable {
    let frame: Int
    let p, coverAlpha: Double
    let items: [String: [Double]]
  }

  struct Pop: Decodable {
    let frame: Int
    let p: Double
    let item1: [Double]
  }

  struct Handover: Decodable {
    let retarget_to_0: [[Double]]
  }

  private func opened(_ start: Screen = .shelf, pages: Int = 14) -> Stage {
    Stage(library: library(pages: pages), start: start)
  }

  /// Returns how open the book is, derived from the size of a page.
  private func openness(_ frame: Frame) -> Double? {
    frame.placements.first { $0.key.kind == .page }.map { ($0.transform.m22 - 0.7) / 0.3 }
  }

  @Test("a tapped book opens like a push of the reference")
  func tappedBook() throws {
    var stage = opened()
    stage.tap(0, 0, at: 2)
    for sample in try vectors("push_timeline_60Hz", as: [Push].self) {
      let time = 2 + Double(sample.frame) / 60
      let frame = stage.frame(at: time)
      // At one second the book is open exactly; the reference still shows the end of its spring.
      if sample.frame == 60 {
        #expect(frame.isSettled && frame.screen == .book)
        #expect(openness(frame) == 1 || abs((openness(frame) ?? 0) - 1) < 1e-15)
        continue
      }
      #expect(frame.screen == .book && !frame.isSettled)
      let shown = frame.placements.filter { $0.key.kind == .page && $0.key.page <= 2 }
      #expect(!shown.isEmpty)
      for page in shown {
        let matrix = try #require(sample.items["\(page.key.page)"])
        #expect(page.transform.isNear(matrix, 1e-9), "page \(page.key.page) at \(sample.frame)")
      }
      let alpha = frame[.cover, 1, in: stage.library]?.opacity ?? 0
      #expect(abs(alpha - sample.coverAlpha) < 1e-9)
    }
  }

  @Test("Escape closes like a pop of the reference")
  func escapeCloses() throws {
    var stage = opened(.book)
    stage.press(.escape, at: 3)
    for sample in try vectors("pop_timeline_60Hz", as: [Pop].self) {
      let frame = stage.frame(at: 3 + Double(sample.frame) / 60)
      guard sample.frame < 60 else {
        #expect(frame.isSettled && frame.screen == .shelf)
        #expect(frame.indices(of: .cover, in: stage.library) == [0, 1, 2, 3, 4].filter { $0 < 6 })
        continue
      }
      #expect(frame.screen == .shelf)
      #expect(abs((openness(frame) ?? -1) - sample.p) < 1e-9)
      if let page = frame[.page, 1] { #expect(page.transform.isNear(sample.item1, 1e-9)) }
      #expect(abs((frame[.cover, 1, in: stage.library]?.opacity ?? 0) - (1 - sample.p)) < 1e-9)
    }
  }

  @Test("from a later spread every leaf closes with ease-in-out")
  func closingFromLaterSpread() {
    var stage = opened(.book)
    stage.press(.end, at: 0)
    #expect(stage.isSettled(at: 5))
    stage.press(.escape, at: 5)
    let layout = BookLayout(pageCount: 14, box: referenceBox)
    for step in 0..<60 {
      let time = 5 + Double(step) / 60
      let p = 1 - CubicBezier.easeInOut(Double(step) / 60)
      for page in stage.frame(at: time).placements where page.key.kind == .page {
        let pose = layout.transform(ofPage: page.key.page, in: BookPose(offset: 6, openness: p))
        #expect(page.transform.maximumDifference(from: pose) < 1e-9)
      }
    }
    #expect(stage.frame(at: 6).isSettled)
  }

  @Test("Escape while opening goes back as in the reference")
  func escapeWhileOpening() throws {
    var stage = opened()
    stage.tap(0, 0, at: 1)
    stage.press(.escape, at: 1.25)
    #expect(stage.frame(at: 1.3).screen == .shelf)
    for sample in try vectors("handover", as: Handover.self).retarget_to_0 {
      let time = 1.25 + sample[0]
      let animation = stage.taken.opening
      guard time < animation.endTime else { continue }
      #expect(abs(animation.value(at: time) - sample[1]) < 1e-9)
      #expect(abs(animation.velocity(at: time) - sample[2]) < 1e-8)
    }
  }

  @Test("the closed book is exactly where its cover is")
  func closedBookMatchesCover() throws {
    var stage = opened()
    let cover = try #require(stage.frame(at: 0)[.cover, 0, in: stage.library])
    stage.tap(0, 0, at: 0)
    let frame = stage.frame(at: 0)
    #expect(frame.pages == [0])
    #expect(frame[.cover, 0, in: stage.library] == nil)
    let page = try #require(frame[.page, 0])
    #expect(page.transform.m11 == 0.7 && page.transform.m22 == 0.7)
    #expect(abs(page.transform.m41 - (-126.7)) < 1e-12)
    #expect(abs(page.transform.m34 - (-0.0005)) < 1e-15)
    #expect(cover.transform.m41 == 0 && cover.transform.m11 == 0.7)
  }

  @Test("reopening keeps the offset, and another book has its own")
  func reopening() {
    var stage = opened(.book)
    stage.press(.arrowRight, at: 0)
    stage.press(.arrowRight, at: 0.1)
    stage.press(.escape, at: 3)
    stage.press(.enter, at: 5)
    #expect(stage.spread == 2)
    #expect(stage.frame(at: 7)[.page, 5] != nil && stage.frame(at: 7)[.page, 6] != nil)
    stage.press(.escape, at: 8)
    stage.press(.arrowRight, at: 10)
    stage.press(.enter, at: 12)
    #expect(stage.book == 1 && stage.spread == 0)
    stage.press(.escape, at: 14)
    stage.press(.arrowLeft, at: 16)
    stage.press(.enter, at: 18)
    #expect(stage.book == 0 && stage.spread == 2)
    #expect(stage.bookmarks == [Bookmark(book: "0/0", spread: 2)])
  }

  @Test("Enter right after an arrow opens the book at the arrow's target")
  func enterAfterArrow() throws {
    var stage = opened()
    stage.press(.arrowRight, at: 0)
    let before = try #require(stage.frame(at: 0.05)[.cover, 1, in: stage.library])
    stage.press(.enter, at: 0.05)
    #expect(stage.book == 1)
    let page = try #require(stage.frame(at: 0.05)[.page, 0])
    let centre = page.transform.m41 + page.transform.m11 * 181
    #expect(abs(centre - before.transform.m41) < 1e-9)
    #expect(abs(page.transform.m22 - before.transform.m22) < 1e-12)
    #expect(stage.frame(at: 3).isSettled && stage.frame(at: 3).screen == .book)
  }

  @Test("a book that opens while its shelf still slides in moves with the shelf")
  func openedWhileShelfSlides() throws {
    var stage = Stage(library: library(collections: 2))
    stage.press(.enter, at: 0)
    let before = try #require(stage.frame(at: 0.08)[.cover, 0, in: stage.library])
    stage.press(.enter, at: 0.08)
    let page = try #require(stage.frame(at: 0.08)[.page, 0])
    #expect(abs(page.transform.m41 + page.transform.m11 * 181 - before.transform.m41) < 1e-9)
    #expect(abs(page.opacity - before.opacity) < 1e-12)
    // A finger grabs the book, and not the shelf.
    stage.drag(
      from: Point(x: -500, y: 0),
      to: Point(x: 400, y: 0),
      at: 0.1,
      seconds: 0.1
    )
    let rest = stage.frame(at: 4)
    #expect(rest.isSettled && rest.screen == .book)
    #expect(rest.indices(of: .collection, in: stage.library).isEmpty)
  }
}
