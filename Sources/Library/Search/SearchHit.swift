public import PressProtocol
internal import Scene

/// A page on which something was found.
public struct SearchHit: Equatable, Sendable {
  /// The book's id.
  public var book: String
  /// The book's title.
  public var title: String
  /// The page, from 0.
  public var page: Int
  /// What the page is called.
  public var label: String
  /// The words around the first place, cut into what was found and what was not.
  public var snippet: [SnippetPart]
  /// Where it stands on the page.
  public var boxes: [Box]
}

/// A piece of a text around something found.
public struct SnippetPart: Equatable, Sendable {
  /// The text; spaces stand for line ends.
  public var text: String
  /// Whether this is what was looked for.
  public var isMatch: Bool
}

/// The page of a book as text.
public struct PageText: Equatable, Sendable {
  /// The page, from 0.
  public var page: Int
  /// What the page is called.
  public var label: String
  /// The text, the words in it with their places, and the links.
  public var content: PageContent
}

/// Whether a book has words that can be found.
public enum KnownWords: String, Equatable, Sendable {
  /// All that it has.
  case all
  /// Not all of its pages have been read yet.
  case some
  /// It has none: its pages are pictures.
  case pictures = "none"
}

/// The pages of a book as it is bound.
public struct BookPages: Equatable, Sendable {
  /// What each page is called, in order.
  public var labels: [String]
  /// The pages that each spread shows, from 0.
  public var spreads: [[Int]]

  init(_ book: CatalogueBook) {
    labels = (0..<book.pageCount).map { book.labels[$0] }
    spreads = book.pageCount == 0 ? [] : (0..<book.spreadCount).map { book.pages(ofSpread: $0) }
  }
}
