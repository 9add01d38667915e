public import Geometry

/// What the stage needs to know of a library: how many things there are and their shapes.
public struct LibraryOutline: Equatable, Sendable {
  /// The collections, in list order; never empty while a stage plays.
  public var collections: [CollectionOutline]

  /// Creates an outline.
  public init(collections: [CollectionOutline]) { self.collections = collections }
}

/// The outline of one collection.
public struct CollectionOutline: Equatable, Sendable {
  /// What names the collection for good; empty where nothing is kept.
  public var id: String
  /// The books in shelf order.
  public var books: [BookOutline]

  /// Creates an outline.
  public init(id: String = "", books: [BookOutline]) {
    self.id = id
    self.books = books
  }
}

/// The outline of one book.
public struct BookOutline: Equatable, Sendable {
  /// What names the book for good; empty where nothing is kept.
  public var id: String
  /// Pages with both covers; at least 1.
  public var pageCount: Int
  /// The size of a page in its own units; only the aspect counts.
  public var pageSize: Size
  /// The direction in which the pages follow one another.
  public var progression: Progression

  /// Creates an outline.
  public init(
    id: String = "",
    pageCount: Int,
    pageSize: Size,
    progression: Progression = .leftToRight
  ) {
    self.id = id
    self.pageCount = pageCount
    self.pageSize = pageSize
    self.progression = progression
  }
}

/// The direction in which pages follow one another (EPUB page-progression-direction).
public enum Progression: UInt8, Equatable, Sendable {
  /// Western order.
  case leftToRight = 0
  /// As in Arabic, Hebrew and much Japanese print.
  case rightToLeft = 1
}
