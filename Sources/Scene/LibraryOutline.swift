public import Motion

/// The data of a library that the stage needs: the number and the shapes of its collections and
/// books.
public struct LibraryOutline: Equatable, Sendable {
  /// The collections in the order of the list.
  public var collections: [CollectionOutline]

  /// Creates an outline.
  public init(collections: [CollectionOutline]) { self.collections = collections }
}

/// The outline of one collection.
public struct CollectionOutline: Equatable, Sendable {
  /// The permanent id of the collection; empty if it has none.
  public var id: String
  /// The books in shelf order.
  public var books: [BookOutline]

  /// Creates an outline.
  public init(id: String = "", books: [BookOutline]) { (self.id, self.books) = (id, books) }
}

/// The outline of one book.
public struct BookOutline: Equatable, Sendable {
  /// The permanent id of the book; empty if it has none.
  public var id: String
  /// The number of pages including both covers; at least 1.
  public var pageCount: Int
  /// The size of a page in its own units; only the aspect ratio matters.
  public var pageSize: Size
  /// The direction in which the pages are read.
  public var progression: Progression
  /// The paper stock of the leaves.
  public var stock: PaperStock
  /// Whether the book can be opened.
  public var isReadable: Bool
  /// The number of earlier shelves with this book; recordings do not keep it.
  public var copy = 0

  /// Creates an outline.
  public init(
    id: String = "",
    pageCount: Int,
    pageSize: Size,
    progression: Progression = .leftToRight,
    stock: PaperStock = .paper,
    isReadable: Bool = true
  ) {
    (self.isReadable, self.id, self.pageCount) = (isReadable, id, pageCount)
    (self.pageSize, self.progression, self.stock) = (pageSize, progression, stock)
  }
}

/// The direction in which pages are read (EPUB page-progression-direction).
public enum Progression: UInt8, Equatable, Sendable {
  /// From left to right, as in Western books.
  case leftToRight = 0
  /// From right to left, as in Arabic, Hebrew and much Japanese print.
  case rightToLeft = 1

  /// The name in JSON.
  public var name: String { self == .rightToLeft ? "rtl" : "ltr" }

  /// Returns the direction with a name in JSON; nil for any other text.
  public init?(name: String) {
    switch name {
    case "ltr": self = .leftToRight
    case "rtl": self = .rightToLeft
    default: return nil
    }
  }
}
