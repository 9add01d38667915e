internal import Bookwork
internal import Motion
public import Scene

extension Stage {
  /// Exchanges the library, at rest: what moves is put where it was going.
  ///
  /// Collections and books are found again by their ids, or by their indices where they have none.
  /// A collection that is gone is left for the list, a book for its shelf; both are remembered.
  public mutating func replace(library: LibraryOutline, at time: Double) {
    advance(to: time)
    settle(at: time)
    noteBookmark()
    let old = outline
    let centres = carousels.keys.sorted().map { index in
      (index, nearestBook(ofCollection: index))
    }
    let hadPlace = place
    outline = library
    boxes = Self.boxes(of: library)
    shelves = boxes.map { ShelfLayout(boxes: $0) }
    list = LedgeList(count: library.collections.count)
    carousels = [:]
    for (index, book) in centres {
      guard let there = library.index(of: index, in: old) else { continue }
      let shelf = shelves[there]
      guard shelf.count > 0 else { continue }
      let found = library.collections[there].index(of: book, in: old.collections[index])
      let place = min(found ?? book, shelf.count - 1)
      carousels[there] = .rest(Double(place) * shelf.pitch)
    }
    keepPlace(hadPlace, of: old)
    scroll = .rest(min(max(scroll.target, 0), list.maximumScroll))
    origin = destination
  }

  /// Whether the library has the book that is off its shelf; true when none is.
  public func hasOpenBook(in library: LibraryOutline) -> Bool {
    guard opening.target != 0 || opening.isHeld, let place else { return true }
    return library.place(of: place, in: outline) != nil
  }

  private mutating func keepPlace(_ before: Place?, of old: LibraryOutline) {
    let isOut = opening.target == 1
    let shown = outline.index(of: collection, in: old)
    place = before.flatMap { outline.place(of: $0, in: old) }
    if isOut, let place {
      collection = place.collection
    } else {
      opening = .rest(0)
      if shown == nil { slide = .rest(0) }
      collection = min(shown ?? collection, max(0, outline.collections.count - 1))
    }
    guard let place else { return (book, turn, lay) = (0, .rest(0), .rest(0)) }
    book = place.book
    leaves = BookLayout(
      pageCount: outline[place].pageCount,
      box: boxes[place.collection][place.book]
    )
    turn = .rest(min(turn.target, leaves.maximumOffset))
    if isOut, let shelf { carousel = .rest(Double(book) * shelf.pitch) }
  }

  private func nearestBook(ofCollection index: Int) -> Int {
    guard shelves.indices.contains(index), shelves[index].count > 0 else { return 0 }
    return shelves[index].nearestItem(offset: carousels[index]?.target ?? 0)
  }

  /// Puts all that moves where it was going.
  private mutating func settle(at time: Double) {
    letGo(cancelled: true, at: time)
    (navigation, queuedJump) = (nil, nil)
    if let wait { turn = .rest(wait.target) }
    wait = nil
    turn = .rest(turn.target)
    land()
    scroll = .rest(scroll.target)
    for (index, animation) in carousels { carousels[index] = .rest(animation.target) }
    slide = .rest(slide.target)
    opening = .rest(opening.target)
    lay = .rest(lay.target)
  }
}

extension LibraryOutline {
  /// The index here of a collection of another outline.
  func index(of index: Int, in old: LibraryOutline) -> Int? {
    guard old.collections.indices.contains(index) else { return nil }
    let id = old.collections[index].id
    if id.isEmpty { return collections.indices.contains(index) ? index : nil }
    return collections.firstIndex { $0.id == id }
  }

  /// The place here of a book of another outline, also on another shelf.
  func place(of place: Stage.Place, in old: LibraryOutline) -> Stage.Place? {
    let id = old[place].id
    if let collection = index(of: place.collection, in: old),
      let book = collections[collection].index(
        of: place.book,
        in: old.collections[place.collection]
      )
    {
      return Stage.Place(collection: collection, book: book)
    }
    guard !id.isEmpty else { return nil }
    for (collection, shelf) in collections.enumerated() {
      if let book = shelf.books.firstIndex(where: { $0.id == id }) {
        return Stage.Place(collection: collection, book: book)
      }
    }
    return nil
  }
}

extension CollectionOutline {
  /// The index here of a book of another outline of this collection.
  func index(of index: Int, in old: CollectionOutline) -> Int? {
    guard old.books.indices.contains(index) else { return nil }
    let id = old.books[index].id
    if id.isEmpty { return books.indices.contains(index) ? index : nil }
    return books.firstIndex { $0.id == id }
  }
}
