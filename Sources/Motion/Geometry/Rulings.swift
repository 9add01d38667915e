/// The straight lines about which a leaf bends.
///
/// They are parallel to the spine, or they meet in a point on the line of the spine, the apex: the
/// leaf is then part of a cone, and the corner next to the apex leads or lags.
public struct Rulings: Equatable, Sendable {
  /// The least distance of the apex from the middle of the page: 0.25 page heights beyond its edge.
  private static let distanceMin = 0.75
  /// The greatest distance; rulings that meet farther away are parallel.
  private static let distanceMax = 1e3

  /// The apex: how far below the middle of the spine it lies, in page heights, negative above it;
  /// nil for parallel rulings.
  public let apex: Double?

  /// Rulings that are parallel to the spine.
  public static let parallel = Rulings(apex: nil)

  /// Creates rulings.
  /// - Parameter apex: The distance of the apex below the middle of the spine, in page heights. An
  ///   amount below 0.75 counts as 0.75; nil and amounts above 1000 give parallel rulings.
  public init(apex: Double?) {
    guard let apex, abs(apex) <= Self.distanceMax else {
      self.apex = nil
      return
    }
    self.apex = apex < 0 ? min(apex, -Self.distanceMin) : max(apex, Self.distanceMin)
  }

  /// Returns where the ruling through a point crosses the edge that is far from the apex.
  /// - Parameters:
  ///   - arc: The point's distance from the spine, as a fraction of the leaf's width.
  ///   - height: Its distance below the middle, in page heights.
  /// - Returns: The position, as a fraction of the leaf's width, at most 1.
  public func position(arc: Double, height: Double) -> Double {
    guard let apex else { return min(arc, 1) }
    let distance = abs(apex - height)
    return min(arc * (abs(apex) + 0.5) / distance, 1)
  }
}
