internal import Bookwork
public import Geometry
internal import Motion
public import Scene

// MARK: - Places in books

extension Stage {
  /// What a place is remembered by: the book's id, or its indices in a library without ids.
  func key(of place: Place) -> String {
    let id = library[place].id
    return id.isEmpty ? "\(place.collection)/\(place.book)" : id
  }

  /// The place that ``key(of:)`` names; nil if the library has none.
  private func place(named key: String) -> Place? {
    if let place = library.place(of: key) { return place }
    let indices = key.split(separator: "/").map { Int($0) }
    guard indices.count == 2, let collection = indices[0], let book = indices[1] else {
      return nil
    }
    let place = Place(collection: collection, book: book)
    return library.contains(place) && library[place].id.isEmpty ? place : nil
  }

  /// Remembers where the book in the hand is open.
  mutating func noteBookmark() {
    guard let place else { return }
    let key = key(of: place)
    places[key] = BookPlace(book: key, spread: max(0, spread), isFlat: isFlat)
  }

  /// The spread at which a book of a collection was left; 0 if it is closed at its beginning.
  public func leftSpread(ofBook book: Int, in collection: Int) -> Int {
    let asked = Place(collection: collection, book: book)
    guard library.contains(asked) else { return 0 }
    // The book that was last in the hand has its place there.
    return asked == place ? max(0, spread) : places[key(of: asked)]?.spread ?? 0
  }

  /// Where the book in the hand is open, or was last; nil if no shelf has one there.
  public var bookmark: BookPlace? {
    guard let place else { return nil }
    return BookPlace(book: key(of: place), spread: max(0, spread), isFlat: isFlat)
  }

  /// Where the books were left that are not closed at their beginning: in the order of their ids.
  ///
  /// A book without an id has its indices for one: "0/2" is the third of the first collection.
  public var bookPlaces: [BookPlace] {
    var later = self
    later.noteBookmark()
    return later.places.values.filter { $0.spread > 0 || $0.isFlat }.sorted { $0.book < $1.book }
  }

  /// More spreads than any book has.
  private static let spreadsMax = 1_000_000

  /// Puts books where they were left; those that the library does not have are remembered for when
  /// it has them.
  ///
  /// Costs as much as there are places.
  public mutating func restore(places kept: [BookPlace]) {
    for place in kept {
      let last = self.place(named: place.book).map { max(0, library[$0].pageCount / 2 - 1) }
      places[place.book] = BookPlace(
        book: place.book,
        spread: min(max(0, place.spread), last ?? Self.spreadsMax),
        isFlat: place.isFlat
      )
    }
  }

  /// The id of the book that is open or opening; nil if there is none.
  public var openBook: String? {
    guard destination == .book, let place else { return nil }
    return library[place].id
  }

  /// Whether a book is wholly open or opens by itself, and nobody holds its boards.
  public var staysOpen: Bool {
    place != nil && slide.target == 1 && opening.target == 1 && !opening.isHeld
  }

  /// The scale that the fingers had when they took hold of the book; nil while no two fingers do.
  public var pinchStart: Double? {
    if case .pinch(let pinch) = gesture { pinch.scaleStart } else { nil }
  }

  /// The first page that the open spread shows.
  public var firstPage: Int {
    guard let place else { return 0 }
    return max(0, min(2 * spread + 1, library[place].pageCount - 1))
  }
}

// MARK: - The pose

extension Stage {
  /// Whether the open book lies flat, or will; under the fingers, whichever is nearer.
  public var isFlat: Bool { lay.target >= 0.5 }

  /// Whether a book is open and wholly flat, so that a camera may look at it closely.
  public var isOpenFlat: Bool {
    opening.target == 1 && !opening.isHeld && slide.target == 1 && lay.target == 1
  }

  /// Whether the open book is wholly in one of its poses.
  public func isPoseSettled(at time: Double) -> Bool { lay.isSettled(at: time) }

  /// Half the width and half the height of the open book lying flat, in stage points.
  public var flatReach: Size { leaves.reach(flatness: 1) }

  /// Lays the open book flat or stands it up.
  mutating func lay(_ order: LayOrder, at time: Double) {
    guard gesture == nil, destination == .book else { return }
    let isFlat =
      switch order {
      case .toggle: !self.isFlat
      case .flat: true
      case .standing: false
      }
    launch(\.lay, to: isFlat ? 1 : 0, tolerance: Self.openingTolerance, at: time)
  }
}
