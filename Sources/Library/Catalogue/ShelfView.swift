internal import Motion
internal import PressProtocol
internal import Scene

/// An immutable view of the catalogue for frequent queries.
struct ShelfView: Sendable {
  /// A book and its place.
  struct Book: Sendable {
    var row: BookRow
    /// The location of its file or folder; `nil` if it is not on the shelf.
    var place: FilePlace?
    /// The id of its collection; empty if it is not on the shelf.
    var collection: String

    var record: BookRecord {
      var record = row.record(collection: collection)
      record.source = source
      return record
    }

    /// Whether it is on a shelf: it has a file, and is not in the bin.
    var isOnShelf: Bool { place != nil && row.times.deleted == nil }

    private var source: BookSource {
      guard let place else { return .none }
      return place.isShared ? .store : place.isStored ? .imported : .folder
    }
  }

  private(set) var catalogue = Catalogue(collections: [])
  private(set) var books: [String: Book] = [:]
  /// The ids of all books: first those on the shelf, in its order.
  private(set) var order: [String] = []
  /// The ids of the books in the bin, which are not in `order`.
  private(set) var binned: [String] = []
  private(set) var spines: [String: [Spine]] = [:]

  /// No ledge has room for more spines.
  private static let spinesMax = 64

  init() {}

  /// Arranges rows into collections; the root's name is the title of the books directly in it.
  ///
  /// Titles of shelves that other processes have published apply where there is no root.
  init(rows: [BookRow], places: [FilePlace], root: String?, titles: [String: String] = [:]) {
    var placeOfBook: [Int: FilePlace] = [:]
    for place in places {
      guard let other = placeOfBook[place.book] else {
        placeOfBook[place.book] = place
        continue
      }
      if Self.isBefore(place, other) { placeOfBook[place.book] = place }
    }
    var shelves: [String: [Book]] = [:]
    var rest: [Book] = []
    for row in rows {
      if row.times.deleted != nil {
        books[row.publicID] = Book(row: row, place: placeOfBook[row.key], collection: "")
        binned.append(row.publicID)
        continue
      }
      guard let place = placeOfBook[row.key] else {
        rest.append(Book(row: row, place: nil, collection: ""))
        continue
      }
      let id = Shelf.publicID(place.shelf)
      shelves[place.shelf, default: []].append(Book(row: row, place: place, collection: id))
    }
    for (shelf, books) in shelves.sorted(by: { Shelf.precedes($0.key, $1.key) }) {
      add(shelf, books, title: Shelf.title(shelf, root: root, published: titles))
    }
    for book in rest { take(book) }
  }

  /// Orders several places of one book: those in the library's folder come first, then by path.
  private static func isBefore(_ a: FilePlace, _ b: FilePlace) -> Bool {
    if a.isStored != b.isStored { return !a.isStored }
    return NaturalOrder(a.path) < NaturalOrder(b.path)
  }

  private mutating func take(_ book: Book) {
    books[book.row.publicID] = book
    order.append(book.row.publicID)
  }

  private mutating func add(_ shelf: String, _ unsorted: [Book], title: String) {
    let books = NaturalOrder.sorted(unsorted) { book in
      book.place.map { $0.isStored ? book.row.file.name : $0.path } ?? ""
    }
    for book in books { take(book) }
    guard !books.isEmpty else { return }
    let id = Shelf.publicID(shelf)
    let spines = books.prefix(Self.spinesMax).map { Self.spine(of: $0.row) }
    self.spines[id] = spines
    catalogue.collections.append(
      CatalogueCollection(
        id: id,
        title: title,
        ledgeURL: "/ledges/\(id).svg?v=\(Self.tag(spines))",
        books: books.map { Self.entry($0.row) }
      )
    )
  }

  /// Returns a book as readers see it; a book that cannot be read has one page that gives the
  /// reason.
  static func entry(_ row: BookRow) -> CatalogueBook {
    guard row.isReadable else { return paper(row) }
    let before = "/b/\(row.publicID)/p/"
    let after = "/screen?v=\(row.revision)"
    let imposition = row.imposition
    let pages = PageAddresses(
      imposition,
      before: before,
      after: after,
      blank: Set(row.pages.blank),
      cover: row.shownCover
    )
    var book = CatalogueBook(
      id: row.publicID,
      title: row.shownTitle,
      author: row.shownAuthor,
      pageURLs: pages,
      coverURL: "\(before)\(row.shownCover)\(after)",
      imposition: imposition,
      labels: row.pages.labels,
      pageSize: row.faceSize,
      progression: row.shownDirection,
      stock: row.shownStock,
      added: row.times.added,
      lastRead: row.times.lastRead
    )
    book.opensFlat = row.isTextDocument
    return book
  }

  /// Returns a book that cannot be read, with one page that gives the reason.
  private static func paper(_ row: BookRow) -> CatalogueBook {
    var book = CatalogueBook(
      id: row.publicID,
      title: row.shownTitle,
      author: row.shownAuthor,
      pageURLs: PageAddresses(
        Imposition(pageCount: 1),
        before: "/b/\(row.publicID)/p/",
        after: "/screen?v=\(row.revision)-\(PaperCover(row).tag)"
      ),
      pageSize: PaperCover.size,
      progression: row.shownDirection,
      stock: row.shownStock,
      added: row.times.added,
      lastRead: row.times.lastRead
    )
    book.isReadable = false
    return book
  }

  static func spine(of row: BookRow) -> Spine {
    guard row.isReadable else {
      return Spine(
        title: row.shownTitle,
        pageCount: 1,
        pageSize: PaperCover.size,
        colours: PaperCover.colours
      )
    }
    return Spine(
      title: row.shownTitle,
      pageCount: row.pages.count,
      pageSize: Size(width: row.pages.width, height: row.pages.height),
      colours: row.colours ?? SpineColours(hashing: row.shownTitle)
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
