package import PressProtocol

/// A page with matches.
package struct SearchHit: Equatable, Sendable {
  /// The book's id.
  package var book: String
  /// The book's title.
  package var title: String
  /// The page, counted from 0.
  package var page: Int
  /// The label of the page.
  package var label: String
  /// The text around the first match, split into matches and other text.
  package var snippet: [SnippetPart]
  /// The boxes of the matches on the page.
  package var boxes: [Box]
}

/// A part of a snippet.
package struct SnippetPart: Equatable, Sendable {
  /// The text; spaces stand for line ends.
  package var text: String
  /// Whether this part is a match.
  package var isMatch: Bool
}

/// The text of a page of a book.
package struct PageText: Equatable, Sendable {
  /// The page, counted from 0.
  package var page: Int
  /// The label of the page.
  package var label: String
  /// The text, its words with their boxes, and its links.
  package var content: PageContent
}

/// Whether the text of a book can be searched.
package enum KnownWords: String, Equatable, Sendable {
  /// Its whole text.
  case all
  /// Some pages are not indexed yet.
  case some
  /// The book has no text: its pages are pictures.
  case pictures = "none"
}
