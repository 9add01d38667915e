internal import Scene

/// What of a library is seen in a room.
extension Catalogue {
  /// What the guests of a shared room may see: its book, or the shelf that it stands on.
  func scoped(to record: RoomRecord) -> Catalogue {
    for var shelf in collections where shelf.books.contains(where: { $0.id == record.book }) {
      if !record.settings.sharesShelf {
        shelf.books.removeAll { $0.id != record.book }
        // The ledge of the shelf would show the spines of its other books.
        shelf.ledgeURL = "/ledges/book/\(record.book).svg"
      }
      return Catalogue(collections: [shelf])
    }
    return Catalogue(collections: [])
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
      book.pageURLs = pageURLs.resized(to: outline.pageCount)
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
