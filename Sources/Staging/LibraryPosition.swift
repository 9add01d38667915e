internal import Motion
internal import Scene

/// What a stage shows of its library: how far the list and the shelves are scrolled, the slide
/// between them, and whether the covers of a shelf are a carousel or a wall.
///
/// All motions are functions of absolute time; see `Animation`.
struct LibraryPosition: Equatable, Sendable {
  /// The tolerance of the slide: a quarter of a stage point as a fraction of the stage's width.
  static let slideTolerance = Stage.pointTolerance / Stage.size.width
  /// The tolerance of the wall, whose covers come from beyond the window.
  static let wallTolerance = 2e-4
  /// The duration of the slide between list and shelf, in seconds (that of a navigation bar).
  static let slideSeconds = 0.2

  /// The index of the collection whose shelf is shown, or that Enter would open.
  var collection = 0
  /// The scroll of the list, in stage points.
  var scroll = Animation.rest(0)
  /// The positions of the carousels that were moved, by collection; most carousels are never moved.
  private var carousels: [Int: Animation] = [:]
  /// The slide between the list, at 0, and the shelf, at 1.
  var slide: Animation
  /// The arrangement of the covers of a shelf: a carousel at 0, a wall at 1.
  var wall = Animation.rest(0)
  /// Whether the last slide moved, or was held, on the way back to the list.
  private var slidesBack = false
  /// The laid-out library; the last property, because comparing it may take long.
  private(set) var library: LibraryLayout

  /// Creates a position at rest, at the list or at the first shelf.
  init(in library: LibraryLayout, isAtShelf: Bool) {
    self.library = library
    slide = .rest(isAtShelf ? 1 : 0)
  }

  /// The list of ledges.
  var list: LedgeList { library.list }

  /// The present shelf; nil without collections.
  private var plan: ShelfPlan? {
    library.shelves.indices.contains(collection) ? library.shelves[collection] : nil
  }

  /// The layout of the present shelf; nil without collections.
  var shelf: ShelfLayout? { plan?.layout }

  /// Whether the shelf is shown, or slides in.
  var isAtShelf: Bool { slide.target >= 0.5 }

  /// Whether the covers of the present shelf are a wall, or on their way to one.
  var isWall: Bool { isAtShelf && wall.target >= 0.5 }

  /// The carousel of the present shelf, in stage points.
  var carousel: Animation {
    get { carousels[collection] ?? .rest(0) }
    set { carousels[collection] = newValue }
  }

  /// The time when the last of its motions lands, in seconds; +infinity while a finger holds one.
  var endTime: Double {
    max(max(scroll.endTime, carousel.endTime), max(slide.endTime, wall.endTime))
  }

  /// Returns whether one of its motions continues without a finger.
  func isFlying(at time: Double) -> Bool {
    scroll.isFlying(at: time) || carousel.isFlying(at: time) || slide.isFlying(at: time)
      || wall.isFlying(at: time)
  }
}

// MARK: - Moves

extension LibraryPosition {
  /// Scrolls the list; a target beyond its ends is clamped.
  mutating func scrollList(to target: Double, at time: Double) {
    scroll.launch(
      to: min(max(target, 0), list.maximumScroll),
      tolerance: Stage.pointTolerance,
      at: time
    )
  }

  /// Scrolls the list until a collection is in view.
  mutating func scrollList(showing index: Int, at time: Double) {
    scrollList(to: list.scroll(showing: index, from: scroll.target), at: time)
  }

  /// Moves the carousel to a book of the present shelf; an index beyond its ends is clamped.
  mutating func scrollShelf(to index: Int, at time: Double) {
    guard let shelf, shelf.count > 0 else { return }
    let target = Double(min(max(index, 0), shelf.count - 1)) * shelf.pitch
    let next = carousel.relaunched(to: target, tolerance: Stage.pointTolerance, at: time)
    // Writing an unchanged carousel would list one that was never moved.
    if let next { carousel = next }
  }

  /// Slides to the list, at 0, or to the shelf, at 1.
  mutating func slide(to end: Double, at time: Double) {
    if slide.isSettled(at: time) {
      slidesBack = end == 0
      slide = .eased(.easeInOut, from: 1 - end, to: end, at: time, duration: Self.slideSeconds)
    } else {
      slide.launch(to: end, spring: .closing, tolerance: Self.slideTolerance, at: time)
    }
  }

  /// Arranges the covers as a carousel, at 0, or as a wall, at 1.
  mutating func arrange(as end: Double, at time: Double) {
    wall.launch(to: end, spring: .closing, tolerance: Self.wallTolerance, at: time)
  }

  /// Holds the slide under a finger; from rest, a finger can only move it back to the list.
  mutating func holdSlide(_ value: Double, at time: Double) {
    if slide.isSettled(at: time) { slidesBack = true }
    slide = .held(value)
  }

  /// Moves everything to its target.
  mutating func settle() {
    scroll = .rest(scroll.target)
    for (index, animation) in carousels { carousels[index] = .rest(animation.target) }
    slide = .rest(slide.target)
    wall = .rest(wall.target)
  }

  /// Replaces the library; must be called at rest.
  ///
  /// Each carousel that was moved, and the one of the present shelf, moves to the same book, or to
  /// the same index if the book is no longer there.
  ///
  /// - Complexity: O(n log n) in the number of carousels that were moved.
  mutating func replace(library new: LibraryLayout) {
    let old = library
    library = new
    scroll = .rest(min(max(scroll.target, 0), list.maximumScroll))
    let present = slide.target == 1 ? [collection] : []
    let centres = Set(carousels.keys).union(present).sorted().map { index in
      (index, nearestBook(ofCollection: index, in: old))
    }
    carousels = [:]
    for (index, book) in centres {
      guard let there = new.index(of: index, in: old) else { continue }
      let shelf = new.shelves[there]
      guard shelf.count > 0 else { continue }
      let place = min(shelf.index(of: book, in: old.shelves[index]) ?? book, shelf.count - 1)
      if place > 0 { carousels[there] = .rest(Double(place) * shelf.layout.pitch) }
    }
  }

  private func nearestBook(ofCollection index: Int, in library: LibraryLayout) -> Int {
    guard library.shelves.indices.contains(index), library.shelves[index].count > 0 else {
      return 0
    }
    return library.shelves[index].layout.nearestItem(offset: carousels[index]?.target ?? 0)
  }
}

// MARK: - Covers

extension LibraryPosition {
  /// Returns the book in the middle of the present shelf; nil if the shelf is empty.
  func centreBook(at time: Double) -> Int? {
    guard let shelf, shelf.count > 0 else { return nil }
    let carousel = carousel
    return shelf.nearestItem(offset: carousel.isHeld ? carousel.value(at: time) : carousel.target)
  }

  /// Returns the covers of the present shelf; nil without collections.
  func covers(at time: Double) -> ShelfCovers? {
    guard let plan else { return nil }
    return ShelfCovers(
      plan: plan,
      offset: carousel.value(at: time),
      wall: wall.value(at: time),
      shift: shelfShift(at: time)
    )
  }

  /// How far the carousel moves while the wall scrolls by one stage point.
  var wallGain: Double {
    guard let plan else { return 0 }
    let length = plan.wall.scrollLength
    return length > 0 ? plan.layout.maximumOffset / length : 0
  }

  /// The fraction of the wall's scroll at rest, 0...1.
  var wallFraction: Double {
    guard let shelf, shelf.maximumOffset > 0 else { return 0 }
    return clamp(carousel.target / shelf.maximumOffset)
  }

  /// Returns how far below the middle of the stage the middle of a tall window is on the wall, in
  /// stage points.
  func wallShift(windowHeight height: Double) -> Double {
    plan?.wall.windowShift(at: wallFraction, windowHeight: height) ?? 0
  }

  /// The size of the widest cover of the present shelf at its middle, and the greatest height.
  var coverSize: Size {
    guard let shelf else { return Stage.size }
    let scale = shelf.scale(distance: 0)
    return Size(width: max(shelf.widest, 1) * scale, height: PageBox.room.height * scale)
  }
}

// MARK: - Appearance

extension LibraryPosition {
  /// Returns the opacity of the list, 0...1, at a value of the slide.
  ///
  /// On the way to the shelf the list fades out in the first half; on the way back it fades in
  /// during that half.
  func listOpacity(slide: Double) -> Double { clamp(slidesBack ? 2 * (1 - slide) : 1 - 2 * slide) }

  /// Returns the opacity of the shelf, 0...1, at a value of the slide.
  ///
  /// On the way to the shelf it fades in during the first half; on the way back it fades out all
  /// the way.
  func shelfOpacity(slide: Double) -> Double { clamp(slidesBack ? slide : 2 * slide) }

  /// Returns how far right of its place the shelf is while it slides in or out, in stage points.
  func shelfShift(at time: Double) -> Double { Stage.size.width * (1 - slide.value(at: time)) }

  /// The maximum distances of a visible element from the centre of the stage, in stage points; they
  /// exceed the width and height of any common window.
  static let sightX = 2048.0
  private static let sightY = 1536.0

  /// Adds the ledges that are in sight to a frame.
  func placeLedges(at time: Double, into frame: inout Frame) {
    let slide = slide.value(at: time)
    let opacity = listOpacity(slide: slide)
    guard slide < 1, opacity > 0 else { return }
    let scroll = scroll.value(at: time)
    for index in list.indices(within: Self.sightY, scroll: scroll) {
      let y = list.y(of: index, scroll: scroll)
      guard abs(y) < Self.sightY else { continue }
      frame.placements.append(
        Placement(
          key: library.ledge(index),
          transform: .translation(x: -Stage.size.width * slide, y: y, z: 0),
          opacity: opacity,
          shade: 0,
          z: 0
        )
      )
    }
  }

  /// Adds the covers that are in sight to a frame, except that of a book off its shelf, whose
  /// neighbours have the rest of its openness as their opacity.
  func placeCovers(at time: Double, without taken: TakenBook, into frame: inout Frame) {
    let slide = slide.value(at: time)
    guard slide > 0, let covers = covers(at: time) else { return }
    let out = taken.isOut(at: time) ? taken.index?.book : nil
    let closed = out == nil ? 1 : clamp(1 - taken.opening.value(at: time))
    let opacity = shelfOpacity(slide: slide) * closed
    guard opacity > 0 else { return }
    for index in covers.visible where index != out {
      let transform = covers.transform(of: index)
      guard abs(transform.m41) < Self.sightX else { continue }
      frame.placements.append(
        Placement(
          key: library.key(.cover, of: BookIndex(collection: collection, book: index)),
          transform: transform,
          opacity: opacity,
          shade: 0,
          z: covers.z(of: index)
        )
      )
    }
  }
}
