public import Geometry

/// What is shown of a library: the outline that moves and the words and images that are seen.
public struct Catalogue: Equatable, Sendable {
  /// The collections, parallel to the outline's.
  public var collections: [CatalogueCollection]

  /// Creates a catalogue.
  public init(collections: [CatalogueCollection]) { self.collections = collections }

  /// The shapes alone.
  public var outline: LibraryOutline {
    LibraryOutline(
      collections: collections.map { CollectionOutline(books: $0.books.map(\.outline)) }
    )
  }
}

/// One collection as it is shown.
public struct CatalogueCollection: Equatable, Sendable {
  /// The title.
  public var title: String
  /// The address of the ledge's image.
  public var ledgeURL: String
  /// The books in shelf order.
  public var books: [CatalogueBook]

  /// Creates a collection.
  public init(title: String, ledgeURL: String, books: [CatalogueBook]) {
    self.title = title
    self.ledgeURL = ledgeURL
    self.books = books
  }
}

/// One book as it is shown.
public struct CatalogueBook: Equatable, Sendable {
  /// The title.
  public var title: String
  /// The author; may be empty.
  public var author: String
  /// The addresses of the pages' images; the first is the front cover.
  public var pageURLs: [String]
  /// The size of a page in its own units.
  public var pageSize: Size
  /// The direction of reading.
  public var progression: Progression

  /// Creates a book.
  public init(
    title: String,
    author: String,
    pageURLs: [String],
    pageSize: Size,
    progression: Progression
  ) {
    self.title = title
    self.author = author
    self.pageURLs = pageURLs
    self.pageSize = pageSize
    self.progression = progression
  }

  /// The shape alone.
  public var outline: BookOutline {
    BookOutline(pageCount: pageURLs.count, pageSize: pageSize, progression: progression)
  }
}
