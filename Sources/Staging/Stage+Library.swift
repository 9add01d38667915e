internal import Motion
package import Scene

extension Stage {
  /// Replaces the library and moves everything to its target.
  ///
  /// Collections and books are identified by their ids, or by their indices if they have none. If a
  /// collection is no longer in the library, the stage goes to the list; if a book is no longer in
  /// it, or can no longer be opened, to the book's shelf. In both cases the stage keeps the place.
  ///
  /// - Complexity: O(n log n) in the shelves that were moved, whatever the size of the library.
  package mutating func replace(library: LibraryLayout, at time: Double) {
    advance(to: time)
    settle(at: time)
    left.note(bookmark)
    let old = self.library
    position.replace(library: library)
    moveBook(from: old)
    origin = destination
  }

  /// Returns whether the library contains the book that is off its shelf; true if none is.
  package func hasOpenBook(in library: LibraryLayout) -> Bool {
    let opening = taken.opening
    guard opening.target != 0 || opening.isHeld, let place = taken.index else { return true }
    return library.index(of: place, in: self.library).map { library[$0].isReadable } ?? false
  }

  /// Finds the taken book and the shown collection of another library in this one.
  private mutating func moveBook(from old: LibraryLayout) {
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

extension Stage {
  /// How long before a given time the input of ``way(at:)`` is applied so that the stage is at rest
  /// at that time, in seconds; longer than any motion takes.
  package static let standingSeconds = 1000.0

  /// Returns the input that brings a new stage of this library, with its bookmarks, to the state or
  /// target of this one; apply it ``standingSeconds`` before the new stage is used.
  package func way(at time: Double) -> [Input] {
    if let openBook { return [.go(book: openBook, opens: true, page: firstPage)] }
    guard screen == .shelf, let index = centreBook(at: time),
      library.shelves.indices.contains(collection)
    else { return [] }
    let place = BookIndex(collection: collection, book: index)
    let way: [Input] = [.go(book: library[place].id, opens: false, page: nil)]
    // The way to the book has to end before the covers can become a wall.
    return isWall ? way + [.settle, .key(.minus), .settle] : way
  }

  /// Returns a stage at rest in the state or target of this one, on another clock or without its
  /// past.
  /// - Parameters:
  ///   - time: A time of this stage's clock.
  ///   - now: The time of the other clock at which the new stage is at rest.
  /// - Returns: The stage, whose past is ``standingSeconds`` long.
  package func standing(from time: Double? = nil, at now: Double) -> Stage {
    var stage = Stage(library: library, dragRule: dragRule)
    stage.restore(bookmarks: bookmarks)
    for input in way(at: time ?? now) { stage.apply(input, at: now - Self.standingSeconds) }
    stage.advance(to: now)
    return stage
  }
}
