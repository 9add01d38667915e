import Motion
import Scene
import TestVectors
import Testing

@testable import Staging

/// Books that are read from right to left, against the same book read from left to right.
@Suite("A book that is read from right to left")
struct MirrorTests {
  private static func library(pages: Int, _ progression: Progression) -> LibraryOutline {
    let book = BookOutline(pageCount: pages, pageSize: referencePage, progression: progression)
    return LibraryOutline(collections: [CollectionOutline(books: [book])])
  }

  @Test("an open book whose new edition is read from right to left is mirrored at once")
  func edition() {
    var stage = Stage(library: Self.library(pages: 14, .leftToRight), start: .shelf)
    stage.press(.enter, at: 0)
    stage.advance(to: 4)
    #expect(!stage.isMirrored)
    stage.replace(library: LibraryLayout(Self.library(pages: 14, .rightToLeft)), at: 5)
    #expect(stage.isMirrored)
    stage.press(.arrowLeft, at: 6)
    #expect(stage.spread == 1)
  }

  @Test("a bookmark beyond the last page is one of the last spread")
  func beyond() {
    var stage = Stage(library: Self.library(pages: 14, .leftToRight), start: .shelf)
    stage.restore(bookmarks: [Bookmark(book: "0/0", spread: 900)])
    stage.press(.enter, at: 0)
    stage.advance(to: 4)
    #expect(stage.spread == 6)
  }

  private static func mirrored(_ point: Point) -> Point { Point(x: -point.x, y: point.y) }

  /// Returns what a hand in the mirror does.
  private static func mirrored(_ input: Input) -> Input {
    switch input {
    case .tap(let point): .tap(mirrored(point))
    case .touch(let point): .touch(mirrored(point))
    case .pan(let phase, let point): .pan(phase, mirrored(point))
    case .pinch(let phase, let scale, let point): .pinch(phase, scale: scale, mirrored(point))
    case .key(.arrowLeft): .key(.arrowRight)
    case .key(.arrowRight): .key(.arrowLeft)
    case .wheel(let dx, let dy, let ctrl): .wheel(dx: -dx, dy: dy, ctrl: ctrl)
    default: input
    }
  }

  /// Returns an entry's sign in the mirror: an entry that leads from or to x alone changes it.
  private static func sign(_ entry: Int) -> Double {
    (entry / 4 == 0) != (entry % 4 == 0) ? -1 : 1
  }

  /// Expects mirror images, except for the position of a book whose shelf still moves.
  private func expectMirrored(
    _ frame: Frame,
    _ other: Frame,
    isShelfMoving: Bool,
    _ what: String
  ) {
    #expect(frame.screen == other.screen && frame.isSettled == other.isSettled, "\(what)")
    // The lamp stays where it is, so shadows are no mirror images.
    var (one, two) = (frame.withoutShadows, other.withoutShadows)
    if isShelfMoving {
      // Beside the middle, other parts of the pages below the cover are seen.
      let both = Set(one.map(\.key)).intersection(two.map(\.key))
      one.removeAll { !both.contains($0.key) }
      two.removeAll { !both.contains($0.key) }
    }
    guard one.map(\.key) == two.map(\.key) else {
      Issue.record("\(one.map(\.key)) against \(two.map(\.key)), \(what)")
      return
    }
    for (one, two) in zip(one, two) {
      let isLeaf = one.key.kind == .page || one.key.kind == .board
      for entry in 0..<16 where !(isShelfMoving && entry == 12) {
        let expected = one.transform[entry] * (isLeaf ? Self.sign(entry) : 1)
        if expected != two.transform[entry] { Issue.record("\(one.key), entry \(entry), \(what)") }
      }
      #expect(one.opacity == two.opacity && one.shade == two.shade && one.z == two.z, "\(what)")
    }
  }

  @Test("is the mirror image, bit by bit, whatever a hand in the mirror does")
  func mirror() {
    for seed in seeds(0..<300) {
      var dice = SplitMix64(seed: seed)
      let pages = [2, 3, 14, 15, 80].randomElement(using: &dice) ?? 14
      let rule = DragRule.allCases.randomElement(using: &dice) ?? .paper
      var ltr = Stage(
        library: Self.library(pages: pages, .leftToRight),
        start: .book,
        dragRule: rule
      )
      var rtl = Stage(
        library: Self.library(pages: pages, .rightToLeft),
        start: .book,
        dragRule: rule
      )
      var time = 0.0
      for step in 0..<60 {
        time += [0, 0.008, 0.016, 0.1, 0.4, 1.5].randomElement(using: &dice) ?? 0
        let input = RandomInput.any(&dice)
        ltr.advance(to: time)
        rtl.advance(to: time)
        let isOut = ltr.taken.isOut(at: time)
        // On the shelf nothing is mirrored, and a closing book has given back keys and wheels.
        let isMirrored: Bool
        switch input {
        case .key, .wheel: isMirrored = isOut && ltr.destination == .book
        default: isMirrored = isOut
        }
        ltr.apply(input, at: time)
        rtl.apply(isMirrored ? Self.mirrored(input) : input, at: time)
        let what = "seed \(seed), step \(step), \(input)"
        let (slide, scroll) = (ltr.position.shelfShift(at: time), ltr.position.carousel)
        expectMirrored(
          ltr.frame(at: time),
          rtl.frame(at: time),
          isShelfMoving: slide != 0 || scroll.value(at: time) != 0,
          what
        )
        #expect(ltr.spread == rtl.spread && ltr.restTime == rtl.restTime, "\(what)")
      }
    }
  }

  @Test("has its first page on the right, and its leaves turn to the right")
  func order() throws {
    var stage = Stage(library: Self.library(pages: 14, .rightToLeft), start: .book)
    let first = try #require(stage.frame(at: 0)[.page, 1])
    let second = try #require(stage.frame(at: 0)[.page, 2])
    #expect(first.transform.transformed(Point(x: 100, y: 0)).x > 0)
    #expect(second.transform.transformed(Point(x: -100, y: 0)).x < 0)
    stage.press(.arrowRight, at: 0)
    #expect(stage.spread == 0)
    stage.press(.arrowLeft, at: 1)
    #expect(stage.spread == 1)
    stage.press(.pageDown, at: 3)
    #expect(stage.spread == 2)
    stage.tap(300, 0, at: 6)
    #expect(stage.spread == 1)
    stage.drag(from: Point(x: -300, y: 0), to: Point(x: 250, y: 0), at: 9, seconds: 0.5)
    #expect(stage.spread == 2)
  }

  @Test("lies exactly on its cover before it opens, also beside the middle of the shelf")
  func cover() throws {
    var books = Self.library(pages: 14, .rightToLeft).collections[0].books
    books.append(books[0])
    let library = LibraryOutline(collections: [CollectionOutline(books: books)])
    var stage = Stage(library: library, start: .shelf)
    // The shelf still moves when its second book is opened.
    stage.press(.arrowRight, at: 1)
    let cover = try #require(stage.frame(at: 1.2)[.cover, 1, in: stage.library])
    stage.press(.enter, at: 1.2)
    let page = try #require(stage.frame(at: 1.2)[.page, 0])
    let width = stage.size(of: cover.key).width
    for share in [0.0, 0.5, 1] {
      let seen = cover.transform.transformed(Point(x: (share - 0.5) * width, y: 100))
      let paper = page.transform.transformed(Point(x: (share - 1) * width, y: 100))
      #expect(abs(seen.x - paper.x) < 1e-3 && abs(seen.y - paper.y) < 1e-3, "\(share)")
    }
  }

  @Test("casts the longer shadow of a leaf to the right, like every other book")
  func shadow() throws {
    for progression in [Progression.leftToRight, .rightToLeft] {
      var stage = Stage(library: Self.library(pages: 80, progression), start: .book)
      stage.apply(.lay(.flat), at: 0)
      stage.apply(.jump(page: 31), at: 2)
      stage.press(.pageDown, at: 10)
      var lengths: [Double] = []
      let middle = (0..<1000).map { 10 + Double($0) / 1000 }
        .first { stage.taken.leaves.turn.value(at: $0) >= 15.5 }
      let frame = stage.frame(at: try #require(middle))
      for shadow in frame.placements where shadow.key.part == .shadow {
        let isRight = shadow.key.page.isMultiple(of: 2) == (progression == .leftToRight)
        lengths.append(shadow.transform.transformed(Point(x: isRight ? 362 : -362, y: 0)).x)
      }
      let right = lengths.filter { $0 > 0 }.max() ?? 0
      let left = -(lengths.filter { $0 < 0 }.min() ?? 0)
      #expect(right > left, "\(progression): \(lengths)")
    }
  }
}

extension Frame {
  fileprivate var withoutShadows: [Placement] { placements.filter { $0.key.part != .shadow } }
}
