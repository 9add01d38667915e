public import Motion

/// The library as it is shown, with outlines for the stage, and texts and images for readers.
public struct Catalogue: Equatable, Sendable {
  /// The collections, parallel to those of the outline.
  public var collections: [CatalogueCollection]

  /// Creates a catalogue.
  public init(collections: [CatalogueCollection]) { self.collections = collections }

  /// The outline of the library.
  public var outline: LibraryOutline {
    LibraryOutline(collections: collections.map(\.outline))
  }
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

  /// Creates a collection.
  public init(id: String = "", title: String, ledgeURL: String, books: [CatalogueBook]) {
    self.id = id
    self.title = title
    self.ledgeURL = ledgeURL
    self.books = books
  }

  /// The outline of the collection.
  public var outline: CollectionOutline {
    CollectionOutline(id: id, books: books.map(\.outline))
  }
}

/// One book, with its texts, its images and the facts by which it is arranged.
public struct CatalogueBook: Equatable, Sendable {
  /// The permanent id, unique in its catalogue; empty if the book has none.
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
    self.labels = labels
    self.added = added
    self.lastRead = lastRead
    self.searchKey = searchKey ?? SearchKey.folded(author.isEmpty ? title : title + " " + author)
    self.title = title
    self.author = author
    self.pageURLs = pageURLs
    self.coverURL = coverURL ?? pageURLs.first ?? ""
    self.pageSize = pageSize
    self.progression = progression
    self.stock = stock
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
}
