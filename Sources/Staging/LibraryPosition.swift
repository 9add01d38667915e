internal import Motion

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

  /// Creates a position at rest, at the list or at the first shelf.
  init(isAtShelf: Bool) { slide = .rest(isAtShelf ? 1 : 0) }

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
  mutating func scroll(to target: Double, in list: LedgeList, at time: Double) {
    scroll.launch(
      to: min(max(target, 0), list.maximumScroll),
      tolerance: Stage.pointTolerance,
      at: time
    )
  }

  /// Moves the carousel to a book of the present shelf; an index beyond its ends is clamped.
  mutating func scroll(to index: Int, on shelf: ShelfLayout, at time: Double) {
    guard shelf.count > 0 else { return }
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

  /// Moves each carousel that was moved, and the one of the present shelf, to the same book in
  /// another layout of the library, or to the same index if the book is no longer there; must be
  /// called at rest.
  ///
  /// - Complexity: O(n log n) in the number of carousels that were moved.
  mutating func moveCarousels(from old: LibraryLayout, to new: LibraryLayout) {
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
}
