/// The spread and the pose in which a reader left a book.
package struct BookPlace: Equatable, Hashable, Codable, Sendable {
  /// The book's id.
  package var book: String
  /// The spread that was open, counted from 0.
  package var spread: Int
  /// Whether the book lay flat.
  package var isFlat: Bool

  /// Creates a place.
  package init(book: String, spread: Int, isFlat: Bool = false) {
    self.book = book
    self.spread = spread
    self.isFlat = isFlat
  }
}
