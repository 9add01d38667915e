internal import Motion
package import Notices
internal import PressProtocol
package import Scene

/// A book: its row in the catalogue with the corrections of readers and its location on a shelf.
///
/// Encoded, it is what other processes need to show it: without its key, its progress and its
/// location, which belong to this machine.
package struct Book: Codable, Equatable, Sendable {
  /// The key in this catalogue; 0 for a book that is not in it.
  var key = 0
  /// The permanent id.
  package var id = ""
  var file = BookFile()
  var metadata = BookMetadata()
  var shape = BookShape()
  var status = BookStatus()
  var progress = BookProgress()
  var correction = Correction()
  /// When it was added to the library, in Unix seconds.
  package var added = 0.0
  /// When it was last opened, in Unix seconds; nil if never.
  package var lastRead: Double?
  /// Where its file or folder is; nil if it is gone.
  var location: FileLocation?
  /// Where the same content is for other shelves, one location for each, ordered by shelf.
  var otherLocations: [FileLocation] = []

  private enum CodingKeys: CodingKey {
    case id, file, metadata, shape, status, correction, added, lastRead
  }

  // MARK: As corrected

  /// The title, as corrected.
  package var title: String { correction.title ?? metadata.title }
  /// The author, as corrected; may be empty.
  package var author: String { correction.author ?? metadata.author }
  /// A language tag such as `ja`; may be empty.
  package var language: String { metadata.language }
  /// The direction of reading, as corrected.
  package var direction: Progression { correction.direction ?? metadata.direction ?? .leftToRight }
  /// The paper stock of the leaves, as corrected.
  package var stock: PaperStock { correction.stock ?? metadata.stock ?? .paper }
  /// Whether wide pages take whole spreads, as corrected; nil if there are none.
  package var hasSpreads: Bool? { shape.spreads.isEmpty ? nil : takesSpreads }
  /// Whether the pages begin on the other side than they would.
  package var isShifted: Bool { correction.isShifted ?? metadata.isShifted ?? false }
  /// The page that the shelf shows, counted from 0.
  package var cover: Int { correction.cover.flatMap { 0..<pages ~= $0 ? $0 : nil } ?? 0 }
  /// When it was put into the bin, in Unix seconds; nil if it is not there.
  package var deleted: Double? { correction.deleted }

  private var takesSpreads: Bool { correction.hasSpreads ?? metadata.hasSpreads ?? true }

  /// The pages on the faces of the book.
  ///
  /// The first page of a document is a page like any other, and so is the only page of a book. The
  /// first page of a comic or a picture book is its cover.
  var imposition: Imposition {
    Imposition(
      pageCount: pages,
      repeatsCover: !file.isImages || pages == 1,
      wide: takesSpreads ? shape.spreads : [],
      isShifted: isShifted,
      isMirrored: direction == .rightToLeft
    )
  }

  /// The size of a face, in the units of the pages: half a page if most pages take a spread.
  var faceSize: Size {
    let isHalf = shape.isLandscape && takesSpreads
    return Size(width: shape.width / (isHalf ? 2 : 1), height: shape.height)
  }

  /// Whether its text flows from page to page, so that it can be laid out in another size.
  package var flows: Bool {
    file.isLaidOut && isReadable && TypeSize.standard.page == (shape.width, shape.height)
  }

  /// Whether it shows the text of another book in large print.
  package var isLargePrint: Bool { file.largePrintOf != nil }

  // MARK: Reading it

  /// The number of pages; 0 if the book cannot be read.
  package var pages: Int { shape.count }
  /// The format, such as `pdf`, `zip` or `folder`.
  package var format: String { file.format }
  /// Whether it can be read.
  package var state: BookState { status.state }
  /// Why it cannot be read.
  package var failure: Notice? { status.failure }
  /// Whether another try, or a password, may succeed with the same file.
  package var mayRetry: Bool { state != .ready && status.mayRetry }
  /// The number of its pages that are indexed for search so far.
  package var searchable: Int { progress.indexed }

  /// Whether it has pages to show.
  var isReadable: Bool { state == .ready && pages > 0 }

  /// The least width and height of the pages of a text document, in points: those of B5 paper.
  private static let textPageMin = 498.0

  /// Whether it is a document of letter-sized pages with text.
  var isTextDocument: Bool {
    status.hasText && !file.isImages && min(shape.width, shape.height) >= Self.textPageMin
  }
}

// MARK: - Its location

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

extension Book {
  /// Where its file is.
  package var source: BookSource {
    guard let location else { return .none }
    return location.isShared ? .store : location.isStored ? .imported : .folder
  }

  /// Whether it is on a shelf: it has a file, and is not in the bin.
  var isOnShelf: Bool { location != nil && deleted == nil }

  /// The id of its collection, which is the first if it is on several shelves; empty if it is on
  /// none.
  package var collection: String { collections.first ?? "" }

  /// The ids of all its collections.
  package var collections: [String] {
    guard let location, isOnShelf else { return [] }
    return ([location] + otherLocations).map { Shelf.publicID($0.shelf) }
  }

  /// The book, as one that cannot be read if its imported file is gone.
  ///
  /// The catalogue still has everything about such a book, so it can be read again once its file
  /// has been imported again. Files in the library's folder are watched, and those of a store are
  /// fetched when they are needed, so neither counts. The cost is a system call for an imported
  /// document.
  func checked(in files: StoredFiles) -> Book {
    guard source == .imported, isReadable, !file.isImages, !files.has(.originals, file.hash) else {
      return self
    }
    var book = self
    (book.status.state, book.status.failure) = (.failed, Notice(.importGone))
    book.status.mayRetry = false
    return book
  }
}
