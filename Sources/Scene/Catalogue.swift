package import Motion

/// The library as it is shown, with outlines for the stage, and texts and images for readers.
package struct Catalogue: Equatable, Sendable {
  /// The collections, parallel to those of the outline.
  package var collections: [CatalogueCollection]

  /// Creates a catalogue.
  package init(collections: [CatalogueCollection]) { self.collections = collections }

  /// The outline of the library.
  package var outline: LibraryOutline {
    LibraryOutline(collections: collections.map(\.outline))
  }
}

/// One collection of books.
package struct CatalogueCollection: Equatable, Sendable {
  /// The permanent id, unique in its catalogue; empty if the collection has none.
  package var id: String
  /// The title.
  package var title: String
  /// The address of the ledge's image.
  package var ledgeURL: String
  /// The books in shelf order.
  package var books: [CatalogueBook]

  /// Creates a collection.
  package init(id: String = "", title: String, ledgeURL: String, books: [CatalogueBook]) {
    self.id = id
    self.title = title
    self.ledgeURL = ledgeURL
    self.books = books
  }

  /// The outline of the collection.
  package var outline: CollectionOutline {
    CollectionOutline(id: id, books: books.map(\.outline))
  }
}

/// One book, with its texts, its images and the facts by which it is arranged.
package struct CatalogueBook: Equatable, Sendable {
  /// The permanent id, unique in its catalogue; empty if the book has none.
  package var id: String
  /// The title.
  package var title: String
  /// The author; may be empty.
  package var author: String
  /// The addresses of the images of the book's faces; the first is the cover.
  package var pageURLs: PageAddresses
  /// The pages on the faces.
  package var imposition: Imposition
  /// The labels of the pages.
  package var labels: PageLabels
  /// The address of the image on the shelf: the front cover, unless a reader chose another page.
  package var coverURL: String
  /// The size of a page in its own units.
  package var pageSize: Size
  /// The reading direction.
  package var progression: Progression
  /// The paper stock of the leaves.
  package var stock: PaperStock
  /// Whether the book is laid flat when it is opened for the first time, because its text would be
  /// too small to read on standing pages.
  package var opensFlat = false
  /// Whether the book can be opened; if not, its only page is a cover, and the library knows why.
  package var isReadable = true
  /// The time when the book was added to the library, in Unix seconds; 0 if unknown.
  package var added: Double
  /// The time when the book was last opened, in Unix seconds; nil if never.
  package var lastRead: Double?
  /// The text that a filter searches: title and author, folded by ``SearchKey/folded(_:)``.
  package var searchKey: String

  /// Creates a book.
  ///
  /// The default search key is derived from the title and the author; the default cover is the
  /// first page, and by default each address is that of one page.
  package init(
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
  package init(
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
  package var outline: BookOutline {
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
