internal import Scene

/// Where the books of a library were left, by the names of the books; without times.
struct Bookmarks: Equatable, Sendable {
  private var left: [String: Bookmark] = [:]

  /// The bookmark of a book; nil if it has none.
  subscript(book: String) -> Bookmark? { left[book] }

  /// Records where a book was left.
  mutating func note(_ bookmark: Bookmark?) {
    if let bookmark { left[bookmark.book] = bookmark }
  }

  /// Restores bookmarks; one whose book is not in the library is kept until it is.
  ///
  /// - Complexity: O(n) in the number of bookmarks.
  mutating func restore(_ bookmarks: [Bookmark], in library: LibraryLayout) {
    for bookmark in bookmarks {
      let last = library.index(named: bookmark.book)
        .map { max(0, library[$0].pageCount / 2 - 1) }
      left[bookmark.book] = Bookmark(
        book: bookmark.book,
        spread: min(bookmark.spread, last ?? .max),
        isFlat: bookmark.isFlat
      )
    }
  }

  /// The bookmarks of the books that are not closed at their beginning, ordered by their names.
  var opened: [Bookmark] {
    left.values.filter { $0.spread > 0 || $0.isFlat }.sorted { $0.book < $1.book }
  }
}
