public import PressProtocol
internal import Scene

/// A page with matches.
public struct SearchHit: Equatable, Sendable {
  /// The book's id.
  public var book: String
  /// The book's title.
  public var title: String
  /// The page, counted from 0.
  public var page: Int
  /// The label of the page.
  public var label: String
  /// The text around the first match, split into matches and other text.
  public var snippet: [SnippetPart]
  /// The boxes of the matches on the page.
  public var boxes: [Box]
}

/// A part of a snippet.
public struct SnippetPart: Equatable, Sendable {
  /// The text; spaces stand for line ends.
  public var text: String
  /// Whether this part is a match.
  public var isMatch: Bool
}

/// The text of a page of a book.
public struct PageText: Equatable, Sendable {
  /// The page, counted from 0.
  public var page: Int
  /// The label of the page.
  public var label: String
  /// The text, its words with their boxes, and its links.
  public var content: PageContent
}

/// Whether the text of a book can be searched.
public enum KnownWords: String, Equatable, Sendable {
  /// Its whole text.
  case all
  /// Some pages are not indexed yet.
  case some
  /// The book has no text: its pages are pictures.
  case pictures = "none"
}

/// The pages of a book in its binding.
public struct BookPages: Equatable, Sendable {
  /// The labels of all pages, in order.
  public var labels: [String]
  /// The pages of each spread, counted from 0.
  public var spreads: [[Int]]

  init(_ book: CatalogueBook) {
    labels = (0..<book.pageCount).map { book.labels[$0] }
    spreads = book.pageCount == 0 ? [] : (0..<book.spreadCount).map { book.pages(ofSpread: $0) }
  }
}
