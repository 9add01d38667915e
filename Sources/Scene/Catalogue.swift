public import Motion

/// The library as it is shown, with outlines for the stage, and texts and images for readers.
public struct Catalogue: Equatable, Sendable {
  /// The collections, parallel to those of the outline.
  public var collections: [CatalogueCollection]
  /// The ids of books that have left their shelves because their files are gone or were replaced.
  ///
  /// Readers who have one open keep it until they close it. Books that were deleted are not among
  /// them.
  public var missing: Set<String>

  /// Creates a catalogue.
  public init(collections: [CatalogueCollection], missing: Set<String> = []) {
    (self.collections, self.missing) = (collections, missing)
  }

  /// The outline of the library.
  public var outline: LibraryOutline { LibraryOutline(collections: collections.map(\.outline)) }
}

/// What has changed in a catalogue.
public enum CatalogueChange: Equatable, Sendable {
  /// Anything.
  case any
  /// These books, each of which stays where it is; the shapes of pages may differ, too.
  case books([CatalogueBook])

  /// Adds a later change.
  public mutating func add(_ other: CatalogueChange) {
    guard case .books(let books) = self, case .books(let more) = other else {
      self = .any
      return
    }
    self = .books(books + more)
  }
}

/// One collection of books.
public struct CatalogueCollection: Equatable, Sendable {
  /// The permanent id, unique in its catalogue; empty if the collection has none.
  public var id: String
  /// The title.
  public var title: String
  /// The address of the ledge's image.
  public var ledgeURL: String
  /// The books in shelf order.
  public var books: [CatalogueBook]
  /// The number of earlier collections with a book, by its id, where there are any.
  public var copies: [String: Int] = [:]

  /// Creates a collection.
  public init(id: String = "", title: String, ledgeURL: String, books: [CatalogueBook]) {
    (self.id, self.title, self.ledgeURL, self.books) = (id, title, ledgeURL, books)
  }

  /// The outline of the collection.
  public var outline: CollectionOutline {
    var outline = CollectionOutline(id: id, books: books.map(\.outline))
    guard !copies.isEmpty else { return outline }
    for index in books.indices { outline.books[index].copy = copies[books[index].id] ?? 0 }
    return outline
  }
}

/// One book, with its texts, its images and the facts by which it is arranged.
public struct CatalogueBook: Equatable, Sendable {
  /// The permanent id, unique on its shelf; empty if the book has none.
  ///
  /// A book can be on several shelves.
  public var id: String
  /// The title.
  public var title: String
  /// The author; may be empty.
  public var author: String
  /// The addresses of the images of the book's faces; the first is the cover.
  public var pageURLs: PageAddresses
  /// The pages on the faces.
  public var imposition: Imposition
  /// The labels of the pages.
  public var labels: PageLabels
  /// The address of the image on the shelf: the front cover, unless a reader chose another page.
  public var coverURL: String
  /// The size of a page in its own units.
  public var pageSize: Size
  /// The reading direction.
  public var progression: Progression
  /// The paper stock of the leaves.
  public var stock: PaperStock
  /// Whether the book is laid flat when it is opened for the first time, because its text would be
  /// too small to read on standing pages.
  public var opensFlat = false
  /// Whether the book can be opened; if not, its only page is a cover, and the library knows why.
  public var isReadable = true
  /// The time when the book was added to the library, in Unix seconds; 0 if unknown.
  public var added: Double
  /// The time when the book was last opened, in Unix seconds; nil if never.
  public var lastRead: Double?
  /// The text that a filter searches: title and author, folded by ``SearchKey/folded(_:)``.
  public var searchKey: String

  /// Creates a book.
  ///
  /// The default search key is derived from the title and the author; the default cover is the
  /// first page, and by default each address is that of one page.
  public init(
    id: String = "",
    title: String,
    author: String,
    pageURLs: PageAddresses,
    coverURL: String? = nil,
    imposition: Imposition? = nil,
    labels: PageLabels = PageLabels(),
    pageSize: Size,
    progression: Progression,
    stock: PaperStock = .paper,
    added: Double = 0,
    lastRead: Double? = nil,
    searchKey: String? = nil
  ) {
    self.id = id
    self.imposition = imposition ?? Imposition(pageCount: pageURLs.count)
    (self.labels, self.added, self.lastRead) = (labels, added, lastRead)
    self.searchKey = searchKey ?? SearchKey.folded(author.isEmpty ? title : title + " " + author)
    (self.title, self.author, self.pageURLs) = (title, author, pageURLs)
    self.coverURL = coverURL ?? pageURLs.first ?? ""
    (self.pageSize, self.progression, self.stock) = (pageSize, progression, stock)
  }

  /// Creates a book from a list of image addresses.
  public init(
    id: String = "",
    title: String,
    author: String,
    pageURLs: [String],
    pageSize: Size,
    progression: Progression,
    stock: PaperStock = .paper,
    added: Double = 0,
    lastRead: Double? = nil,
    searchKey: String? = nil
  ) {
    self.init(
      id: id,
      title: title,
      author: author,
      pageURLs: PageAddresses(pageURLs),
      pageSize: pageSize,
      progression: progression,
      stock: stock,
      added: added,
      lastRead: lastRead,
      searchKey: searchKey
    )
  }

  /// Whether it stands for a book in a recording that is not in the library any more.
  package var isLost: Bool { title.isEmpty && coverURL.isEmpty }

  /// The outline of the book.
  public var outline: BookOutline {
    BookOutline(
      id: id,
      pageCount: pageURLs.count,
      pageSize: pageSize,
      progression: progression,
      stock: stock,
      isReadable: isReadable
    )
  }

  // MARK: Pages on faces and spreads

  /// The number of pages.
  public var pageCount: Int { imposition.pageCount }

  /// The labels of all pages, in order.
  public var allLabels: [String] { (0..<pageCount).map { labels[$0] } }

  /// Returns the first face of a page; for a page that does not exist, that of the nearest page.
  public func face(ofPage page: Int) -> Int { imposition.face(ofPage: page) }

  /// Returns the page of a face; nil for a cover that repeats inside, for its inside and for blank
  /// paper.
  public func page(ofFace face: Int) -> Int? { imposition.page(ofFace: face) }

  /// The number of spreads; at least 1.
  public var spreadCount: Int { max(1, pageURLs.count / 2) }

  /// Returns the pages of an open spread, in order; at most two.
  public func pages(ofSpread spread: Int) -> [Int] {
    let spread = min(max(spread, 0), spreadCount - 1)
    let (first, second) = (page(ofFace: 2 * spread + 1), page(ofFace: 2 * spread + 2))
    // A wide page is on both faces.
    return first == second ? [first].compactMap { $0 } : [first, second].compactMap { $0 }
  }
}

extension Catalogue {
  /// Returns the catalogue in an arrangement: books sorted on their shelves, without books that the
  /// filter excludes and without shelves that become empty.
  ///
  /// - Parameters:
  ///   - arrangement: The order and the filter; each word of the filter must match.
  ///   - kept: The id of a book that is never excluded, such as an open one; nil for none.
  /// - Returns: The catalogue to show; it may be empty.
  public func arranged(_ arrangement: Arrangement, keeping kept: String? = nil) -> Catalogue {
    let words = SearchKey.folded(arrangement.filter).split(whereSeparator: \.isWhitespace)
    if arrangement.order == .shelved, words.isEmpty { return self }
    var arranged = Catalogue(collections: [], missing: missing)
    for shelf in collections {
      var shelf = shelf
      if !words.isEmpty {
        shelf.books.removeAll { book in
          book.id != kept && !words.allSatisfy { book.searchKey.contains($0) }
        }
        if shelf.books.isEmpty { continue }
      }
      if arrangement.order != .shelved {
        shelf.books = shelf.books.enumerated()
          .sorted { arrangement.order.isBefore($0.element, $1.element) ?? ($0.offset < $1.offset) }
          .map(\.element)
      }
      arranged.collections.append(shelf)
    }
    return arranged
  }

  /// Returns the catalogue with new times of reading.
  ///
  /// - Parameter times: The time when each book was last read, in Unix seconds, by its id.
  /// - Returns: The same books; a book without a time was never read.
  public func read(at times: [String: Double]) -> Catalogue {
    var changed = self
    for shelf in collections.indices {
      for book in collections[shelf].books.indices {
        let id = collections[shelf].books[book].id
        changed.collections[shelf].books[book].lastRead = times[id]
      }
    }
    return changed
  }

  /// The time when each book was last read, in Unix seconds, by its id; books that were never read
  /// are omitted.
  public var lastReadTimes: [String: Double] {
    var times: [String: Double] = [:]
    for shelf in collections {
      for book in shelf.books { times[book.id] = book.lastRead }
    }
    return times
  }
}

extension Arrangement.Order {
  /// Returns whether a book comes before another; nil if the order does not decide.
  fileprivate func isBefore(_ a: CatalogueBook, _ b: CatalogueBook) -> Bool? {
    func compare<Value: Comparable>(_ a: Value, _ b: Value) -> Bool? { a == b ? nil : a < b }
    switch self {
    case .shelved: return nil
    case .title: return compare(a.searchKey, b.searchKey)
    case .added: return compare(b.added, a.added)
    case .lastRead: return compare(b.lastRead ?? -.infinity, a.lastRead ?? -.infinity)
    }
  }
}
