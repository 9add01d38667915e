import Motion
import Scene
import Testing

@testable import Staging

@Suite("The wall of covers")
struct WallTests {
  private func shelf(books: Int = 60) -> Stage {
    Stage(library: library(books: books), start: .shelf)
  }

  private func wall(books: Int = 60) -> Stage {
    var stage = shelf(books: books)
    stage.press(.minus, at: 0)
    stage.advance(to: 5)
    return stage
  }

  private func place(_ index: Int, of stage: Stage, at time: Double) -> Point? {
    stage.frame(at: time)[.cover, index, in: stage.library].map {
      Point(x: $0.transform.m41, y: $0.transform.m42)
    }
  }

  @Test("minus makes the carousel a wall, and plus and Escape lead back to the same picture")
  func keys() {
    for key in [Key.plus, .escape] {
      var stage = shelf()
      let carousel = stage.frame(at: 0)
      stage.press(.minus, at: 1)
      #expect(stage.isWall && !stage.frame(at: 1.1).isSettled)
      let wall = stage.frame(at: 5)
      #expect(wall.isSettled && wall.screen == .shelf && wall.placements.count > 4 * 7)
      stage.press(key, at: 6)
      #expect(!stage.isWall)
      #expect(stage.frame(at: 11) == carousel)
      stage.press(.escape, at: 12)
      #expect(stage.frame(at: 15).screen == .collections)
    }
  }

  @Test("a jump brings any book into the middle, on the wall and in the carousel")
  func jump() {
    for (start, isWall) in [(wall(), true), (shelf(), false)] {
      var stage = start
      for (page, book) in [(41, 41), (0, 0), (Int.max, 59), (-7, 0), (Int.min, 0)] {
        stage.apply(.jump(page: page), at: 6)
        stage.apply(.settle, at: 6)
        #expect(stage.centreBook(at: 6) == book && stage.isWall == isWall)
      }
    }
  }

  @Test(
    "a cover that comes from beyond the window lands without a jump, also after a pinch"
  )
  func landing() {
    var stage = shelf()
    stage.pinch(to: 0.6, at: 0, seconds: 0.5)
    let rest = stage.restTime
    let (last, landed) = (stage.frame(at: rest - 1e-6), stage.frame(at: rest))
    var covers = 0
    for placement in landed.placements {
      guard let before = last.placements.first(where: { $0.key == placement.key }) else { continue }
      let (one, other) = (before.transform, placement.transform)
      // Covers further down are not in the window, and have a longer way.
      guard other.m42 < Stage.size.height else { continue }
      let (dx, dy) = (one.m41 - other.m41, one.m42 - other.m42)
      covers += 1
      #expect(dx * dx + dy * dy < 2.5 * 2.5, "\(placement.key)")
    }
    #expect(covers >= 4 * 7)
  }

  @Test("a pinch moves the covers with the fingers, and its release decides by the way it went")
  func pinch() {
    for (scale, isWall) in [(0.9, false), (0.6, true)] {
      var stage = shelf()
      stage.pinch(to: scale, at: 0, seconds: 0.5, letGo: false)
      let held = stage.frame(at: 0.5)
      #expect(held.placements.contains { $0.transform.m42 != 0 } && !held.isSettled)
      // A resting finger moves nothing.
      #expect(stage.frame(at: 0.9) == held)
      stage.pinch(.ended, scale, at: 1)
      let released = stage.frame(at: 1)
      for (one, other) in zip(held.placements, released.placements) {
        #expect(one.transform.isNear(other.transform.entries, 1e-9))
      }
      #expect(stage.isWall == isWall && stage.frame(at: 6).isSettled)
      #expect((place(8, of: stage, at: 6).map { $0.y != 0 } ?? false) == isWall)
    }
  }

  @Test("a cancelled pinch returns, and one that catches the wall in flight keeps its position")
  func caught() {
    var stage = shelf()
    let rest = stage.frame(at: 0)
    stage.pinch(to: 0.55, at: 0, seconds: 0.3, letGo: false)
    stage.pinch(.cancelled, 0.55, at: 0.3)
    #expect(stage.frame(at: 5) == rest)
    stage.press(.minus, at: 6)
    let flying = stage.frame(at: 6.1)
    stage.pinch(.began, 1, at: 6.1)
    #expect(stage.frame(at: 6.1).placements == flying.placements)
    #expect(stage.frame(at: 7).placements == flying.placements)
  }

  @Test("spreading fingers lead to the book between them")
  func spread() throws {
    var stage = wall()
    let there = try #require(place(17, of: stage, at: 5))
    stage.apply(.pinch(.began, scale: 1, there), at: 6)
    stage.apply(.pinch(.changed, scale: 1.5, there), at: 6.1)
    stage.apply(.pinch(.changed, scale: 2, there), at: 6.2)
    stage.apply(.pinch(.ended, scale: 2, there), at: 6.3)
    #expect(!stage.isWall && stage.centreBook(at: 12) == 17)
    #expect(place(17, of: stage, at: 12) == Point(x: 0, y: 0))
  }

  @Test("a tap or Enter opens a book from the middle of the carousel, wherever it is on the wall")
  func opens() throws {
    for index in [0, 9, 23] {
      var stage = wall()
      let there = try #require(place(index, of: stage, at: 5))
      stage.tap(there.x, there.y, at: 6)
      #expect(!stage.isWall && stage.frame(at: 6).screen == .shelf)
      stage.advance(to: 12)
      #expect(stage.frame(at: 12).screen == .book && stage.book == index)
      stage.press(.escape, at: 13)
      #expect(stage.frame(at: 20).screen == .shelf && place(index, of: stage, at: 20)?.y == 0)
    }
    var stage = wall()
    stage.press(.arrowDown, at: 6)
    stage.press(.enter, at: 7)
    stage.advance(to: 15)
    #expect(stage.frame(at: 15).screen == .book && stage.book == WallLayout.columns)
  }

  @Test("arrows move by a cover and by a row, and the chosen cover is larger and in view")
  func arrows() throws {
    var stage = wall(books: 500)
    var (time, expected) = (6.0, 0)
    let moves: [(Key, Int)] = [
      (.arrowRight, 1), (.arrowDown, 7), (.pageDown, 21), (.arrowLeft, -1), (.arrowUp, -7),
      (.end, 500), (.pageUp, -21), (.home, -500), (.arrowLeft, -1),
    ]
    for (key, step) in moves {
      stage.press(key, at: time)
      expected = min(max(expected + step, 0), 499)
      #expect(stage.centreBook(at: time) == expected, "\(key)")
      time += 10
      let frame = stage.frame(at: time)
      let chosen = try #require(frame[.cover, expected, in: stage.library])
      #expect(abs(chosen.transform.m42) < Stage.size.height / 2 - 64, "\(key)")
      let others = frame.placements.filter { $0.key != chosen.key }
      #expect(others.allSatisfy { $0.transform.m11 < chosen.transform.m11 && $0.z < chosen.z })
    }
  }

  @Test("a drag keeps the covers under the finger, and a fling stays within the wall")
  func drag() throws {
    var stage = wall(books: 500)
    stage.press(.pageDown, at: 5)
    stage.press(.pageDown, at: 10)
    let before = try #require(place(40, of: stage, at: 20))
    stage.pan(.began, 0, 100, at: 20)
    stage.pan(.changed, 30, 40, at: 20.2)
    let after = try #require(place(40, of: stage, at: 20.2))
    #expect(abs(after.y - before.y + 60) < 1e-9 && after.x == before.x)
    stage.pan(.ended, 30, 40, at: 20.4)
    stage.drag(from: Point(x: 0, y: 300), to: Point(x: 0, y: -300), at: 21, seconds: 0.05)
    let rest = stage.frame(at: 40)
    #expect(rest.isSettled && stage.isWall)
    #expect(stage.centreBook(at: 40).map { $0 > 40 && $0 < 500 } == true)
  }

  @Test("a frame has as many covers for 10,000 books as for 300, and none overlaps another at rest")
  func cost() throws {
    var counts: Set<Int> = []
    for books in [300, 10_000] {
      var stage = wall(books: books)
      stage.apply(.wheel(dx: 0, dy: 1000, ctrl: false), at: 6)
      let frame = stage.frame(at: 30)
      counts.insert((frame.placements.count + 13) / 28)
      for time in stride(from: 6.0, through: 8, by: 0.1) {
        #expect(stage.frame(at: time).placements.count <= 7 * 14)
      }
      for (index, one) in frame.placements.enumerated() {
        for other in frame.placements[(index + 1)...] {
          let (dx, dy) = (
            one.transform.m41 - other.transform.m41, one.transform.m42 - other.transform.m42
          )
          let scale = max(one.transform.m11, other.transform.m11)
          #expect(abs(dx) >= referencePage.width * scale || abs(dy) >= referencePage.height * scale)
        }
      }
    }
    #expect(counts.count == 1)
  }

  @Test("all covers of each place of the wall's scroll that a window can show are in the frame")
  func complete() {
    for count in [1, 6, 7, 8, 40, 120, 1000] {
      let wall = WallLayout(count: count)
      for fraction in stride(from: 0.0, through: 1, by: 0.05) {
        let items = wall.items(at: fraction)
        for height in [768.0, 1475, 2216] {
          let middle = wall.windowShift(at: fraction, windowHeight: height)
          for item in 0..<count {
            let y = wall.transform(of: item, size: referencePage, fraction: fraction).m42
            guard abs(y - middle) < height / 2 else { continue }
            #expect(items.contains(item), "\(item) of \(count) at \(fraction), \(height)")
          }
        }
      }
    }
  }

  @Test("a copy of the stage, a landed one and one with another library show the same wall")
  func copies() {
    var stage = wall()
    stage.press(.arrowDown, at: 6)
    let rest = stage.frame(at: 12).placements
    #expect(!rest.isEmpty)
    var landed = wall()
    landed.press(.arrowDown, at: 6)
    landed.apply(.settle, at: 6)
    #expect(landed.frame(at: 6).placements == rest)
    stage.replace(library: stage.library, at: 13)
    #expect(stage.frame(at: 13).placements == rest)
  }

  @Test("an empty shelf has no wall")
  func empty() {
    var stage = shelf(books: 0)
    stage.press(.minus, at: 0)
    #expect(!stage.isWall && stage.frame(at: 1).isSettled)
  }
}
