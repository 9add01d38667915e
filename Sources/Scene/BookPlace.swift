/// The spread and the pose in which a reader left a book.
public struct BookPlace: Equatable, Hashable, Codable, Sendable {
  /// The book's id.
  public var book: String
  /// The spread that was open, counted from 0.
  public var spread: Int
  /// Whether the book lay flat.
  public var isFlat: Bool

  /// Creates a place.
  public init(book: String, spread: Int, isFlat: Bool = false) {
    self.book = book
    self.spread = spread
    self.isFlat = isFlat
  }
}
