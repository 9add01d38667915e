import Motion
import Scene
import TestVectors
import Testing

@testable import Staging

@Suite("Any input")
struct PropertyTests {
  private static func library(_ dice: inout SplitMix64) -> LibraryOutline {
    let pages = [1, 2, 3, 4, 7, 14]
    let sizes = [referencePage, Size(width: 600, height: 400), Size(width: 300, height: 470)]
    let collections = (0..<Int.random(in: 0...4, using: &dice)).map { _ -> CollectionOutline in
      CollectionOutline(
        books: (0..<Int.random(in: 0...6, using: &dice)).map { _ -> BookOutline in
          BookOutline(
            pageCount: pages.randomElement(using: &dice) ?? 1,
            pageSize: sizes.randomElement(using: &dice) ?? referencePage,
            progression: Bool.random(using: &dice) ? .leftToRight : .rightToLeft
          )
        }
      )
    }
    return LibraryOutline(collections: collections)
  }

  private func check(_ frame: Frame, _ what: String) {
    for placement in frame.placements {
      let isSound =
        placement.transform.isFinite && placement.opacity > 0 && placement.opacity <= 1
        && (0...1).contains(placement.shade)
      if !isSound { Issue.record("\(placement), \(what)") }
    }
    if Set(frame.placements.map(\.key)).count != frame.placements.count {
      Issue.record("an element twice, \(what)")
    }
  }

  /// Returns whether an input may move something immediately: also the beginning of a drag, if the
  /// finger was put down elsewhere.
  private func drives(_ input: Input, in stage: Stage) -> Bool {
    switch input {
    case .pan(.began, _): return stage.touched != nil
    case .pan(let phase, _): return phase == .changed || phase == .ended
    case .pinch(let phase, _, _): return phase == .changed || phase == .ended
    case .wheel(_, _, let ctrl): return ctrl
    default: return false
    }
  }

  /// Returns whether pages may replace others: a jump skips the pages in between.
  private func exchanges(_ input: Input) -> Bool {
    switch input {
    case .jump, .key(.home), .key(.end): true
    default: false
    }
  }

  @Test("gives valid frames without discontinuities, and everything comes to rest")
  func soundFrames() {
    for seed in seeds(0..<400) {
      var dice = SplitMix64(seed: seed)
      let library = Self.library(&dice)
      let start = Screen.allCases.randomElement(using: &dice) ?? .shelf
      let dragRule = DragRule.allCases.randomElement(using: &dice) ?? .paper
      var stage = Stage(library: library, start: start, dragRule: dragRule)
      var time = 0.0
      for step in 0..<40 {
        let gaps = [0, 0.008, 0.008, 0.016, 0.1, 0.3, 1.5]
        let until = time + (gaps.randomElement(using: &dice) ?? 0)
        var last = stage.frame(at: time)
        while time + 1.0 / 240 < until, !stage.isSettled(at: time) {
          time += 1.0 / 240
          let next = stage.frame(at: time)
          check(next, "seed \(seed) step \(step)")
          expectSlow(last, next, "seed \(seed) step \(step) time \(time)")
          last = next
        }
        time = until
        let input = RandomInput.any(&dice)
        var before = stage
        before.advance(to: time)
        stage.apply(input, at: time)
        let frame = stage.frame(at: time)
        check(frame, "seed \(seed) step \(step)")
        #expect(frame == stage.frame(at: time))
        if !drives(input, in: before), !exchanges(input), before.taken.leaves.layout.bundle == nil {
          let leap = difference(before.frame(at: time), frame)
          // A book this close to an end lands there when it is released or turns round.
          let opening = before.taken.opening.value(at: time)
          let isLanding = min(abs(opening), abs(1 - opening)) < TakenBook.openingTolerance
          let most = isLanding && !before.taken.opening.isSettled(at: time) ? 0.3 : 1e-6
          #expect(leap < most, "seed \(seed) step \(step): \(input) leaps by \(leap)")
        }
      }
      stage.apply(.pan(.ended, Point(x: 0, y: 0)), at: time)
      stage.apply(.pinch(.ended, scale: 1, Point(x: 0, y: 0)), at: time)
      expectRest(stage, library, at: time + 5, "seed \(seed)")
    }
  }

  /// Checks bounds far above the motion of any spring in a small library and far below a
  /// discontinuity: 60,000 points and 250 units of a matrix per second.
  private func expectSlow(_ a: Frame, _ b: Frame, _ what: String) {
    for one in a.placements {
      guard let other = b.placements.first(where: { $0.key == one.key }) else { continue }
      for entry in 0..<16 {
        let bound = (12...14).contains(entry) ? 60_000 / 240.0 : 250 / 240.0
        let way = abs(one.transform[entry] - other.transform[entry])
        if way > bound { Issue.record("\(one.key) leaps by \(way) in m[\(entry)], \(what)") }
      }
    }
  }

  private func expectRest(
    _ stage: Stage,
    _ library: LibraryOutline,
    at time: Double,
    _ what: String
  ) {
    let rest = stage.frame(at: time)
    #expect(rest.isSettled && !stage.isDriven, "\(what)")
    #expect(rest == stage.frame(at: time + 1000), "\(what)")
    check(rest, what)
    for placement in rest.placements {
      let key = placement.key
      let place = stage.library.index(of: key) ?? BookIndex(collection: 0, book: 0)
      #expect(placement.opacity == 1, "\(what)")
      switch (key.kind, rest.screen) {
      case (.collection, .collections): #expect(placement.transform.m41 == 0, "\(what)")
      case (.cover, .shelf) where stage.isWall:
        let books = library.collections[place.collection].books
        let shelf = ShelfLayout(boxes: books.map { PageBox(fitting: $0.pageSize) })
        let centre = stage.centreBook(at: time) ?? 0
        let wall = WallLayout(count: books.count).transform(
          of: place.book,
          size: PageBox(fitting: books[place.book].pageSize).size,
          fraction: books.count > 1 ? Double(centre) * shelf.pitch / shelf.maximumOffset : 0,
          closeness: place.book == centre ? 1 : 0
        )
        #expect(
          placement.transform.entries.elementsEqual(wall.entries) { abs($0 - $1) < 1e-9 },
          "\(what)"
        )
      case (.cover, .shelf):
        let boxes = library.collections[place.collection].books.map {
          PageBox(fitting: $0.pageSize)
        }
        let shelf = ShelfLayout(boxes: boxes)
        let offset = Double(stage.centreBook(at: time) ?? 0) * shelf.pitch
        #expect(placement.transform == shelf.transform(of: place.book, offset: offset), "\(what)")
      case (.page, .book):
        let book = library.collections[place.collection].books[place.book]
        let layout = BookLayout(pageCount: book.pageCount, box: PageBox(fitting: book.pageSize))
        let pose = BookPose(offset: Double(stage.spread), flatness: stage.isFlat ? 1 : 0)
        let transform = layout.transform(ofPage: key.page, in: pose)
        let isMirrored = book.progression == .rightToLeft
        #expect(placement.transform == (isMirrored ? transform.mirrored : transform), "\(what)")
      case (.board, .book):
        let book = library.collections[place.collection].books[place.book]
        let layout = BookLayout(pageCount: book.pageCount, box: PageBox(fitting: book.pageSize))
        let pose = BookPose(offset: Double(stage.spread), flatness: stage.isFlat ? 1 : 0)
        let board = layout.backBoard(in: pose)?.transform
        let isMirrored = book.progression == .rightToLeft
        #expect(placement.transform == (isMirrored ? board?.mirrored : board), "\(what)")
        #expect(placement.z == 0, "\(what)")
      default: Issue.record("\(key) on \(rest.screen), \(what)")
      }
    }
  }

  @Test("computing a frame changes no state, and equal input gives equal frames")
  func framesArePure() {
    for seed in seeds(1000..<1040) {
      var dice = SplitMix64(seed: seed)
      let library = Self.library(&dice)
      var (watched, unwatched) = (Stage(library: library), Stage(library: library))
      for step in 0..<50 {
        let input = RandomInput.any(&dice)
        let time = Double(step) * 0.07
        watched.apply(input, at: time)
        unwatched.apply(input, at: time)
        let copy = watched
        _ = watched.frame(at: time + 7)
        _ = watched.frame(at: time + 0.01)
        #expect(watched == copy)
      }
      for step in 0..<60 {
        let time = 3.5 + Double(step) / 30
        #expect(watched.frame(at: time) == unwatched.frame(at: time))
      }
    }
  }

  @Test("never traps with an empty library")
  func emptyLibrary() {
    for library in [LibraryOutline(collections: []), StagingTests.library(books: 0)] {
      for start in Screen.allCases {
        var stage = Stage(library: library, start: start)
        var dice = SplitMix64(seed: 5)
        for step in 0..<300 {
          stage.apply(RandomInput.any(&dice), at: Double(step) * 0.1)
          #expect(
            stage.frame(at: Double(step) * 0.1).placements.allSatisfy {
              $0.key.kind == .collection
            }
          )
          #expect(stage.upcoming(at: Double(step)).isEmpty)
        }
      }
    }
  }

  @Test("never traps with a book without pages")
  func bookWithoutPages() {
    for start in Screen.allCases {
      var stage = Stage(library: StagingTests.library(pages: 0), start: start)
      var dice = SplitMix64(seed: 6)
      for step in 0..<300 {
        stage.apply(RandomInput.any(&dice), at: Double(step) * 0.1)
        #expect(stage.frame(at: Double(step) * 0.1).placements.allSatisfy { $0.key.kind != .page })
        #expect(stage.upcoming(at: Double(step) * 0.1).isEmpty)
      }
    }
  }
}
