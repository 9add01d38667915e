/// The part of an element that a placement shows; raw values are the bytes of the wire.
///
/// The matrix of a part applies to the whole element, of which only the part is drawn. A client
/// that ignores the regions of parts and draws the whole element shows the same picture, except
/// where a leaf bends.
public struct ElementPart: RawRepresentable, Hashable, Sendable {
  /// The byte of the wire.
  public var rawValue: UInt8

  /// Creates a part from its byte.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// The whole element.
  public static let whole = ElementPart(rawValue: 0)
  /// The outer ``edgeFraction`` of a page; another page covers the rest.
  public static let edge = ElementPart(rawValue: 1)
  /// The shadow that a turning leaf casts on the element, dark at the spine and ending at the outer
  /// edge; its opacity is its strength.
  public static let shadow = ElementPart(rawValue: 2)

  /// The width of an edge as a fraction of its page.
  public static let edgeFraction = 0.16
  /// The number of strips of a bent leaf, all of the same width.
  public static let stripCount = 10
  private static let firstStrip: UInt8 = 16

  /// Returns a strip of a page.
  /// - Parameter index: The index from the spine, which is limited to 0..<``stripCount``.
  /// - Returns: The part.
  public static func strip(_ index: Int) -> ElementPart {
    ElementPart(rawValue: firstStrip + UInt8(clamping: min(max(index, 0), stripCount - 1)))
  }

  /// The index of a strip from the spine; nil for other parts.
  public var stripIndex: Int? {
    let index = Int(rawValue) - Int(Self.firstStrip)
    return (0..<Self.stripCount).contains(index) ? index : nil
  }
}
