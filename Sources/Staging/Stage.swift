internal import Bookwork
public import Geometry
internal import Motion
public import Scene

/// The three screens as one state machine, whose only input is ``Input``.
///
/// Six scalars describe all motion, each in closed form of absolute time: the scroll of the list,
/// the position of each carousel, the slide between list and shelf, and the openness, the leaf
/// offset and the pose of the book. A frame is a function of these scalars and of the requested
/// time. Equal input therefore gives byte-equal frames, and requesting a frame changes nothing.
public struct Stage: Equatable, Sendable {
  /// The size of the stage in stage points; the origin is its centre and the spine of the open
  /// book.
  public static let size = Size(width: 1024, height: 768)

  /// The laid-out library.
  public internal(set) var library: LibraryLayout

  /// The collection whose shelf is shown, or that Enter would open.
  public internal(set) var collection = 0
  /// The book that is open, opening or closing; valid while a book is off its shelf.
  public internal(set) var book = 0

  var scroll = Animation.rest(0)
  /// The positions of the carousels that were moved, by collection; most never are.
  var carousels: [Int: Animation] = [:]
  var slide: Animation
  var slidesBack = false
  var opening = Animation.rest(0)
  var turn = Animation.rest(0)
  /// The pose of the open book: 0 standing, 1 flat.
  var lay = Animation.rest(0)
  /// Whether the book last rested flat.
  var restedFlat = false
  var leaves: BookLayout
  /// The place of the taken book; nil before the first was taken.
  var place: Place?
  /// The places where books were left, by ``key(of:)``.
  var places: [String: BookPlace] = [:]

  /// The pages whose images can be shown, ascending; nil if no leaf has to wait.
  var readyPages: [Int]?
  /// A turn that waits for images.
  var wait: Wait?
  /// A jump that follows when the leaf of another has landed.
  var queuedJump: Int?
  /// The navigation in progress.
  var navigation: Navigation?

  var gesture: Gesture?
  var origin: Screen
  var wheel = Wheel()

  /// Creates a stage.
  /// - Parameters:
  ///   - library: The laid-out library; collections may be empty, and without collections the table
  ///     is empty.
  ///   - screen: The initial screen; `.book` opens the first book of the first shelf.
  public init(library: LibraryLayout, start screen: Screen = .collections) {
    self.library = library
    let hasBooks = (library.shelves.first?.count ?? 0) > 0
    let start =
      library.shelves.isEmpty ? .collections : (screen == .book && !hasBooks ? .shelf : screen)
    slide = .rest(start == .collections ? 0 : 1)
    origin = start
    leaves = BookLayout(pageCount: 1, box: PageBox(fitting: Size(width: 1, height: 1)))
    if start == .book {
      takeOffShelf(0)
      opening = .rest(1)
    }
  }

  /// Creates a stage with a layout of its own.
  public init(library: LibraryOutline, start screen: Screen = .collections) {
    self.init(library: LibraryLayout(library), start: screen)
  }

  /// A book's place in the library.
  public struct Place: Hashable, Sendable {
    /// The index of the collection in the list.
    public var collection: Int
    /// The index of the book on its shelf.
    public var book: Int

    /// Creates a place.
    public init(collection: Int, book: Int) {
      self.collection = collection
      self.book = book
    }
  }

  /// The outline of the library; linear in the number of shelves.
  public var outline: LibraryOutline { library.outline }

  /// The carousel of the present shelf.
  var carousel: Animation {
    get { carousels[collection] ?? .rest(0) }
    set { carousels[collection] = newValue }
  }

  /// The layout of the present shelf; nil without collections.
  var shelf: ShelfLayout? {
    library.shelves.indices.contains(collection) ? library.shelves[collection].layout : nil
  }

  /// The list of ledges.
  var list: LedgeList { library.list }

  /// Takes a book from the present shelf, at the offset and in the pose where it was left.
  mutating func takeOffShelf(_ index: Int) {
    noteBookmark()
    let taken = Place(collection: collection, book: index)
    place = taken
    book = index
    leaves = BookLayout(pageCount: library[taken].pageCount, box: library.box(of: taken))
    let left = places[key(of: taken)]
    turn = .rest(min(Double(left?.spread ?? 0), leaves.maximumOffset))
    lay = .rest(left?.isFlat == true ? 1 : 0)
    restedFlat = lay.target == 1
    (wait, queuedJump) = (nil, nil)
    if readyPages != nil { readyPages = [] }
  }
}

// MARK: - Queries

extension Stage {
  /// The screen at rest; the previous screen while a finger drives; the next screen in flight.
  public var screen: Screen {
    if slide.isHeld || opening.isHeld { return origin }
    return destination
  }

  var destination: Screen {
    if opening.target >= 0.5 { return .book }
    return slide.target >= 0.5 ? .shelf : .collections
  }

  /// The time from which nothing moves; +infinity while a finger holds something.
  public var restTime: Double { gesture != nil || deadline != nil ? .infinity : motionEnd }

  /// The time when the last motion lands; +infinity while a finger holds something.
  var motionEnd: Double {
    max(
      max(max(scroll.endTime, carousel.endTime), max(slide.endTime, lay.endTime)),
      max(opening.endTime, turn.endTime)
    )
  }

  /// The time of the next scheduled change; nil if there is none.
  ///
  /// A zooming wheel releases, a leaf has waited long enough, a jump lands, or a move follows
  /// another.
  public var deadline: Double? {
    var next = min(wheel.deadline ?? .infinity, landing ?? .infinity)
    if let wait, !turn.isHeld { next = min(next, wait.deadline) }
    if navigation != nil, gesture == nil { next = min(next, motionEnd) }
    return next == .infinity ? nil : next
  }

  /// The time when a jump lands, or when another that follows it starts.
  var landing: Double? {
    guard wait == nil, !turn.isHeld, leaves.bundle != nil || queuedJump != nil else { return nil }
    return turn.endTime
  }

  /// Returns whether nothing moves and nobody holds anything.
  public func isSettled(at time: Double) -> Bool {
    guard let deadline, deadline <= time else { return time >= restTime }
    var later = self
    later.advance(to: time)
    return time >= later.restTime
  }

  /// Whether a finger, or a zooming wheel, drives.
  public var isDriven: Bool { gesture != nil }

  /// Returns the book in the middle of the present shelf; nil if the shelf is empty.
  public func centreBook(at time: Double) -> Int? {
    guard let shelf, shelf.count > 0 else { return nil }
    return shelf.nearestItem(offset: carousel.isHeld ? carousel.value(at: time) : carousel.target)
  }

  /// The spread that the open book shows or turns to, counted from 0.
  public var spread: Int { Int(leaves.spread(at: turnGoal)) }

  /// The position of the leaves under a finger, or the target at which they will rest.
  var turnGoal: Double { turn.isHeld ? turn.target : wait?.target ?? turn.target }

  /// Returns the size of an element in stage points; zero for an unknown element.
  public func size(of key: ElementKey) -> Size {
    if key.kind == .collection { return LedgeList.ledge }
    return box(of: key)?.size ?? Size(width: 0, height: 0)
  }

  /// Returns the radius of an element's outer corners in stage points; 0 for a ledge.
  public func cornerRadius(of key: ElementKey) -> Double {
    key.kind == .collection ? 0 : box(of: key)?.cornerRadius ?? 0
  }

  private func box(of key: ElementKey) -> PageBox? {
    library.place(of: key).map { library.box(of: $0) }
  }

  /// Returns the pages that may become visible next: the faces around the open spread, or those to
  /// which the book in the middle of the shelf would open.
  ///
  /// A page that knows them can decode their images before a leaf turns.
  public func upcoming(at time: Double) -> [ElementKey] {
    guard destination != .collections, library.shelves.indices.contains(collection) else {
      return []
    }
    let isOpen = destination == .book
    guard let index = isOpen ? book : centreBook(at: time) else { return [] }
    let place = Place(collection: collection, book: index)
    let isInHand = place == self.place
    let count = library[place].pageCount
    guard count > 0 else { return [] }
    // A place of another edition, or from a file, may be beyond the last page.
    let left = min(max(places[key(of: place)]?.spread ?? 0, 0), count)
    let spread = isInHand ? self.spread : left
    // Two spreads on either side; a spread shows pages 2s + 1 and 2s + 2.
    let reach = (2 * spread - 3)...(2 * spread + 6)
    return reach.clamped(to: 0...count - 1).map {
      library.key(.page, of: place, page: $0)
    }
  }
}

extension Stage {
  /// Returns whether something moves on its own, in addition to what a finger may hold.
  public func isFlying(at time: Double) -> Bool {
    func flies(_ animation: Animation) -> Bool {
      !animation.isHeld && !animation.isSettled(at: time)
    }
    return flies(scroll) || flies(carousel) || flies(slide) || flies(opening) || flies(turn)
      || flies(lay)
  }
}
