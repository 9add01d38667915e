/// The rules of released scrolls: where they stop, and how far they stretch beyond their edges.
public enum Scrolling {
  /// The factor by which the velocity of a scroll shrinks in a millisecond.
  public static let normalRate = 0.998
  /// The same factor for scrolls that stop at items.
  public static let fastRate = 0.99

  /// A finger slower than this, per millisecond, counts as still when it is lifted.
  static let deadZone = 0.05
  /// A position this far past an item still counts as at it.
  static let slack = 1e-9
  /// The share of a pull beyond the edge that the content follows initially.
  static let give = 0.55

  /// Returns how far a scroll released with a velocity still travels.
  public static func project(velocityPerSecond: Double, rate: Double = normalRate) -> Double {
    velocityPerSecond / 1000 * rate / (1 - rate)
  }

  /// Returns how far content moves when pulled `x` beyond its edge; always less than `dimension`.
  public static func rubberBand(_ x: Double, dimension: Double) -> Double {
    give * x * dimension / (dimension + give * abs(x))
  }

  /// Returns how far content was pulled if it has moved by `b`.
  public static func rubberBandInverse(_ b: Double, dimension: Double) -> Double {
    // Values that cannot be reached have no inverse.
    let room = max(dimension - abs(b), dimension * 1e-9)
    return b * dimension / (give * room)
  }

  /// Returns the item at which a scroll stops: the nearest, or with some speed the next in its
  /// direction.
  public static func snappedIndex(
    proposed: Double,
    velocityPerMillisecond: Double,
    count: Int
  ) -> Int {
    index(towards: proposed, velocityPerMillisecond, in: 0...max(0, count - 1))
  }

  /// Returns the page at which a paged scroll stops: at most one from where it started.
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
    // Compared as Double, because not every Double fits into an Int.
    if whole >= Double(range.upperBound) { return range.upperBound }
    return whole > Double(range.lowerBound) ? Int(whole) : range.lowerBound
  }
}
