public import PressProtocol

/// A page on which something was found.
public struct SearchHit: Equatable, Sendable {
  /// The book's id.
  public var book: String
  /// The book's title.
  public var title: String
  /// The page, from 0.
  public var page: Int
  /// The printed number of the page; empty if it is simply numbered.
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
  /// The printed number of the page; empty if it is simply numbered.
  public var label: String
  /// The text, the words in it with their places, and the links.
  public var content: PageContent
}
