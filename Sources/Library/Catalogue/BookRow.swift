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
  /// The direction of reading, as corrected.
  public var direction: Progression
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

/// A row of `book` with its corrections.
struct BookRow: Equatable, Sendable {
  var key = 0
  var publicID = ""
  var sourceHash: [UInt8] = []
  /// Whether its pages are images from an archive or a folder, not pages of a document.
  var isImages = false
  var format = ""
  var fileName = ""
  var byteSize = 0
  var title = ""
  var author = ""
  var language = ""
  var direction: Progression?
  var pageCount = 0
  var pageWidth = 1.0
  var pageHeight = 1.0
  var blankPages: [Int] = []
  var widePages: [Int] = []
  var labels = PageLabels()
  var cloth: Int?
  var lettering: Int?
  var revision = 1
  var state = BookState.ready
  var failure: String?
  /// Whether another try may succeed in reading a failed book.
  var mayRetry = true
  var password = ""
  var hasText = false
  var indexed = 0
  var thumbed = 0
  var added = 0.0
  var lastRead: Double?
  var removed: Double?
  var correction = Correction()

  /// Whether it has pages to show.
  var isReadable: Bool { state == .ready && pageCount > 0 }

  /// The number of faces before the first page.
  ///
  /// The first page of a document is a page like any other, and so is the only page of a book. The
  /// first page of a comic or a picture book is its cover.
  var lead: Int { isImages && pageCount != 1 ? 0 : CatalogueBook.insideLead }

  var shownTitle: String { correction.title ?? title }
  var shownAuthor: String { correction.author ?? author }
  var shownDirection: Progression { correction.direction ?? direction ?? .leftToRight }
  var shownCover: Int {
    correction.cover.flatMap { 0..<pageCount ~= $0 ? $0 : nil } ?? 0
  }

  func record(collection: String) -> BookRecord {
    BookRecord(
      id: publicID,
      title: shownTitle,
      author: shownAuthor,
      language: language,
      direction: shownDirection,
      pages: pageCount,
      format: format,
      added: added,
      lastRead: lastRead,
      collection: collection,
      state: state,
      failure: failure,
      mayRetry: state != .ready && mayRetry,
      cover: shownCover,
      searchable: indexed
    )
  }
}

/// The corrections of readers; `nil` for a value that is not corrected.
struct Correction: Equatable, Sendable {
  var title: String?
  var author: String?
  var direction: Progression?
  var cover: Int?
}

/// The location of a book's file.
struct Place: Equatable, Sendable {
  /// An absolute path, or for a stored copy a path in the data folder.
  var path: String
  var book: Int
  /// The key of the shelf; see ``Shelf``.
  var shelf: String
  var isStored: Bool
  /// A number that changes when the file does.
  var stamp: Int

  /// Whether the file is still the one that was catalogued; stored copies never change.
  var isUnchanged: Bool { isStored || FileStamp(path)?.number == stamp }
}

/// One page as it is stored.
struct PageRow: Equatable, Sendable {
  var width: Double
  var height: Double
  var label = ""
  /// The file of the image in the data folder, identified by its content.
  var asset: [UInt8]?
  /// The name of the image in the book's folder.
  var file: String?
  /// The format of the image; `nil` for pages of documents and for blank ones.
  var format: String?
}

extension Progression {
  var code: String { self == .rightToLeft ? "rtl" : "ltr" }

  init?(code: String?) {
    switch code {
    case "ltr": self = .leftToRight
    case "rtl": self = .rightToLeft
    default: return nil
    }
  }
}
