/// How a member's window shows the pages of the flat book.
public struct Fit: Equatable, Sendable {
  /// What fills the window; raw values are the bytes of the wire.
  public enum Span: UInt8, Equatable, Sendable, CaseIterable {
    /// The whole book, or the whole page where the window shows one.
    case whole = 0
    /// The width of both pages.
    case spread = 1
    /// The width of one page.
    case page = 2
    /// The width of the words of one page.
    case words = 3
    /// Half the height of one page, but at most its width.
    case half = 4
  }

  /// The box of the words on each page of a book, as fractions of the page from its upper left
  /// corner.
  public struct Words: Equatable, Sendable {
    /// The horizontal extent.
    public let left, right: Double
    /// The vertical extent.
    public let top, bottom: Double

    /// The whole page.
    public static let page = Words(left: 0, top: 0, right: 1, bottom: 1)

    /// The least width and height.
    private static let sizeMin = 0.2

    /// Creates a box.
    ///
    /// Sides outside of the page, or too close to each other to be those of a text, are replaced by
    /// the page's.
    public init(left: Double, top: Double, right: Double, bottom: Double) {
      let isWide = left >= 0 && right <= 1 && right - left >= Self.sizeMin
      let isHigh = top >= 0 && bottom <= 1 && bottom - top >= Self.sizeMin
      (self.left, self.right) = isWide ? (left, right) : (0, 1)
      (self.top, self.bottom) = isHigh ? (top, bottom) : (0, 1)
    }
  }

  /// What fills the window.
  public var span: Span
  /// The words, which only ``Span/words`` uses.
  public var words: Words

  /// Creates a fit.
  public init(_ span: Span, words: Words = .page) {
    self.span = span
    self.words = words
  }

  /// The whole book.
  public static let whole = Fit(.whole)
}
