/// A visible page of a book, or the visible part of one.
public struct VisiblePart: Equatable, Sendable {
  /// What is drawn of a page.
  public enum Part: Equatable, Sendable {
    /// The whole page.
    case whole
    /// The outer edge of the page, of one of the ``BookLayout/edgeFractions``; the rest is covered.
    case edge(Int)
    /// A strip of a bent leaf, counted from the spine.
    case strip(Int)
    /// The shadow of the turning leaf on the page.
    case shadow
  }

  /// The index of the page; `pageCount` for the blank verso of a book with an odd number of pages.
  public var page: Int
  /// The part that is drawn.
  public var part: Part
  /// The matrix of the page, with its spine edge at the origin.
  public var transform: Transform3D
  /// The strength of the page's own shade: 1 upright, 0 flat.
  public var shade: Double
  /// The opacity: the strength of a shadow, otherwise 1.
  public var opacity: Double
  /// The paint order.
  public var z: Int

  /// Creates a part.
  public init(
    page: Int,
    part: Part = .whole,
    transform: Transform3D,
    shade: Double,
    opacity: Double = 1,
    z: Int
  ) {
    (self.page, self.part, self.transform, self.shade) = (page, part, transform, shade)
    (self.opacity, self.z) = (opacity, z)
  }
}
