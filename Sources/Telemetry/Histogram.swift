internal import Synchronization

/// The distribution of values over buckets with fixed bounds.
///
/// Any thread can update and read it. An update is a search of the bounds and two atomic additions,
/// and allocates nothing. A reader may see a value in its bucket before it sees it in the sum.
package final class Histogram: Sendable {
  /// The upper bounds of the buckets, ascending; one more bucket follows the last bound.
  package let bounds: [Double]
  private let buckets: [Counter]
  private let sumBits = Atomic<UInt64>(0)

  /// Creates a histogram without values.
  /// - Precondition: The bounds are finite and ascending.
  init(bounds: [Double]) {
    precondition(zip(bounds, bounds.dropFirst()).allSatisfy(<), "The bounds must be ascending")
    precondition(bounds.allSatisfy(\.isFinite) && !bounds.isEmpty, "The bounds must be finite")
    self.bounds = bounds
    buckets = (0...bounds.count).map { _ in Counter() }
  }

  /// Adds a value.
  ///
  /// A value that is not finite counts as above all bounds and does not change the sum.
  package func observe(_ value: Double) {
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

  /// The number of values.
  package var count: UInt64 { buckets.reduce(0) { $0 + $1.value } }

  /// The sum of the finite values.
  package var sum: Double { Double(bitPattern: sumBits.load(ordering: .relaxed)) }

  /// The number of values in each bucket; the last bucket is above all bounds.
  var counts: [UInt64] { buckets.map(\.value) }

  /// Returns a quantile, assuming that values are spread evenly over their bucket; 0 if there are
  /// no values, and the last bound for values above it.
  package func quantile(_ fraction: Double) -> Double {
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
