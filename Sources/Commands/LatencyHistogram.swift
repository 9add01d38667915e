internal import Foundation

/// Latencies in buckets that grow by a tenth, from a microsecond to some seconds.
struct LatencyHistogram {
  private static let smallest = 1e-6
  private static let growth = 1.1
  private var buckets = [UInt64](repeating: 0, count: 170)

  /// How many were added.
  private(set) var count: UInt64 = 0

  /// Adds one, in seconds.
  mutating func add(_ seconds: Double) {
    // What is no number counts as nothing: not larger than the smallest.
    let steps = seconds > Self.smallest ? log(seconds / Self.smallest) / log(Self.growth) : 0
    buckets[Int(min(steps, Double(buckets.count - 1)))] += 1
    count += 1
  }

  /// The latency that a fraction of all stays under, in seconds, at most a tenth too high.
  ///
  /// 0 without any.
  func quantile(_ fraction: Double) -> Double {
    guard count > 0 else { return 0 }
    let rank = (fraction * Double(count)).rounded(.up)
    var seen: UInt64 = 0
    for (index, bucket) in buckets.enumerated() {
      seen += bucket
      if Double(seen) >= rank { return Self.smallest * pow(Self.growth, Double(index + 1)) }
    }
    return Self.smallest * pow(Self.growth, Double(buckets.count))
  }
}
