/// The kind of a document, told by its first bytes.
public enum DocumentFormat: UInt8, CaseIterable, Sendable {
  case pdf
  case zip
  case rar
  case sevenZip
  case tar
  case epub
  case image

  /// What people call it.
  public var name: String {
    switch self {
    case .pdf: "PDF"
    case .zip: "ZIP archive"
    case .rar: "RAR archive"
    case .sevenZip: "7z archive"
    case .tar: "tar archive"
    case .epub: "EPUB"
    case .image: "image"
    }
  }
}

/// What a document says about itself.
public struct DocumentFacts: Equatable, Sendable {
  /// The side of the spine that the first pages lie on.
  public enum Direction: UInt8, CaseIterable, Sendable {
    case leftToRight
    case rightToLeft
  }

  /// The kind of the document.
  public var format: DocumentFormat
  /// The title; empty if there is none.
  public var title: String
  /// The author or authors; empty if there are none.
  public var author: String
  /// A language tag such as `ja`; empty if there is none.
  public var language: String
  /// The direction in which pages follow each other, if the document says.
  public var direction: Direction?
  /// The pages in order; empty for an archive, until it has been extracted.
  public var pages: [PageFacts]
  /// Whether the pages are images that must be taken out by ``PressRequest/extract``.
  public var needsExtraction: Bool

  /// Creates the facts; what is not known stays empty.
  public init(
    format: DocumentFormat,
    title: String = "",
    author: String = "",
    language: String = "",
    direction: Direction? = nil,
    pages: [PageFacts] = [],
    needsExtraction: Bool = false
  ) {
    self.format = format
    self.title = title
    self.author = author
    self.language = language
    self.direction = direction
    self.pages = pages
    self.needsExtraction = needsExtraction
  }
}

/// The size and the printed number of a page.
public struct PageFacts: Equatable, Sendable {
  /// The width as shown, after any rotation: points of a PDF, pixels of an image; above 0.
  public var width: Double
  /// The height as shown, in the same unit; above 0.
  public var height: Double
  /// The printed number, such as `iv`; empty if the page is simply numbered.
  public var label: String

  /// Creates the facts of a page.
  public init(width: Double, height: Double, label: String = "") {
    self.width = width
    self.height = height
    self.label = label
  }
}

/// A line of a table of contents.
public struct OutlineEntry: Equatable, Sendable {
  /// How deep the entry lies, from 0.
  public var depth: Int
  /// The text of the entry.
  public var title: String
  /// The page it leads to, from 0; `nil` if it leads nowhere in the document.
  public var page: Int?

  /// Creates an entry.
  public init(depth: Int, title: String, page: Int?) {
    self.depth = depth
    self.title = title
    self.page = page
  }
}
