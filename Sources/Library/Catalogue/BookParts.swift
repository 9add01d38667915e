internal import Foundation
internal import Notices
internal import PressProtocol
package import Scene

/// The file of a book, or its folder of images.
struct BookFile: Codable, Equatable, Sendable {
  /// The digest that identifies the book; not encoded, because it names the record.
  var hash: [UInt8] = []
  var name = ""
  var byteSize = 0
  /// The format, such as `pdf`, `zip` or `folder`.
  var format = ""
  /// Whether its pages are images from an archive or a folder, not pages of a document.
  var isImages = false
  /// The password of a document; empty if it has none or it is unknown.
  var password = ""

  /// The digest of the book whose text it shows in large print, in hexadecimal; nil for others.
  var largePrintOf: String?

  /// Whether its pages were laid out; they are in a PDF, which is the asset of each page.
  var isLaidOut: Bool { Self.laidOut.contains(format) && !isImages }

  /// Whether its pages have files of their own, so that they are not drawn from the book's file.
  var hasOwnPages: Bool { isImages || isLaidOut }

  /// Whether the files of its pages are in the data folder, where they outlast the book's file.
  var hasStoredPages: Bool { hasOwnPages && format != "folder" }

  private static let laidOut: Set = ["epub", "text", "mobi", "fictionBook"]

  private enum CodingKeys: CodingKey {
    case name, byteSize, format, isImages, password, largePrintOf
  }
}

/// The metadata in the file of a book, and in one that describes it.
struct BookMetadata: Codable, Equatable, Sendable {
  var title = ""
  var author = ""
  var language = ""
  var direction: Progression?
  var stock: PaperStock?
  /// Whether wide pages take whole spreads; nil if it does not say so.
  var hasSpreads: Bool?
  /// Whether the pages begin on the other side than they would; nil if it does not say so.
  var isShifted: Bool?
  /// The series that the book belongs to; nil if it does not say so.
  var series: Series?

  /// Takes over what a document says about a book.
  mutating func describe(_ facts: DocumentFacts) {
    let title = Self.trimmed(facts.title)
    if Titles.isMeaningful(title) { self.title = title }
    if !facts.author.isEmpty { author = Self.trimmed(facts.author) }
    if !facts.language.isEmpty { language = facts.language }
    if let direction = facts.direction {
      self.direction = direction == .rightToLeft ? .rightToLeft : .leftToRight
    }
    hasSpreads = facts.hasSpreads ?? hasSpreads
    isShifted = facts.isShifted ?? isShifted
    series = facts.series ?? series
  }

  private static func trimmed(_ text: String) -> String {
    TextLimits.cut(text, to: TextLimits.title).trimmingCharacters(in: .whitespacesAndNewlines)
  }
}

/// The number, the sizes and the labels of a book's pages, and the colours of its spine.
struct BookShape: Codable, Equatable, Sendable {
  /// The number of pages; not encoded, because the pages are.
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
  private var cloth: Colour?
  private var lettering: Colour?
  /// A number that changes with the book's pages.
  var revision = 1

  private enum CodingKeys: CodingKey {
    case width, height, blank, wide, labels, cloth, lettering, revision
  }

  /// The colours of the spine; nil to derive them from the title.
  var colours: SpineColours? {
    get {
      guard let cloth, let lettering else { return nil }
      return SpineColours(cloth: cloth, lettering: lettering)
    }
    set { (cloth, lettering) = (newValue?.cloth, newValue?.lettering) }
  }

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

/// The state of a book.
package enum BookState: String, Codable, Equatable, Sendable {
  /// It can be read.
  case ready
  /// It needs its password.
  case locked
  /// Its file could not be read; ``Book/failure`` says why.
  case failed
}

/// Whether a book can be read and searched.
struct BookStatus: Codable, Equatable, Sendable {
  var state = BookState.ready
  /// Why it cannot be read.
  var failure: Notice?
  /// Whether another try may succeed in reading a failed book.
  var mayRetry = true
  /// Whether its pages contain text.
  var hasText = false
  /// Whether all text was known when the book was read from the catalogue.
  var isIndexed = false
}

/// The progress of the background work on a book on this machine.
struct BookProgress: Equatable, Sendable {
  /// The number of pages whose text is indexed.
  var indexed = 0
  /// The number of pages that have a small picture.
  var thumbed = 0
}

/// What readers have changed; nil for a value that is not corrected.
///
/// As a request of a reader, nil changes nothing, and an empty title or author removes the
/// correction.
package struct Correction: Codable, Equatable, Sendable {
  /// The title.
  package var title: String?
  /// The author.
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
  /// When the book was put into the bin, in Unix seconds; nil if it is not there.
  var deleted: Double?

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
    (self.title, self.author, self.direction, self.stock) = (title, author, direction, stock)
    (self.cover, self.hasSpreads, self.isShifted) = (cover, hasSpreads, isShifted)
  }

  /// Combines changes on two sides: a field that this side changed since a common base holds, all
  /// others come from the other side.
  func merged(base: Self, other: Self) -> Self {
    var merged = other
    func pick<T: Equatable>(_ field: WritableKeyPath<Self, T?>) {
      let own = self[keyPath: field]
      if own != base[keyPath: field] { merged[keyPath: field] = own }
    }
    pick(\.title)
    pick(\.author)
    pick(\.direction)
    pick(\.stock)
    pick(\.cover)
    pick(\.hasSpreads)
    pick(\.isShifted)
    pick(\.deleted)
    return merged
  }

  /// Takes over a reader's request; the bin has its own.
  mutating func apply(_ edit: Correction) {
    if let title = edit.title { self.title = Self.trimmed(title) }
    if let author = edit.author { self.author = Self.trimmed(author) }
    direction = edit.direction ?? direction
    stock = edit.stock ?? stock
    cover = edit.cover ?? cover
    hasSpreads = edit.hasSpreads ?? hasSpreads
    isShifted = edit.isShifted ?? isShifted
  }

  private static func trimmed(_ text: String) -> String? {
    let words = text.split { $0.isWhitespace || $0.isNewline }.joined(separator: " ")
    return words.isEmpty ? nil : words
  }
}

/// The location of a book's file.
struct FileLocation: Equatable, Sendable {
  /// An absolute path, or for a stored copy a path in the data folder.
  var path: String
  var book: Int
  /// The key of the shelf; see ``Shelf``.
  var shelf: String
  var isStored: Bool
  /// A number that changes when the file does.
  var stamp: Int

  /// Whether the file is still the one that was catalogued; stored copies never change.
  var isUnchanged: Bool { isStored || Sidecar.stamp(of: path) == stamp }
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
  /// The format of the image, in which browsers that show it receive its file as it is; `nil` for
  /// pages of documents, for those with a fault, and for an image that a press must turn.
  var format: String?
  /// The reason that the image cannot be shown; such a page has no image.
  var fault: Notice?
}
