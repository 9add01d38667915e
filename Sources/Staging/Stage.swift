internal import Bookwork
public import Geometry
internal import Motion
public import Scene

/// The three screens as one state machine that takes only ``Input``.
///
/// All that moves is five scalars, each a closed form of absolute time: the scroll of the list, the
/// place of each carousel, the slide between list and shelf, the openness of the book and the
/// offset of its leaves. A frame is a function of them and of the instant asked for, so equal
/// inputs give byte-equal frames, and asking for a frame changes nothing.
public struct Stage: Equatable, Sendable {
  /// The stage's box in stage points; the origin is its centre and the spine of the open book.
  public static let size = Size(width: 1024, height: 768)

  let list: LedgeList
  let shelves: [ShelfLayout]
  let boxes: [[PageBox]]
  let pageCounts: [[Int]]

  /// The collection whose shelf is shown, or that Enter would open.
  public internal(set) var collection = 0
  /// The book that is open, opening or closing; meaningful while one is off its shelf.
  public internal(set) var book = 0

  var scroll = Course.rest(0)
  /// The places of the carousels that were moved, by their collections: most never are.
  var carousels: [Int: Course] = [:]
  var slide: Course
  var slidesBack = false
  var opening = Course.rest(0)
  var turn = Course.rest(0)
  var leaves: BookLayout
  /// Where the book in the hand belongs; nil before the first was taken.
  var place: Place?
  var places: [Place: Double] = [:]

  var gesture: Gesture?
  var origin: Screen
  var wheel = Wheel()

  /// Sets a stage.
  /// - Parameters:
  ///   - library: The shapes of what is shown; collections without books are allowed, no
  ///     collections at all shows an empty table.
  ///   - screen: Where it starts; `.book` opens the first book of the first shelf.
  public init(library: LibraryOutline, start screen: Screen = .collections) {
    boxes = library.collections.map { $0.books.map { PageBox(fitting: $0.pageSize) } }
    pageCounts = library.collections.map { $0.books.map(\.pageCount) }
    shelves = boxes.map { ShelfLayout(boxes: $0) }
    list = LedgeList(count: library.collections.count)
    let hasBooks = !(boxes.first?.isEmpty ?? true)
    let start = boxes.isEmpty ? .collections : (screen == .book && !hasBooks ? .shelf : screen)
    slide = .rest(start == .collections ? 0 : 1)
    origin = start
    leaves = BookLayout(pageCount: 1, box: PageBox(fitting: Size(width: 1, height: 1)))
    if start == .book {
      takeOffShelf(0)
      opening = .rest(1)
    }
  }

  /// A book's place in the library, where its offset is remembered.
  struct Place: Hashable, Sendable {
    var collection: Int
    var book: Int
  }

  /// The carousel of the shown shelf.
  var carousel: Course {
    get { carousels[collection] ?? .rest(0) }
    set { carousels[collection] = newValue }
  }

  /// The layout of the shown shelf; nil without collections.
  var shelf: ShelfLayout? { shelves.indices.contains(collection) ? shelves[collection] : nil }

  /// Makes a book of the shown shelf the one that opens, at the offset where it was left.
  mutating func takeOffShelf(_ index: Int) {
    if let place { places[place] = turn.target }
    let taken = Place(collection: collection, book: index)
    place = taken
    book = index
    leaves = BookLayout(pageCount: pageCounts[collection][index], box: boxes[collection][index])
    turn = .rest(places[taken] ?? 0)
  }
}

// MARK: - Places in books

extension Stage {
  /// Where the books were left that are not at their beginning: collection, book and spread
  /// of each.
  public var bookPlaces: [[Int]] {
    var all = places
    if let place { all[place] = turn.target }
    return all.filter { $0.value > 0 }
      .map { [$0.key.collection, $0.key.book, Int($0.value.rounded())] }
      .sorted { $0.lexicographicallyPrecedes($1) }
  }

  /// Puts books where they were left; places that the library does not have are passed over.
  public mutating func restore(places kept: [[Int]]) {
    for triple in kept where triple.count == 3 {
      let (collection, book) = (triple[0], triple[1])
      guard boxes.indices.contains(collection), boxes[collection].indices.contains(book) else {
        continue
      }
      let last = max(0, pageCounts[collection][book] / 2 - 1)
      places[Place(collection: collection, book: book)] = Double(min(max(triple[2], 0), last))
    }
  }
}

// MARK: - What may be asked

extension Stage {
  /// Where the stage is at rest, where it comes from while a finger drives, where it goes in
  /// flight.
  public var screen: Screen {
    if slide.isHeld || opening.isHeld { return origin }
    return destination
  }

  var destination: Screen {
    if opening.target >= 0.5 { return .book }
    return slide.target >= 0.5 ? .shelf : .collections
  }

  /// The instant from which nothing moves any more; +infinity while a finger holds something.
  public var restTime: Double {
    if gesture != nil { return .infinity }
    return max(
      max(scroll.endTime, carousel.endTime),
      max(slide.endTime, max(opening.endTime, turn.endTime))
    )
  }

  /// The instant at which something held lets go by itself; nil when nothing will.
  public var deadline: Double? { wheel.deadline }

  /// Tells whether nothing moves and nobody holds anything.
  public func isSettled(at time: Double) -> Bool { time >= restTime }

  /// Tells whether a finger, or a wheel that zooms, drives.
  public var isDriven: Bool { gesture != nil }

  /// The book in the middle of the shown shelf; nil when the shelf is empty.
  public func centreBook(at time: Double) -> Int? {
    guard let shelf, shelf.count > 0 else { return nil }
    return shelf.nearestItem(offset: carousel.isHeld ? carousel.value(at: time) : carousel.target)
  }

  /// The spread that the open book shows or turns to, counted from 0.
  public var spread: Int { Int((turn.isHeld ? turn.value(at: 0) : turn.target).rounded()) }

  /// The box of an element, in stage points.
  public func size(of key: ElementKey) -> Size {
    key.kind == .collection ? LedgeList.ledge : boxes[key.collection][key.book].size
  }

  /// The radius of the outer corners of an element, in stage points; 0 for a ledge.
  public func cornerRadius(of key: ElementKey) -> Double {
    key.kind == .collection ? 0 : boxes[key.collection][key.book].cornerRadius
  }

  /// The pages that may come to light next: the faces about the open spread, or those that the
  /// book in the middle of the shelf would open to.
  ///
  /// A page that knows them can decode their images before a leaf turns.
  public func upcoming(at time: Double) -> [ElementKey] {
    guard destination != .collections, shelves.indices.contains(collection) else { return [] }
    let isOpen = destination == .book
    guard let index = isOpen ? book : centreBook(at: time) else { return [] }
    let place = Place(collection: collection, book: index)
    let isInHand = place == self.place
    let spread = isInHand ? self.spread : Int((places[place] ?? 0).rounded())
    let count = pageCounts[collection][index]
    guard count > 0 else { return [] }
    // Two spreads to either side; a spread shows pages 2s + 1 and 2s + 2.
    let reach = (2 * spread - 3)...(2 * spread + 6)
    return reach.clamped(to: 0...count - 1).map {
      ElementKey(kind: .page, collection: collection, book: index, page: $0)
    }
  }
}

extension Stage {
  /// Tells whether something moves by itself, beside what a finger may hold.
  public func isFlying(at time: Double) -> Bool {
    func flies(_ course: Course) -> Bool { !course.isHeld && !course.isSettled(at: time) }
    return flies(scroll) || flies(carousel) || flies(slide) || flies(opening) || flies(turn)
  }
}
