package import Motion
package import Scene

/// What a tall or low window shows of each screen.
extension Framing {
  /// The heights that the page's bars take, in CSS pixels.
  struct Bars {
    var top: Double
    var foot: Double

    /// The bars below a book are higher on a phone, where they have two rows.
    static func around(book isPhone: Bool) -> Bars {
      isPhone ? Bars(top: 56, foot: 112) : Bars(top: 64, foot: 64)
    }
    /// The title and the author are below the covers of a shelf.
    static let ofShelf = Bars(top: 64, foot: 180)
    static let ofWall = Bars(top: 64, foot: 56)
    /// In a low window the bars cover the edges of a book while they are shown.
    static let ofLowBook = Bars(top: 4, foot: 4)
    static let ofLowShelf = Bars(top: 48, foot: 52)
  }

  /// The greatest width of a phone's window, in CSS pixels.
  private static let phoneWidth = 600.0
  /// The height from which a window is no longer low, in CSS pixels.
  private static let lowHeight = 420.0
  /// The width of the widest cover of a shelf, as a fraction of the window's.
  private static let coverShare = 0.78
  /// The number of CSS pixels per stage point at which the text of a ledge has its size.
  private static let ledgeScale = 0.95
  /// The space to the left of a ledge, in CSS pixels.
  private static let ledgeMargin = 16.0

  /// Returns whether a window shows one page of the open book: it is taller than it is wide.
  package static func isTall(_ viewport: Viewport) -> Bool {
    viewport.size.height > viewport.size.width
  }

  /// Returns whether a window has less height than its bars and a book need, as that of a phone on
  /// its side.
  static func isLow(_ viewport: Viewport) -> Bool {
    !isTall(viewport) && viewport.size.height < lowHeight
  }

  /// Returns whether a window shows a part of the stage; a book opened from it is laid flat.
  package static func isSmall(_ viewport: Viewport) -> Bool { isTall(viewport) || isLow(viewport) }

  /// Returns the part of a stage that a window shows at rest.
  static func goal(of stage: Stage, page: Page, in viewport: Viewport) -> ZoomTransform {
    guard isSmall(viewport) else { return .whole }
    let isLow = isLow(viewport)
    switch stage.destination {
    case .collections: return isLow ? .whole : ledges(in: viewport)
    case .shelf where stage.isWall: return wall(of: stage, in: viewport)
    case .shelf:
      return fit(stage.position.coverSize, of: coverShare, isLow ? .ofLowShelf : .ofShelf, viewport)
    case .book where isLow:
      let reach = stage.pageReach
      let size = Size(width: 2 * reach.width, height: 2 * reach.height)
      return fit(size, of: 1, .ofLowBook, viewport)
    case .book: return book(of: stage, page: page, in: viewport)
    }
  }

  /// Returns whether a window is as narrow as a phone's.
  static func isPhone(_ viewport: Viewport) -> Bool { viewport.size.width <= phoneWidth }

  /// Returns the heights that the bars take above and below an open book.
  static func bars(aroundBookIn viewport: Viewport) -> Bars {
    isLow(viewport) ? .ofLowBook : .around(book: isPhone(viewport))
  }

  private static func book(of stage: Stage, page: Page, in viewport: Viewport) -> ZoomTransform {
    let bars = bars(aroundBookIn: viewport)
    let reach = stage.pageReach
    var goal = fit(Size(width: reach.width, height: 2 * reach.height), of: 1, bars, viewport)
    goal.x = -page.sign(in: stage) * goal.zoom * reach.width / 2
    return goal
  }

  /// Returns the framing in which a box in the middle of the stage has a share of the window's
  /// width, or is as high as the space between the bars, whichever is smaller.
  private static func fit(
    _ box: Size,
    of share: Double,
    _ bars: Bars,
    _ viewport: Viewport
  ) -> ZoomTransform {
    let scale = Camera(viewport: viewport).scale
    let size = viewport.size
    let high = max(size.height - bars.top - bars.foot, 1)
    let least = max(min(share * size.width / box.width, high / box.height), scale)
    return ZoomTransform(zoom: least / scale, x: 0, y: (bars.top - bars.foot) / 2 / scale)
  }

  /// Returns the framing of the whole width of the wall, moved so that a tall window begins with
  /// the first row and ends with the last one.
  private static func wall(of stage: Stage, in viewport: Viewport) -> ZoomTransform {
    let scale = Camera(viewport: viewport).scale
    let fraction = stage.position.wallFraction
    // Where the stage is small, the bars are higher than the space that the wall leaves for them.
    let top = max(0, Bars.ofWall.top / scale - WallLayout.topInset)
    let foot = max(0, Bars.ofWall.foot / scale - WallLayout.footInset)
    let shift = stage.position.wallShift(windowHeight: viewport.size.height / scale)
    return ZoomTransform(zoom: 1, x: 0, y: top * (1 - fraction) - foot * fraction - shift)
  }

  private static func ledges(in viewport: Viewport) -> ZoomTransform {
    let size = viewport.size
    guard isPhone(viewport) else { return .whole }
    let scale = Camera(viewport: viewport).scale
    let zoom = max(ledgeScale / scale, 1)
    return ZoomTransform(
      zoom: zoom,
      x: (ledgeMargin - size.width / 2) / scale + zoom * LedgeList.ledge.width / 2,
      y: zoom * Stage.size.height / 2 - size.height / 2 / scale
    )
  }
}

extension Framing {
  /// Returns half the width and height of what a zoom over the flat book may show, in stage points
  /// of the window without the zoom: the shown page, or both.
  package func reach(of stage: Stage, in viewport: Viewport) -> Size {
    let flat = stage.flatReach
    guard Self.isSmall(viewport), stage.openBook != nil else { return flat }
    let goal = goal
    let shown = Self.isTall(viewport) ? flat.width / 2 : flat.width
    return Size(width: goal.zoom * shown, height: goal.zoom * flat.height + abs(goal.y))
  }
}

extension Stage {
  /// Half the width and height of the open book's pages in the pose in which it rests.
  package var pageReach: Size { taken.leaves.layout.reach(flatness: clamp(taken.lay.target)) }

  /// Returns the leaf on its way; nil if none is.
  func turning(at time: Double) -> Framing.Turning? {
    let turn = taken.leaves.turn
    let offset = turn.value(at: time)
    let goal = taken.leaves.goal
    let left = goal - offset
    if turn.isHeld || abs(left) < Self.turnedTolerance {
      let risen = offset - offset.rounded()
      guard abs(risen) >= Self.turnedTolerance else { return nil }
      let page: Framing.Page = risen > 0 ? .second : .first
      return Framing.Turning(page: page, landing: page)
    }
    let from: Framing.Page = left > 0 ? .second : .first
    guard abs(left) > 0.5 else { return Framing.Turning(page: from.other, landing: from.other) }
    let middle = left > 0 ? goal - 0.5 : goal + 0.5
    var turning = Framing.Turning(page: from, landing: from.other)
    // A leaf that waits for its images stands above the spine.
    guard abs(turn.target - middle) > Self.turnedTolerance else { return turning }
    var (low, high) = (time, turn.endTime)
    for _ in 0..<Self.bisections {
      let between = (low + high) / 2
      let isPast = (turn.value(at: between) - middle) * left > 0
      if isPast { high = between } else { low = between }
    }
    turning.middle = high
    return turning
  }

  /// The distance from a spread within which no leaf has risen, in leaves.
  private static let turnedTolerance = 0.02
  private static let bisections = 40
}
