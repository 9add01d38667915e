public import Scene

/// The state of a book.
public enum BookState: String, Equatable, Sendable {
  /// It can be read.
  case ready
  /// It needs its password.
  case locked
  /// Its file could not be read; ``BookRecord/failure`` says why.
  case failed
}

/// Where the file of a book is.
public enum BookSource: String, Equatable, Sendable {
  /// In the library's folder.
  case folder
  /// In the data folder, where an import has put a copy.
  case imported
  /// In the store that several servers share.
  case store
  /// Nowhere: it is gone.
  case none
}

/// How a book is bound, as corrected.
public struct BookBinding: Equatable, Sendable {
  /// The direction of reading.
  public var direction: Progression
  /// The paper stock of the leaves.
  public var stock: PaperStock
  /// Whether wide pages take whole spreads; nil if there are none.
  public var hasSpreads: Bool?
  /// Whether the pages begin on the other side than they would.
  public var isShifted: Bool

  init(
    direction: Progression,
    stock: PaperStock,
    hasSpreads: Bool? = nil,
    isShifted: Bool = false
  ) {
    self.direction = direction
    self.stock = stock
    self.hasSpreads = hasSpreads
    self.isShifted = isShifted
  }
}

/// A reader's corrections of a book; nil for what does not change.
public struct BookEdit: Equatable, Sendable {
  /// The title; empty for that of the file.
  public var title: String?
  /// The author; empty for that of the file.
  public var author: String?
  /// The direction of reading.
  public var direction: Progression?
  /// The paper stock.
  public var stock: PaperStock?
  /// The page that the shelf shows, counted from 0.
  public var cover: Int?
  /// Whether wide pages take whole spreads.
  public var hasSpreads: Bool?
  /// Whether the pages begin on the other side than they would.
  public var isShifted: Bool?

  /// Creates corrections.
  public init(
    title: String? = nil,
    author: String? = nil,
    direction: Progression? = nil,
    stock: PaperStock? = nil,
    cover: Int? = nil,
    hasSpreads: Bool? = nil,
    isShifted: Bool? = nil
  ) {
    self.title = title
    self.author = author
    self.direction = direction
    self.stock = stock
    self.cover = cover
    self.hasSpreads = hasSpreads
    self.isShifted = isShifted
  }
}

/// Times in the life of a book, in Unix seconds.
public struct BookTimes: Equatable, Sendable {
  /// When it was added to the library.
  public var added = 0.0
  /// When it was last opened; nil if never.
  public var lastRead: Double?
  /// When it left the shelf; nil if it is there.
  public var removed: Double?
  /// When it was put into the bin; nil if it is not there.
  public var deleted: Double?
}

/// The facts about a book, for lists and for the API.
public struct BookRecord: Equatable, Sendable {
  /// The permanent id.
  public var id: String
  /// The title, as corrected.
  public var title: String
  /// The author, as corrected; may be empty.
  public var author: String
  /// A language tag such as `ja`; may be empty.
  public var language: String
  /// How it is bound, as corrected.
  public var binding: BookBinding
  /// The number of pages; 0 if the book cannot be read.
  public var pages: Int
  /// The format, such as `pdf`, `zip` or `folder`.
  public var format: String
  /// When it was added, last opened and deleted.
  public var times: BookTimes
  /// The id of its collection; empty if it is not on the shelf.
  public var collection: String
  /// Whether it can be read.
  public var state: BookState
  /// Why it cannot be read, written for readers.
  public var failure: String?
  /// Whether another try, or a password, may succeed with the same file.
  public var mayRetry: Bool
  /// The page that the shelf shows, counted from 0.
  public var cover: Int
  /// The number of its pages that are indexed for search so far.
  public var searchable: Int
  /// Where its file is.
  public var source = BookSource.none
}
