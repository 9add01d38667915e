/// Where a reader left a book; nothing else records it.
///
/// The owner of a room writes the bookmarks of the reader to whom the room belongs.
public struct Bookmark: Equatable, Hashable, Sendable {
  /// The book's id.
  public var book: String
  /// The spread that was open, counted from 0.
  public let spread: Int
  /// Whether the book lay flat.
  public var isFlat: Bool
  /// When the reader left it, in Unix seconds; 0 if it is not stored yet.
  public var time: Double

  /// No book has more spreads, but what others stored may contain any number.
  private static let spreadMax = 1_000_000
  /// A time of any clock is earlier.
  private static let timeMax = 1e13

  /// Creates a bookmark; a spread that no book has becomes the nearest one, and so does a time.
  public init(book: String, spread: Int, isFlat: Bool = false, time: Double = 0) {
    (self.book, self.isFlat) = (book, isFlat)
    self.spread = min(max(0, spread), Self.spreadMax)
    // A time that is no number is the earliest one.
    self.time = time > 0 ? min(time, Self.timeMax) : 0
  }

  /// Whether another bookmark is at the same spread of the same book, in the same pose.
  public func isSame(as other: Bookmark) -> Bool {
    book == other.book && spread == other.spread && isFlat == other.isFlat
  }
}

extension Bookmark: Codable {
  /// Reads a bookmark; one of an earlier version has no time.
  public init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      book: try fields.decode(String.self, forKey: .book),
      spread: try fields.decode(Int.self, forKey: .spread),
      isFlat: try fields.decode(Bool.self, forKey: .isFlat),
      time: try fields.decodeIfPresent(Double.self, forKey: .time) ?? 0
    )
  }
}
