/// The rules for scrolls after a release: where they stop, and how far they stretch beyond their
/// edges.
public enum Scrolling {
  /// The factor by which the velocity of a scroll shrinks in a millisecond.
  public static let normalRate = 0.998
  /// The same factor for scrolls that stop at items.
  public static let fastRate = 0.99

  /// The speed per millisecond below which a finger counts as still when it is lifted.
  static let deadZone = 0.05
  /// The distance past an item at which a position still counts as at the item.
  static let slack = 1e-9
  /// The fraction of a pull beyond the edge that the content follows initially.
  static let give = 0.55

  /// Returns how far a scroll still travels after a release with a velocity.
  public static func project(velocityPerSecond: Double, rate: Double = normalRate) -> Double {
    velocityPerSecond / 1000 * rate / (1 - rate)
  }

  /// Returns how far content moves when it is pulled `x` beyond its edge; always less than
  /// `dimension`.
  public static func rubberBand(_ x: Double, dimension: Double) -> Double {
    give * x * dimension / (dimension + give * abs(x))
  }

  /// Returns how far content was pulled if it has moved by `b`.
  public static func rubberBandInverse(_ b: Double, dimension: Double) -> Double {
    // Values that the band cannot reach have no inverse.
    let room = max(dimension - abs(b), dimension * 1e-9)
    return b * dimension / (give * room)
  }

  /// Returns the item at which a scroll stops: the nearest one or, above a minimum speed, the next
  /// one in its direction.
  public static func snappedIndex(
    proposed: Double,
    velocityPerMillisecond: Double,
    count: Int
  ) -> Int { index(towards: proposed, velocityPerMillisecond, in: 0...max(0, count - 1)) }

  /// Returns the page at which a paged scroll stops, which is at most one from where it started.
  public static func pagedTarget(
    offset: Double,
    start: Int,
    velocityPerMillisecond: Double,
    maximum: Int
  ) -> Int {
    let near = index(towards: offset, velocityPerMillisecond, in: (start - 1)...(start + 1))
    return min(max(near, 0), max(maximum, 0))
  }

  private static func index(
    towards proposed: Double,
    _ velocity: Double,
    in range: ClosedRange<Int>
  ) -> Int {
    let whole =
      if abs(velocity) < deadZone {
        (proposed + 0.5).rounded(.down)
      } else if velocity > 0 {
        (proposed - slack).rounded(.up)
      } else {
        (proposed + slack).rounded(.down)
      }
    // The values are compared as Double, because not every Double fits into an Int.
    if whole >= Double(range.upperBound) { return range.upperBound }
    return whole > Double(range.lowerBound) ? Int(whole) : range.lowerBound
  }
}
