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

/// How a book is bound, as corrected.
public struct BookBinding: Equatable, Sendable {
  /// The direction of reading.
  public var direction: Progression
  /// The paper stock of the leaves.
  public var stock: PaperStock
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
  /// When it was added to the library, in Unix seconds.
  public var added: Double
  /// When it was last opened, in Unix seconds.
  public var lastRead: Double?
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
}
