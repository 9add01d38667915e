internal import Bookwork
internal import Motion
internal import Scene

extension Stage {
  /// Replaces the library and moves everything to its target.
  ///
  /// Collections and books are found again by their ids, or by their indices if they have none. If
  /// a collection is gone, the stage goes to the list; if a book is gone, to its shelf. Both are
  /// remembered.
  ///
  /// - Complexity: O(n) in the shelves that were moved, however large the library is.
  public mutating func replace(library: LibraryLayout, at time: Double) {
    advance(to: time)
    settle(at: time)
    noteBookmark()
    let old = self.library
    let centres = carousels.keys.sorted().map { index in
      (index, nearestBook(ofCollection: index))
    }
    let hadPlace = place
    self.library = library
    carousels = [:]
    for (index, book) in centres {
      guard let there = library.index(of: index, in: old) else { continue }
      let shelf = library.shelves[there]
      guard shelf.count > 0 else { continue }
      let place = min(shelf.index(of: book, in: old.shelves[index]) ?? book, shelf.count - 1)
      carousels[there] = .rest(Double(place) * shelf.layout.pitch)
    }
    keepPlace(hadPlace, of: old)
    scroll = .rest(min(max(scroll.target, 0), list.maximumScroll))
    origin = destination
  }

  /// Returns whether the library contains the book that is off its shelf; true if none is.
  public func hasOpenBook(in library: LibraryLayout) -> Bool {
    guard opening.target != 0 || opening.isHeld, let place else { return true }
    return library.place(of: place, in: self.library) != nil
  }

  private mutating func keepPlace(_ before: Place?, of old: LibraryLayout) {
    let isOut = opening.target == 1
    let shown = library.index(of: collection, in: old)
    place = before.flatMap { library.place(of: $0, in: old) }
    if isOut, let place {
      collection = place.collection
    } else {
      opening = .rest(0)
      if shown == nil { slide = .rest(0) }
      collection = min(shown ?? collection, max(0, library.shelves.count - 1))
    }
    guard let place else { return (book, turn, lay) = (0, .rest(0), .rest(0)) }
    book = place.book
    leaves = BookLayout(
      pageCount: library[place].pageCount,
      box: library.box(of: place)
    )
    turn = .rest(min(turn.target, leaves.maximumOffset))
    if isOut, let shelf { carousel = .rest(Double(book) * shelf.pitch) }
  }

  private func nearestBook(ofCollection index: Int) -> Int {
    guard library.shelves.indices.contains(index), library.shelves[index].count > 0 else {
      return 0
    }
    return library.shelves[index].layout.nearestItem(offset: carousels[index]?.target ?? 0)
  }

  /// Moves everything to its target.
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
