internal import Motion
internal import PressProtocol
internal import Scene

/// A view of the catalogue for frequent queries.
struct ShelfView: Sendable {
  private(set) var catalogue = Catalogue(collections: [])
  private(set) var books: [String: Book] = [:]
  /// The ids of all books: first those on the shelf, in its order.
  private(set) var order: [String] = []
  /// The ids of the books in the bin, which are not in `order`.
  private(set) var binned: [String] = []
  private(set) var spines: [String: [Spine]] = [:]
  /// Where the books on shelves are in the catalogue.
  private var spots: [String: [Spot]] = [:]

  private struct Spot {
    var collection: Int
    var book: Int
  }

  /// No ledge has room for more spines.
  private static let spinesMax = 64

  init() {}

  /// Arranges books, each with its location, into collections; the root's name is the title of the
  /// books directly in it.
  ///
  /// Titles of shelves that other processes have published apply where there is no root.
  init(_ all: [Book], root: String?, titles: [String: String] = [:]) {
    var shelves: [String: [Book]] = [:]
    var rest: [Book] = []
    for book in all {
      if book.deleted != nil {
        books[book.id] = book
        binned.append(book.id)
      } else if let location = book.location {
        books[book.id] = book
        for location in [location] + book.otherLocations {
          var copy = book
          copy.location = location
          shelves[location.shelf, default: []].append(copy)
        }
      } else {
        rest.append(book)
      }
    }
    for (shelf, books) in shelves.sorted(by: { Shelf.precedes($0.key, $1.key) }) {
      add(shelf, books, title: Shelf.title(shelf, root: root, published: titles))
    }
    for book in rest { books[book.id] = book }
    order += rest.map(\.id)
    catalogue.missing = Set(rest.map(\.id))
  }

  /// Returns each of some books once, with the location that counts for it and for each of its
  /// other shelves.
  ///
  /// That is one in the library's folder before others, then the first by its path. The entries of
  /// a book follow each other.
  /// - Complexity: O(n log n) in the number of entries.
  static func withBestLocations(_ books: [Book]) -> [Book] {
    var best: [Book] = []
    var rest = books[...]
    while let first = rest.first {
      let entries = rest.prefix { $0.key == first.key }
      rest = rest.dropFirst(entries.count)
      best.append(entries.count == 1 ? first : first.placed(at: entries.compactMap(\.location)))
    }
    return best
  }

  private mutating func add(_ shelf: String, _ unsorted: [Book], title: String) {
    let named = NaturalOrder.sorted(unsorted) { book in
      book.location.map { $0.isStored ? book.file.name : $0.path } ?? ""
    }
    let books = SeriesOrder.arranged(named)
    var copies: [String: Int] = [:]
    for (index, book) in books.enumerated() {
      copies[book.id] = spots[book.id]?.count
      if spots[book.id] == nil { order.append(book.id) }
      let spot = Spot(collection: catalogue.collections.count, book: index)
      spots[book.id, default: []].append(spot)
    }
    let id = Shelf.publicID(shelf)
    let spines = books.prefix(Self.spinesMax).map { Self.spine(of: $0) }
    self.spines[id] = spines
    var collection = CatalogueCollection(
      id: id,
      title: title,
      ledgeURL: Self.ledgeURL(id, spines),
      books: books.map { Self.entry($0) }
    )
    collection.copies = copies
    catalogue.collections.append(collection)
  }

  private static func ledgeURL(_ id: String, _ spines: [Spine]) -> String {
    "/ledges/\(id).svg?v=\(tag(spines))"
  }

  /// Whether a book with this state stays where it is.
  func hasSameLocation(_ book: Book) -> Bool {
    guard let old = books[book.id] else { return false }
    return old.key == book.key && old.location == book.location
      && old.otherLocations == book.otherLocations && old.deleted == book.deleted
      && old.file.name == book.file.name && old.metadata.series == book.metadata.series
  }

  /// Takes over another state of a book that stays where it is.
  /// - Returns: What readers see of it.
  mutating func replace(_ book: Book) -> CatalogueChange {
    books[book.id] = book
    let entry = Self.entry(book)
    let spine = Self.spine(of: book)
    var change = CatalogueChange.books([])
    for spot in spots[book.id] ?? [] {
      let isSame = catalogue.collections[spot.collection].books[spot.book] == entry
      if !isSame {
        catalogue.collections[spot.collection].books[spot.book] = entry
        if change == .books([]) { change = .books([entry]) }
      }
      let id = catalogue.collections[spot.collection].id
      if spot.book < Self.spinesMax, var spines = spines[id], spines[spot.book] != spine {
        spines[spot.book] = spine
        self.spines[id] = spines
        catalogue.collections[spot.collection].ledgeURL = Self.ledgeURL(id, spines)
        change = .any
      }
    }
    return change
  }

  /// Returns a book as readers see it; a book that cannot be read has one page that gives the
  /// reason.
  static func entry(_ row: Book) -> CatalogueBook {
    guard row.isReadable else { return paper(row) }
    let before = "/b/\(row.id)/p/"
    let after = "/screen?v=\(row.shape.revision)"
    let imposition = row.imposition
    let pages = PageAddresses(
      imposition,
      before: before,
      after: after,
      blank: Set(row.shape.blank),
      cover: row.cover
    )
    var book = CatalogueBook(
      id: row.id,
      title: row.title,
      author: row.author,
      pageURLs: pages,
      coverURL: "\(before)\(row.cover)\(after)",
      imposition: imposition,
      labels: row.shape.labels,
      pageSize: row.faceSize,
      progression: row.direction,
      stock: row.stock,
      added: row.added,
      lastRead: row.lastRead
    )
    book.opensFlat = row.isTextDocument
    return book
  }

  /// Returns a book that cannot be read, with one page that gives the reason.
  private static func paper(_ row: Book) -> CatalogueBook {
    var book = CatalogueBook(
      id: row.id,
      title: row.title,
      author: row.author,
      pageURLs: PageAddresses(
        Imposition(pageCount: 1),
        before: "/b/\(row.id)/p/",
        after: "/screen?v=\(row.shape.revision)-\(PaperCover(row).tag)"
      ),
      pageSize: PaperCover.size,
      progression: row.direction,
      stock: row.stock,
      added: row.added,
      lastRead: row.lastRead
    )
    book.isReadable = false
    return book
  }

  static func spine(of row: Book) -> Spine {
    guard row.isReadable else {
      return Spine(
        title: row.title,
        pageCount: 1,
        pageSize: PaperCover.size,
        colours: PaperCover.colours
      )
    }
    return Spine(
      title: row.title,
      pageCount: row.pages,
      pageSize: Size(width: row.shape.width, height: row.shape.height),
      colours: row.shape.colours ?? SpineColours(hashing: row.title)
    )
  }

  /// Returns a tag that changes with anything that is drawn.
  private static func tag(_ spines: [Spine]) -> String {
    var text = ""
    for spine in spines {
      text += "\(spine.title)\u{1}\(spine.width) \(spine.height) \(spine.colours.cloth.css)"
      text += "\(spine.colours.lettering.css)\u{2}"
    }
    return ContentTag.tag(text.utf8)
  }
}

extension Book {
  /// Returns the book at the first of some locations, and at the first for each other shelf.
  fileprivate func placed(at locations: [FileLocation]) -> Book {
    let sorted = NaturalOrder.sorted(locations, by: \.path)
    let ordered = sorted.filter { !$0.isStored } + sorted.filter(\.isStored)
    var shelves: Set<String> = []
    let best = ordered.filter { shelves.insert($0.shelf).inserted }
    var book = self
    book.location = best.first
    book.otherLocations = best.dropFirst().sorted { Shelf.precedes($0.shelf, $1.shelf) }
    return book
  }
}
