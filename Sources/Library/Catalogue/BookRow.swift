internal import Motion
internal import Notices
internal import Scene

/// A row of `book` with its corrections.
struct BookRow: Equatable, Sendable {
  var key = 0
  var publicID = ""
  var file = BookFile()
  var metadata = BookMetadata()
  var pages = PageSummary()
  /// The colours of the spine; nil to derive them from the title.
  var colours: SpineColours?
  /// A number that changes with the book's pages.
  var revision = 1
  var status = BookStatus()
  var progress = BookProgress()
  var times = BookTimes()
  var correction = Correction()

  /// Whether it has pages to show.
  var isReadable: Bool { status.state == .ready && pages.count > 0 }

  /// The pages on the faces of the book.
  ///
  /// The first page of a document is a page like any other, and so is the only page of a book. The
  /// first page of a comic or a picture book is its cover.
  var imposition: Imposition {
    Imposition(
      pageCount: pages.count,
      repeatsCover: !file.isImages || pages.count == 1,
      wide: shownSpreads ? pages.spreads : [],
      isShifted: correction.isShifted ?? false,
      isMirrored: shownDirection == .rightToLeft
    )
  }

  /// The size of a face, in the units of the pages: half a page if most pages take a spread.
  var faceSize: Size {
    let isHalf = pages.isLandscape && shownSpreads
    return Size(width: pages.width / (isHalf ? 2 : 1), height: pages.height)
  }

  /// The least width and height of the pages of a text document, in points: those of B5 paper.
  private static let textPageMin = 498.0

  /// Whether it is a document of letter-sized pages with text.
  var isTextDocument: Bool {
    progress.hasText && !file.isImages && min(pages.width, pages.height) >= Self.textPageMin
  }

  var shownTitle: String { correction.title ?? metadata.title }
  var shownAuthor: String { correction.author ?? metadata.author }
  var shownDirection: Progression {
    correction.direction ?? metadata.direction ?? .leftToRight
  }
  var shownStock: PaperStock { correction.stock ?? metadata.stock ?? .paper }
  var shownSpreads: Bool { correction.hasSpreads ?? metadata.hasSpreads ?? true }
  var shownCover: Int {
    correction.cover.flatMap { 0..<pages.count ~= $0 ? $0 : nil } ?? 0
  }

  func record(collection: String) -> BookRecord {
    BookRecord(
      id: publicID,
      title: shownTitle,
      author: shownAuthor,
      language: metadata.language,
      binding: BookBinding(
        direction: shownDirection,
        stock: shownStock,
        hasSpreads: pages.spreads.isEmpty ? nil : shownSpreads,
        isShifted: correction.isShifted ?? false
      ),
      pages: pages.count,
      format: file.format,
      times: times,
      collection: collection,
      state: status.state,
      failure: status.failure,
      mayRetry: status.state != .ready && status.mayRetry,
      cover: shownCover,
      searchable: progress.indexed
    )
  }
}

/// The file of a book, or its folder of images.
struct BookFile: Equatable, Sendable {
  /// The digest that identifies the book.
  var hash: [UInt8] = []
  var name = ""
  var byteSize = 0
  /// The format, such as `pdf`, `zip` or `folder`.
  var format = ""
  /// Whether its pages are images from an archive or a folder, not pages of a document.
  var isImages = false
  /// The password of a document; empty if it has none or it is unknown.
  var password = ""
}

/// The metadata in the file of a book.
struct BookMetadata: Equatable, Sendable {
  var title = ""
  var author = ""
  var language = ""
  var direction: Progression?
  var stock: PaperStock?
  /// Whether wide pages take whole spreads; nil if it does not say so.
  var hasSpreads: Bool?
}

/// The number, the sizes and the labels of a book's pages.
struct PageSummary: Equatable, Sendable {
  var count = 0
  /// The size of most pages.
  var width = 1.0
  var height = 1.0
  /// The pages of plain paper, in books of an earlier version.
  var blank: [Int] = []
  /// The pages in landscape format, ascending; also empty for a book of an earlier version whose
  /// pages are all in that format.
  var wide: [Int] = []
  var labels = PageLabels()

  /// The aspect from which a page is in landscape format.
  private static let landscapeAspect = 1.15

  /// Returns whether a page of a size is in landscape format: a page that is nearly square does not
  /// count.
  static func isLandscape(width: Double, height: Double) -> Bool {
    width >= landscapeAspect * height
  }

  /// Whether most pages are in landscape format.
  var isLandscape: Bool { Self.isLandscape(width: width, height: height) }

  /// The pages that take a whole spread each, unless a reader has said otherwise.
  var spreads: [Int] { isLandscape && wide.isEmpty ? Array(0..<count) : wide }
}

/// Whether a book can be read.
struct BookStatus: Equatable, Sendable {
  var state = BookState.ready
  /// Why it cannot be read.
  var failure: Notice?
  /// Whether another try may succeed in reading a failed book.
  var mayRetry = true
}

/// The progress of the background work on a book.
struct BookProgress: Equatable, Sendable {
  /// Whether its pages contain text.
  var hasText = false
  /// The number of pages whose text is indexed.
  var indexed = 0
  /// The number of pages that have a small picture.
  var thumbed = 0
}

/// The corrections of readers; `nil` for a value that is not corrected.
struct Correction: Equatable, Sendable {
  var title: String?
  var author: String?
  var direction: Progression?
  var stock: PaperStock?
  var cover: Int?
  /// Whether wide pages take whole spreads.
  var hasSpreads: Bool?
  /// Whether the pages begin on the other side than they would.
  var isShifted: Bool?
}

/// The location of a book's file.
struct FilePlace: Equatable, Sendable {
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
  /// The name of the image in the book's folder or archive.
  var file: String?
  /// The format of the image; `nil` for pages of documents and for those with a fault.
  var format: String?
  /// The reason that the image cannot be shown, written for readers; such a page has no image.
  var fault: Notice?
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
