/// Where scrolls go when they are let go, and how far they give beyond their edges.
public enum Scrolling {
  /// What is left of a scroll's velocity after a millisecond.
  public static let normalRate = 0.998
  /// The same for scrolls that stop upon items.
  public static let fastRate = 0.99

  /// Below this speed, per millisecond, a finger counts as still when it lets go.
  static let deadZone = 0.05
  /// So much past an item is still upon it.
  static let slack = 1e-9
  /// How much of a pull beyond the edge the content follows at first.
  static let give = 0.55

  /// How far a scroll let go at a velocity still travels.
  public static func project(velocityPerSecond: Double, rate: Double = normalRate) -> Double {
    velocityPerSecond / 1000 * rate / (1 - rate)
  }

  /// How far content moves when pulled `x` beyond its edge; it never reaches `dimension`.
  public static func rubberBand(_ x: Double, dimension: Double) -> Double {
    give * x * dimension / (dimension + give * abs(x))
  }

  /// How far content was pulled to have moved by `b`.
  public static func rubberBandInverse(_ b: Double, dimension: Double) -> Double {
    // What was never reached is not inverted either.
    let room = max(dimension - abs(b), dimension * 1e-9)
    return b * dimension / (give * room)
  }

  /// The item a scroll stops upon: the nearest, or with some speed the next in its direction.
  public static func snappedIndex(
    proposed: Double,
    velocityPerMillisecond: Double,
    count: Int
  ) -> Int {
    index(towards: proposed, velocityPerMillisecond, in: 0...max(0, count - 1))
  }

  /// The page a paged scroll stops upon: at most one from where it started.
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
    // Compared as Double: not every Double has an Int.
    if whole >= Double(range.upperBound) { return range.upperBound }
    return whole > Double(range.lowerBound) ? Int(whole) : range.lowerBound
  }
}
