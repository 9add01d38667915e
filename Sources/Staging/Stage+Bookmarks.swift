package import Motion
package import Scene

// MARK: - Bookmarks

extension Stage {
  /// Returns the spread at which a book of a collection was left; 0 if the book is closed at its
  /// beginning.
  package func leftSpread(ofBook book: Int, in collection: Int) -> Int {
    let asked = BookIndex(collection: collection, book: book)
    guard library.contains(asked) else { return 0 }
    // The bookmark of the book that was taken last is not recorded yet.
    return asked == taken.index ? max(0, spread) : left[library.name(of: asked)]?.spread ?? 0
  }

  /// Where the taken book is open or was last open; nil if it is not on a shelf.
  package var bookmark: Bookmark? {
    guard let place = taken.index else { return nil }
    return Bookmark(book: library.name(of: place), spread: spread, isFlat: isFlat)
  }

  /// The bookmarks of the books that are not closed at their beginning, ordered by their ids.
  ///
  /// A book without an id is identified by its indices: "0/2" is the third of the first collection.
  package var bookmarks: [Bookmark] {
    var bookmarks = left
    bookmarks.note(bookmark)
    return bookmarks.opened
  }

  /// Returns whether a book has a bookmark.
  package func hasBookmark(in book: String) -> Bool { left[book] != nil }

  /// Restores bookmarks; one whose book is not in the library is kept until it is.
  ///
  /// - Complexity: O(n) in the number of bookmarks.
  package mutating func restore(bookmarks: [Bookmark]) { left.restore(bookmarks, in: library) }

  /// The id of the book that is open or opening; nil if there is none.
  package var openBook: String? {
    guard destination == .book, let place = taken.index else { return nil }
    return library[place].id
  }

  /// Whether a book is open or opening.
  package var hasOpenBook: Bool { destination == .book && taken.index != nil }

  /// Whether a book is open or is opening, and nobody holds its cover.
  package var staysOpen: Bool {
    taken.index != nil && position.slide.target == 1 && taken.opening.target == 1
      && !taken.opening.isHeld
  }

  /// The first page of the open spread, from 0.
  package var firstPage: Int {
    guard let place = taken.index else { return 0 }
    return max(0, min(2 * spread + 1, library[place].pageCount - 1))
  }
}

// MARK: - Pages and their images

extension Stage {
  /// Whether a leaf waits for images.
  package var isWaiting: Bool { taken.leaves.waitDeadline != nil }

  /// The pages of the spread that is open or being turned to.
  package var spreadPages: [Int] {
    guard let place = taken.index, spread >= 0 else { return [] }
    return (2 * spread + 1...2 * spread + 2).filter { $0 < library[place].pageCount }
  }

  /// The elements of the faces of the spread that is open or being turned to.
  package var spreadElements: [ElementKey] {
    guard let place = taken.index else { return [] }
    return spreadPages.map { library.key(.page, of: place, page: $0) }
  }

  /// The pages whose images the presenter can show, as last reported; nil if no leaf has to wait.
  package var awaitedImages: [Int]? { taken.leaves.readyPages }
}

// MARK: - The pose

extension Stage {
  /// Whether the open book lies flat, or will; while fingers hold it, whether flat is the closer
  /// pose.
  package var isFlat: Bool { taken.isFlat }

  /// Whether a book is open and completely flat, so that a camera may zoom.
  package var isOpenFlat: Bool {
    taken.opening.target == 1 && !taken.opening.isHeld && position.slide.target == 1
      && taken.lay.target == 1
  }

  /// Returns whether the open book is completely in one of its poses.
  package func isPoseSettled(at time: Double) -> Bool { taken.lay.isSettled(at: time) }

  /// Half the width and height of the flat open book, in stage points.
  package var flatReach: Size { taken.leaves.layout.reach(flatness: 1) }

  /// Lays the open book flat or stands it up.
  mutating func lay(_ order: LayOrder, at time: Double) {
    guard !isDriven, destination == .book else { return }
    let isFlat =
      switch order {
      case .toggle: !self.isFlat
      case .flat: true
      case .standing: false
      }
    taken.lay(isFlat: isFlat, at: time)
  }
}
