package import Motion
package import Scene

/// The three screens as one state machine, whose only input is ``Input``.
///
/// Seven scalars describe all motion, each in closed form of absolute time: the scroll of the list,
/// the position of each carousel, the slide between list and shelf, the arrangement of the covers,
/// and the openness, the leaf offset and the pose of the book. A frame is a function of these
/// scalars and of the requested time. Equal input therefore gives byte-equal frames, and requesting
/// a frame changes nothing.
package struct Stage: Equatable, Sendable {
  /// The size of the stage in stage points; the origin is its centre and the spine of the open
  /// book.
  package static let size = Size(width: 1024, height: 768)
  /// The distance within which a list or carousel has landed, in stage points; less than a pixel.
  static let pointTolerance = 0.25

  /// The library, and what the stage shows of it.
  var position: LibraryPosition
  /// The book that is off its shelf, or the last one that was.
  var taken: TakenBook
  /// Where books were left.
  var left = Bookmarks()
  /// The navigation in progress.
  var navigation: Navigation?

  var gesture: Gesture? { didSet { isDriven = gesture != nil } }
  /// Whether a finger, or a zooming wheel, drives the stage.
  ///
  /// It is stored, because a question for the large gesture copies it, several times a message.
  package private(set) var isDriven = false
  /// The screen that a finger leaves.
  var origin: Screen
  var wheel = Wheel()
  /// Where the finger of the drag that begins next was put down.
  var touched: Point?
  private var addressOnly = AddressOnly()

  /// Creates a stage.
  /// - Parameters:
  ///   - library: The laid-out library; collections may be empty, and without collections the table
  ///     is empty.
  ///   - screen: The initial screen; `.book` opens the first book of the first shelf.
  ///   - dragRule: How a finger turns the leaves of the open book.
  package init(
    library: LibraryLayout,
    start screen: Screen = .collections,
    dragRule: DragRule = .covers
  ) {
    taken = TakenBook(dragRule: dragRule)
    let opensFirst = library.shelves.first?.outline.books.first?.isReadable ?? false
    let start =
      library.shelves.isEmpty ? .collections : (screen == .book && !opensFirst ? .shelf : screen)
    position = LibraryPosition(in: library, isAtShelf: start != .collections)
    origin = start
    if start == .book {
      takeOffShelf(0)
      taken.opening = .rest(1)
    }
  }

  /// Creates a stage and lays out its library.
  package init(
    library: LibraryOutline,
    start screen: Screen = .collections,
    dragRule: DragRule = .covers
  ) { self.init(library: LibraryLayout(library), start: screen, dragRule: dragRule) }

  /// The laid-out library.
  package var library: LibraryLayout { position.library }

  /// How a finger turns the leaves of the open book.
  package var dragRule: DragRule { taken.dragRule }

  /// The outline of the library; linear in the number of shelves.
  package var outline: LibraryOutline { library.outline }

  /// The index of the collection whose shelf is shown, or that Enter would open.
  package var collection: Int { position.collection }

  /// The index of the book that is open, opening or closing; valid while a book is off its shelf.
  package var book: Int { taken.index?.book ?? 0 }

  /// Takes a book from the present shelf, at the offset and in the pose where it was left.
  mutating func takeOffShelf(_ index: Int) {
    left.note(bookmark)
    let place = BookIndex(collection: collection, book: index)
    taken.take(place, in: library, left: left[library.name(of: place)])
  }
}

extension Stage {
  /// Whether two stages are in the same state.
  ///
  /// What a finger changes comes first, because a stage is compared after each of its messages.
  package static func == (one: Stage, other: Stage) -> Bool {
    one.gesture == other.gesture && one.taken == other.taken && one.position == other.position
      && one.isDriven == other.isDriven && one.navigation == other.navigation
      && one.origin == other.origin && one.wheel == other.wheel && one.touched == other.touched
      && one.addressOnly == other.addressOnly && one.left == other.left
  }
}

// MARK: - Queries

extension Stage {
  /// The screen at rest; the previous screen while a finger drives; the next screen in flight.
  package var screen: Screen {
    if position.slide.isHeld || taken.opening.isHeld { return origin }
    return destination
  }

  var destination: Screen {
    if taken.isOpen { return .book }
    return position.isAtShelf ? .shelf : .collections
  }

  /// The time from which nothing moves, in seconds; +infinity while a finger holds something or a
  /// change is scheduled.
  package var restTime: Double { isDriven || deadline != nil ? .infinity : motionEnd }

  /// The time when the last motion lands, in seconds; +infinity while a finger holds something.
  var motionEnd: Double { max(position.endTime, taken.endTime) }

  /// The time of the next scheduled change, in seconds; nil if there is none.
  ///
  /// The change is that a zooming wheel releases, that a leaf has waited long enough, that a jump
  /// lands, or that one move of a navigation follows another.
  package var deadline: Double? {
    var next = min(wheel.deadline ?? .infinity, taken.leaves.landing ?? .infinity)
    if let waitDeadline = taken.leaves.waitDeadline { next = min(next, waitDeadline) }
    if !isDriven, navigation != nil { next = min(next, motionEnd) }
    return next == .infinity ? nil : next
  }

  /// Returns whether nothing moves and nobody holds anything.
  package func isSettled(at time: Double) -> Bool {
    guard let deadline, deadline <= time else { return time >= restTime }
    var later = self
    later.advance(to: time)
    return time >= later.restTime
  }

  /// Returns the book in the middle of the present shelf; nil if the shelf is empty.
  package func centreBook(at time: Double) -> Int? { position.centreBook(at: time) }

  /// Whether the covers of the present shelf are a wall, or on their way to one.
  package var isWall: Bool { destination == .shelf && position.isWall }

  /// The spread that the open book shows or turns to, counted from 0.
  package var spread: Int { taken.leaves.spread }

  /// Whether the book that was taken last is read from right to left.
  package var isMirrored: Bool { taken.isMirrored }

  /// The last turn past an end of the book; nil if its leaves have turned since.
  package var pastEnd: PastEnd? { taken.pastEnd }

  /// Whether the book closes, or last closed, onto its back cover.
  package var closesOnBack: Bool { taken.closesOnBack }

  /// Forgets that the book has shown that it ends, with the motion that showed it.
  package mutating func forgetEnd() { taken.forgetEnd() }

  /// Returns the size of an element in stage points; zero for an unknown element.
  package func size(of key: ElementKey) -> Size {
    if key.kind == .collection { return LedgeList.ledge }
    return box(of: key)?.size ?? Size(width: 0, height: 0)
  }

  /// Returns the radius of an element's outer corners in stage points; 0 for a ledge.
  package func cornerRadius(of key: ElementKey) -> Double {
    key.kind == .collection ? 0 : box(of: key)?.cornerRadius ?? 0
  }

  private func box(of key: ElementKey) -> PageBox? {
    library.index(of: key).map { library.box(of: $0) }
  }

  /// Returns the pages that may become visible next: the faces around the open spread, or those to
  /// which the book in the middle of the shelf would open, and in the end its cover, whose colour
  /// the boards have.
  ///
  /// A client that knows them can decode their images before a leaf turns.
  package func upcoming(at time: Double) -> [ElementKey] {
    guard destination != .collections, library.shelves.indices.contains(collection) else {
      return []
    }
    let isOpen = destination == .book
    guard let index = isOpen ? book : centreBook(at: time) else { return [] }
    let place = BookIndex(collection: collection, book: index)
    let isInHand = place == taken.index
    let count = library[place].pageCount
    guard count > 0 else { return [] }
    // A place of another edition, or one from a file, may be beyond the last page.
    let left = min(self.left[library.name(of: place)]?.spread ?? 0, count)
    let spread = isInHand ? self.spread : left
    // Two spreads on either side; a spread shows pages 2s + 1 and 2s + 2.
    let reach = ((2 * spread - 3)...(2 * spread + 6)).clamped(to: 0...count - 1)
    var pages = Array(reach)
    if reach.lowerBound > 0 { pages.append(0) }
    return pages.map { library.key(.page, of: place, page: $0) }
  }
}

extension Stage {
  /// Returns whether something moves on its own, in addition to what a finger may hold.
  package func isFlying(at time: Double) -> Bool {
    position.isFlying(at: time) || taken.isFlying(at: time)
  }
}
