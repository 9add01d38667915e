internal import Motion

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
  /// The shadow that a turning leaf casts on the element, dark at the spine and ending at the outer
  /// edge; its opacity is its strength.
  public static let shadow = ElementPart(rawValue: 2)

  private static let edges: [ElementPart] = [1, 3, 4, 5].map(ElementPart.init)

  /// Returns the outer edge of a page; another page covers the rest.
  /// - Parameter index: The index of its width in ``BookLayout/edgeFractions``, which is limited to
  ///   the range.
  /// - Returns: The part.
  public static func edge(_ index: Int) -> ElementPart {
    edges[min(max(index, 0), edges.count - 1)]
  }

  /// The number of strips of a bent leaf.
  public static let stripCount = BookLayout.stripCount
  private static let firstStrip: UInt8 = 16
  /// The distance between the strips of two curls.
  private static let stripsOfCurl: UInt8 = 16

  /// Returns a strip of a page.
  ///
  /// Strip n lies between the rulings that cross the page's edge far from the apex at n/10 and
  /// (n + 1)/10 of its width; the last one ends at the outer edge.
  /// - Parameters:
  ///   - index: The index from the spine, which is limited to 0..<``stripCount``.
  ///   - curl: How the leaf curls.
  /// - Returns: The part.
  public static func strip(_ index: Int, curl: Curl = .even) -> ElementPart {
    let place = UInt8(clamping: min(max(index, 0), stripCount - 1))
    return ElementPart(rawValue: firstStrip + stripsOfCurl * curl.rawValue + place)
  }

  /// The index of a strip from the spine and how its leaf curls; nil for other parts.
  public var strip: (index: Int, curl: Curl)? {
    guard rawValue >= Self.firstStrip else { return nil }
    let place = rawValue - Self.firstStrip
    guard let curl = Curl(rawValue: place / Self.stripsOfCurl) else { return nil }
    let index = Int(place % Self.stripsOfCurl)
    return index < Self.stripCount ? (index, curl) : nil
  }
}
