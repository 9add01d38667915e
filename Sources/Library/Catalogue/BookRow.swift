public import Scene

/// How far a book has come.
public enum BookState: String, Equatable, Sendable {
  /// It can be read.
  case ready
  /// It waits for its password.
  case locked
  /// Its file could not be read; ``BookRecord/failure`` says why.
  case failed
}

/// What is known of a book, for lists and for the API.
public struct BookRecord: Equatable, Sendable {
  /// The name for good.
  public var id: String
  /// The title, as corrected.
  public var title: String
  /// The author, as corrected; may be empty.
  public var author: String
  /// A language tag such as `ja`; may be empty.
  public var language: String
  /// The direction of reading, as corrected.
  public var direction: Progression
  /// The number of pages; 0 if it cannot be read.
  public var pages: Int
  /// The format, such as `pdf`, `zip` or `folder`.
  public var format: String
  /// When it came into the library, in Unix seconds.
  public var added: Double
  /// When it was last opened, in Unix seconds.
  public var lastRead: Double?
  /// The id of its collection; empty while it is off the shelf.
  public var collection: String
  /// Whether it can be read.
  public var state: BookState
  /// Why it cannot be read, in words for people.
  public var failure: String?
  /// Whether another try at the same file may succeed, or a password.
  public var mayRetry: Bool
  /// The page whose image the shelf shows, from 0.
  public var cover: Int
  /// How many of its pages can be searched by now.
  public var searchable: Int
}

/// A row of `book` with its corrections beside it.
struct BookRow: Equatable, Sendable {
  var key = 0
  var publicID = ""
  var sourceHash: [UInt8] = []
  /// Whether its pages are images, of an archive or a folder, and not drawn from a document.
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
  /// Whether a book that failed may be read at another try.
  var mayRetry = true
  var password = ""
  var hasText = false
  var indexed = 0
  var thumbed = 0
  var added = 0.0
  var lastRead: Double?
  var removed: Double?
  var correction = Correction()

  /// Whether there are pages to be seen.
  var isReadable: Bool { state == .ready && pageCount > 0 }

  /// How many faces come before the first page.
  ///
  /// A document's first page is a page like any other, and a book of one page has nothing else to
  /// read; of comics and picture books it is the cover.
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

/// What readers put right; `nil` where they left what the file says.
struct Correction: Equatable, Sendable {
  var title: String?
  var author: String?
  var direction: Progression?
  var cover: Int?
}

/// Where a book's file lies.
struct Place: Equatable, Sendable {
  /// An absolute path, or one below the data folder for a stored copy.
  var path: String
  var book: Int
  /// The shelf's key: see ``Shelf``.
  var shelf: String
  var isStored: Bool
  /// Changes when the file does.
  var stamp: Int

  /// Whether the file is still the one that was catalogued; nothing changes a stored copy.
  var isUnchanged: Bool { isStored || FileStamp(path)?.number == stamp }
}

/// One page as it is kept.
struct PageRow: Equatable, Sendable {
  var width: Double
  var height: Double
  var label = ""
  /// The image's file in the data folder, by its content.
  var asset: [UInt8]?
  /// The image's name in the book's folder.
  var file: String?
  /// The image's format; `nil` for pages of documents and for blank ones.
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
