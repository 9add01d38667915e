public import Geometry

/// What is shown of a library: the outline that moves and the words and images that are seen.
public struct Catalogue: Equatable, Sendable {
  /// The collections, parallel to the outline's.
  public var collections: [CatalogueCollection]

  /// Creates a catalogue.
  public init(collections: [CatalogueCollection]) { self.collections = collections }

  /// The shapes alone.
  public var outline: LibraryOutline {
    LibraryOutline(collections: collections.map(\.outline))
  }
}

/// One collection as it is shown.
public struct CatalogueCollection: Equatable, Sendable {
  /// What names it for good, unique in its catalogue; empty where nothing is kept.
  public var id: String
  /// The title.
  public var title: String
  /// The address of the ledge's image.
  public var ledgeURL: String
  /// The books in shelf order.
  public var books: [CatalogueBook]

  /// Creates a collection.
  public init(id: String = "", title: String, ledgeURL: String, books: [CatalogueBook]) {
    self.id = id
    self.title = title
    self.ledgeURL = ledgeURL
    self.books = books
  }

  /// The shapes alone.
  public var outline: CollectionOutline {
    CollectionOutline(id: id, books: books.map(\.outline))
  }
}

/// One book as it is shown.
public struct CatalogueBook: Equatable, Sendable {
  /// What names it for good, unique in its catalogue; empty where nothing is kept.
  public var id: String
  /// The title.
  public var title: String
  /// The author; may be empty.
  public var author: String
  /// The addresses of the images of what the book shows, face by face; the first is the cover.
  public var pageURLs: PageAddresses
  /// How many faces come before the first page: 0 where that page is the cover, ``insideLead``
  /// where it is read inside as well.
  public var lead: Int
  /// What the pages are called.
  public var labels: PageLabels
  /// The address of the image that the shelf shows: the front cover, unless a reader chose.
  public var coverURL: String
  /// The size of a page in its own units.
  public var pageSize: Size
  /// The direction of reading.
  public var progression: Progression
  /// When it came into the library, in Unix seconds; 0 if that is not known.
  public var added: Double
  /// When it was last opened, in Unix seconds; nil if it never was.
  public var lastRead: Double?
  /// What a filter looks into: title and author as ``SearchKey/folded(_:)`` gives them.
  public var searchKey: String
  /// The faces that are wider than high, by index: drawn whole on their paper.
  public var widePages: Set<Int>

  /// Creates a book.
  ///
  /// Without a search key it is made of the title and the author, without a cover's address the
  /// first page is the cover.
  public init(
    id: String = "",
    title: String,
    author: String,
    pageURLs: PageAddresses,
    coverURL: String? = nil,
    lead: Int = 0,
    labels: PageLabels = PageLabels(),
    pageSize: Size,
    progression: Progression,
    added: Double = 0,
    lastRead: Double? = nil,
    searchKey: String? = nil,
    widePages: Set<Int> = []
  ) {
    self.id = id
    self.lead = lead
    self.labels = labels
    self.added = added
    self.lastRead = lastRead
    self.searchKey = searchKey ?? SearchKey.folded(author.isEmpty ? title : title + " " + author)
    self.widePages = widePages
    self.title = title
    self.author = author
    self.pageURLs = pageURLs
    self.coverURL = coverURL ?? pageURLs.first ?? ""
    self.pageSize = pageSize
    self.progression = progression
  }

  /// Creates a book from a list of addresses.
  public init(
    id: String = "",
    title: String,
    author: String,
    pageURLs: [String],
    pageSize: Size,
    progression: Progression,
    added: Double = 0,
    lastRead: Double? = nil,
    searchKey: String? = nil,
    widePages: Set<Int> = []
  ) {
    self.init(
      id: id,
      title: title,
      author: author,
      pageURLs: PageAddresses(pageURLs),
      pageSize: pageSize,
      progression: progression,
      added: added,
      lastRead: lastRead,
      searchKey: searchKey,
      widePages: widePages
    )
  }

  /// The shape alone.
  public var outline: BookOutline {
    BookOutline(
      id: id,
      pageCount: pageURLs.count,
      pageSize: pageSize,
      progression: progression
    )
  }
}
