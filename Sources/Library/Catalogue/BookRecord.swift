package import Notices
package import Scene

/// The state of a book.
package enum BookState: String, Equatable, Sendable {
  /// It can be read.
  case ready
  /// It needs its password.
  case locked
  /// Its file could not be read; ``BookRecord/failure`` says why.
  case failed
}

/// Where the file of a book is.
package enum BookSource: String, Equatable, Sendable {
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
package struct BookBinding: Equatable, Sendable {
  /// The direction of reading.
  package var direction: Progression
  /// The paper stock of the leaves.
  package var stock: PaperStock
  /// Whether wide pages take whole spreads; nil if there are none.
  package var hasSpreads: Bool?
  /// Whether the pages begin on the other side than they would.
  package var isShifted: Bool

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
package struct BookEdit: Equatable, Sendable {
  /// The title; empty for that of the file.
  package var title: String?
  /// The author; empty for that of the file.
  package var author: String?
  /// The direction of reading.
  package var direction: Progression?
  /// The paper stock.
  package var stock: PaperStock?
  /// The page that the shelf shows, counted from 0.
  package var cover: Int?
  /// Whether wide pages take whole spreads.
  package var hasSpreads: Bool?
  /// Whether the pages begin on the other side than they would.
  package var isShifted: Bool?

  /// Creates corrections.
  package init(
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
package struct BookTimes: Equatable, Sendable {
  /// When it was added to the library.
  package var added = 0.0
  /// When it was last opened; nil if never.
  package var lastRead: Double?
  /// When it left the shelf; nil if it is there.
  package var removed: Double?
  /// When it was put into the bin; nil if it is not there.
  package var deleted: Double?
}

/// The facts about a book, for lists and for the API.
package struct BookRecord: Equatable, Sendable {
  /// The permanent id.
  package var id: String
  /// The title, as corrected.
  package var title: String
  /// The author, as corrected; may be empty.
  package var author: String
  /// A language tag such as `ja`; may be empty.
  package var language: String
  /// How it is bound, as corrected.
  package var binding: BookBinding
  /// The number of pages; 0 if the book cannot be read.
  package var pages: Int
  /// The format, such as `pdf`, `zip` or `folder`.
  package var format: String
  /// When it was added, last opened and deleted.
  package var times: BookTimes
  /// The id of its collection; empty if it is not on the shelf.
  package var collection: String
  /// Whether it can be read.
  package var state: BookState
  /// Why it cannot be read.
  package var failure: Notice?
  /// Whether another try, or a password, may succeed with the same file.
  package var mayRetry: Bool
  /// The page that the shelf shows, counted from 0.
  package var cover: Int
  /// The number of its pages that are indexed for search so far.
  package var searchable: Int
  /// Where its file is.
  package var source = BookSource.none
}
