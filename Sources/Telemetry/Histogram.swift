internal import Synchronization

/// Values in buckets of fixed bounds: how many there were of which size.
///
/// Any thread may observe and any may read. An update is two atomic additions after a search of
/// the bounds, and allocates nothing. A reader may see a value in its bucket before it sees it in
/// the sum.
public final class Histogram: Sendable {
  /// The upper bounds of the buckets, in rising order; above the last there is one more bucket.
  public let bounds: [Double]
  private let buckets: [Counter]
  private let sumBits = Atomic<UInt64>(0)

  /// - Precondition: The bounds rise and are finite.
  init(bounds: [Double]) {
    precondition(zip(bounds, bounds.dropFirst()).allSatisfy(<), "Bounds that do not rise")
    precondition(bounds.allSatisfy(\.isFinite) && !bounds.isEmpty, "Bounds that are not numbers")
    self.bounds = bounds
    buckets = (0...bounds.count).map { _ in Counter() }
  }

  /// Adds a value; one that is not finite counts as above all bounds and adds nothing to the sum.
  public func observe(_ value: Double) {
    var place = 0
    while place < bounds.count, !(value <= bounds[place]) { place += 1 }
    guard value.isFinite else { return buckets[bounds.count].add() }
    buckets[place].add()
    var before = sumBits.load(ordering: .relaxed)
    while true {
      let after = (Double(bitPattern: before) + value).bitPattern
      let (isDone, found) = sumBits.weakCompareExchange(
        expected: before,
        desired: after,
        ordering: .relaxed
      )
      if isDone { return }
      before = found
    }
  }

  /// How many values there were.
  public var count: UInt64 { buckets.reduce(0) { $0 + $1.value } }

  /// The sum of the finite values.
  public var sum: Double { Double(bitPattern: sumBits.load(ordering: .relaxed)) }

  /// How many values are in each bucket; the last is above all bounds.
  var counts: [UInt64] { buckets.map(\.value) }

  /// The value that a fraction of all stays under, as if those of a bucket were spread evenly over
  /// it; 0 without any, and the last bound for what is above.
  public func quantile(_ fraction: Double) -> Double {
    let counts = counts
    let total = counts.reduce(0, +)
    guard total > 0 else { return 0 }
    let rank = min(1, max(0, fraction)) * Double(total)
    var seen = 0.0
    for (place, bound) in bounds.enumerated() {
      let here = Double(counts[place])
      if here > 0, seen + here >= rank {
        let low = place == 0 ? min(0, bound) : bounds[place - 1]
        return low + (bound - low) * max(0, rank - seen) / here
      }
      seen += here
    }
    return bounds[bounds.count - 1]
  }
}
