internal import Motion
internal import Scene

extension Stage {
  /// Replaces the library and moves everything to its target.
  ///
  /// Collections and books are identified by their ids, or by their indices if they have none. If a
  /// collection is no longer in the library, the stage goes to the list; if a book is no longer in
  /// it, or can no longer be opened, to the book's shelf. In both cases the stage keeps the place.
  ///
  /// - Complexity: O(n) in the shelves that were moved, regardless of the size of the library.
  package mutating func replace(library: LibraryLayout, at time: Double) {
    advance(to: time)
    settle(at: time)
    left.note(bookmark)
    let old = self.library
    position.replace(library: library)
    keepBookmark(of: old)
    origin = destination
  }

  /// Returns whether the library contains the book that is off its shelf; true if none is.
  package func hasOpenBook(in library: LibraryLayout) -> Bool {
    let opening = taken.opening
    guard opening.target != 0 || opening.isHeld, let place = taken.index else { return true }
    return library.index(of: place, in: self.library).map { library[$0].isReadable } ?? false
  }

  private mutating func keepBookmark(of old: LibraryLayout) {
    let isOut = taken.opening.target == 1
    let shown = library.index(of: collection, in: old)
    let place = taken.index.flatMap { library.index(of: $0, in: old) }
      .flatMap { library[$0].isReadable ? $0 : nil }
    if isOut, let place {
      position.collection = place.collection
    } else {
      taken.opening = .rest(0)
      if shown == nil { position.slide = .rest(0) }
      position.collection = min(shown ?? collection, max(0, library.shelves.count - 1))
    }
    guard let place else { return taken.remove() }
    taken.move(to: place, in: library)
    if isOut, let shelf = position.shelf {
      position.carousel = .rest(Double(place.book) * shelf.pitch)
    }
  }

  /// Moves everything to where it would come to rest, navigations and waiting leaves included.
  mutating func land(at time: Double) {
    guard !isDriven else { return }
    advance(to: time + Self.standingSeconds)
    settle(at: time)
    origin = destination
  }

  /// Moves everything to its target.
  private mutating func settle(at time: Double) {
    letGo(cancelled: true, at: time)
    cancelNavigation()
    position.settle()
    taken.settle()
  }
}
