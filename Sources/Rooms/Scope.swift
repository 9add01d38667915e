internal import Scene

/// What of a library is seen in a room.
extension Catalogue {
  /// Some books alone, in this order, on the shelf of the last of them; without them, nothing.
  func only(_ ids: [String]) -> Catalogue {
    guard let last = ids.last, var shelf = shelf(of: last) else {
      return Catalogue(collections: [])
    }
    let books = collections.lazy.flatMap(\.books)
    shelf.books = ids.compactMap { id in books.first { $0.id == id } }
    // The ledge of the shelf would show the spines of its other books.
    shelf.ledgeURL = "/ledges/book/\(last).svg"
    return Catalogue(collections: [shelf])
  }

  /// The shelf that a book stands on; nil if it stands nowhere.
  func shelf(of book: String) -> CatalogueCollection? {
    collections.first { $0.books.contains { $0.id == book } }
  }

  /// The books of a recording, in its order; those that are not here any more are blank paper.
  func books(of outline: LibraryOutline) -> Catalogue {
    var known: [String: CatalogueBook] = [:]
    for book in collections.flatMap(\.books) where !book.id.isEmpty { known[book.id] = book }
    let shelves = collections.reduce(into: [:]) { $0[$1.id] = $1 }
    return Catalogue(
      collections: outline.collections.map { shelf in
        CatalogueCollection(
          id: shelf.id,
          title: shelves[shelf.id]?.title ?? "A recorded shelf",
          ledgeURL: shelves[shelf.id]?.ledgeURL ?? "",
          books: shelf.books.map { known[$0.id]?.shaped(as: $0) ?? CatalogueBook(lost: $0) }
        )
      }
    )
  }
}

extension CatalogueBook {
  /// The book with as many pages, of the shape, that it had when it was recorded.
  fileprivate func shaped(as outline: BookOutline) -> CatalogueBook {
    var book = self
    book.pageSize = outline.pageSize
    book.progression = outline.progression
    if pageURLs.count != outline.pageCount {
      // Before first pages were read inside, a book had a face for each page and no more.
      if lead > 0, outline.pageCount == pageCount {
        book.lead = 0
        book.pageURLs = pageURLs.pages
      }
      book.pageURLs = book.pageURLs.resized(to: outline.pageCount)
    }
    return book
  }

  /// Blank paper in the shape of a book that is not here any more.
  fileprivate init(lost outline: BookOutline) {
    self.init(
      id: outline.id,
      title: "A book that is gone",
      author: "",
      pageURLs: PageAddresses([]).resized(to: outline.pageCount),
      pageSize: outline.pageSize,
      progression: outline.progression
    )
  }
}
