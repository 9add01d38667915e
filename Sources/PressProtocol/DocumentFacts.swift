/// The kind of a document, detected from its first bytes.
package enum DocumentFormat: UInt8, CaseIterable, Sendable {
  case pdf
  case zip
  case rar
  case sevenZip
  case tar
  case epub
  case image
  case djvu
  case text
  /// Mobipocket and Kindle: MOBI, AZW and AZW3.
  case mobi
  /// FictionBook, version 2.
  case fictionBook
}

/// The facts that a document states about itself.
package struct DocumentFacts: Equatable, Sendable {
  /// The reading direction of the pages.
  package enum Direction: UInt8, CaseIterable, Sendable {
    case leftToRight
    case rightToLeft
  }

  /// The kind of the document.
  package var format: DocumentFormat
  /// The title; empty if there is none.
  package var title: String
  /// The author or authors; empty if there are none.
  package var author: String
  /// A language tag such as `ja`; empty if there is none.
  package var language: String
  /// The direction of the pages, if the document states it.
  package var direction: Direction?
  /// Whether wide pages take whole spreads, if the document states it.
  package var hasSpreads: Bool?
  /// Whether the pages begin on the other side than they would, if the document states it.
  package var isShifted: Bool?
  /// The series of books that it belongs to, if the document states it.
  package var series: Series?
  /// The pages in order; empty for an archive, until it has been extracted.
  package var pages: [PageFacts]
  /// Whether the pages are images that ``PressRequest/extract`` must extract.
  package var needsExtraction: Bool
  /// Whether ``PressRequest/extract`` lays the pages out: it sends one asset, a PDF of all pages.
  package var isLaidOut = false
  /// The names of documents in an archive beside its pages, which are not shown; the first
  /// ``besidesMax`` of them.
  package var besides: [String]

  /// The maximum number of names in ``besides``.
  package static let besidesMax = 16

  /// Creates the facts; unknown ones stay empty.
  package init(
    format: DocumentFormat,
    title: String = "",
    author: String = "",
    language: String = "",
    direction: Direction? = nil,
    pages: [PageFacts] = [],
    needsExtraction: Bool = false,
    besides: [String] = []
  ) {
    (self.format, self.title, self.author, self.language) = (format, title, author, language)
    (self.direction, self.pages, self.needsExtraction) = (direction, pages, needsExtraction)
    self.besides = besides
  }
}

/// A series of books, and the place of a book in it.
package struct Series: Codable, Equatable, Sendable {
  /// The name of the series; not empty.
  package var name: String
  /// The volume of the series, which counts its books from 1 again; empty if there is none.
  package var volume: String
  /// The number of the book, such as `4` or `1.5`; empty if there is none.
  package var number: String

  /// Creates the place of a book in a series.
  package init(name: String, volume: String = "", number: String = "") {
    (self.name, self.volume, self.number) = (name, volume, number)
  }
}

/// The size and the label of a page.
package struct PageFacts: Equatable, Sendable {
  /// The width as shown, after any rotation: points of a PDF, pixels of an image; above 0.
  package var width: Double
  /// The height as shown, in the same unit; above 0.
  package var height: Double
  /// The printed number, such as `iv`; empty if the page has only its position.
  package var label: String
  /// Whether the document says that the page takes a whole spread, whatever its size is.
  package var isDouble = false

  /// Creates the facts of a page.
  package init(width: Double, height: Double, label: String = "") {
    (self.width, self.height, self.label) = (width, height, label)
  }
}

/// An entry of a table of contents.
package struct OutlineEntry: Codable, Equatable, Sendable {
  /// The depth of the entry, from 0.
  package var depth: Int
  /// The text of the entry.
  package var title: String
  /// The page of the entry, counted from 0; `nil` if it has no target in the document.
  package var page: Int?

  /// Creates an entry.
  package init(depth: Int, title: String, page: Int?) {
    (self.depth, self.title, self.page) = (depth, title, page)
  }
}
