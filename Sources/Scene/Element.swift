public import Motion

/// The side at which an element is attached, where its transform-origin is; raw values are the
/// bytes of the wire.
public enum ElementSide: UInt8, Equatable, Sendable, CaseIterable {
  /// Attached at its own centre, which is at the centre of the stage: covers and collections.
  case centre = 0
  /// Attached as a right-hand page: left edge on the spine, origin 0 50 %.
  case right = 1
  /// Attached as a left-hand page: right edge on the spine, origin 100 % 50 %.
  case left = 2
  /// Attached at its own centre, with the spine at its right edge: covers of books that are read
  /// from right to left.
  case centreRightBound = 3
}

/// The content of an element, which is introduced once and afterwards referred to by its number.
public struct Element: Equatable, Sendable {
  /// The identity, which determines the number.
  public var key: ElementKey
  /// The index within the kind: of the collection in the list, of the book on its shelf, or of the
  /// face in its book.
  public var index: Int
  /// The size in stage points.
  public var size: Size
  /// The side at which it is attached.
  public var side: ElementSide
  /// The paper stock: that of its book for a page; covers, boards and ledges are rigid.
  public var stock: PaperStock
  /// The radius of the outer corners in stage points; the corners at the spine have a fifth of it.
  public var cornerRadius: Double
  /// The image's address, site-absolute; empty for blank paper.
  public var imageURL: String
  /// The title, plain text; for a page, its label.
  public var title: String
  /// The author of a book, plain text.
  public var author: String
  /// The number of books of a collection; 1 for the second half of a page that takes two faces, and
  /// for the cover of a book in a recording that is not in the library any more.
  public var count: Int

  /// Creates an element.
  public init(
    key: ElementKey,
    index: Int,
    size: Size,
    side: ElementSide,
    stock: PaperStock,
    cornerRadius: Double,
    imageURL: String,
    title: String,
    author: String = "",
    count: Int = 0
  ) {
    (self.key, self.index, self.size, self.side) = (key, index, size, side)
    (self.stock, self.cornerRadius, self.imageURL) = (stock, cornerRadius, imageURL)
    (self.title, self.author, self.count) = (title, author, count)
  }
}
