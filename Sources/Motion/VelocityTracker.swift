/// Estimates the velocity of a finger from its last samples.
public struct VelocityTracker: Equatable, Sendable {
  /// Older samples say nothing about the present velocity; seconds.
  private static let window = 0.1
  private static let capacity = 32

  // SIMD vectors instead of arrays, because every gesture has a tracker, which must not allocate.
  private var values = SIMD32<Double>()
  private var times = SIMD32<Double>()
  private var count = 0
  private var newest = -1

  /// Creates a tracker without samples.
  public init() {}

  /// Adds a sample; a second one at the same time replaces the first.
  public mutating func add(_ value: Double, at t: Double) {
    guard value.isFinite, t.isFinite else { return }
    if count == 0 || times[newest] != t {
      newest = (newest + 1) % Self.capacity
      count = min(count + 1, Self.capacity)
    }
    values[newest] = value
    times[newest] = t
  }

  /// Returns the slope of the least-squares line through the samples of the last 100 ms, within
  /// ±`limit`.
  ///
  /// Fewer than three samples mean no movement: the finger rested before it was lifted.
  public func slope(at t: Double, limit: Double) -> Double {
    var used = 0.0
    var (time, value) = (0.0, 0.0)
    for index in 0..<count where t - times[index] <= Self.window {
      used += 1
      time += times[index]
      value += values[index]
    }
    guard used >= 3 else { return 0 }
    time /= used
    value /= used
    var (products, squares) = (0.0, 0.0)
    for index in 0..<count where t - times[index] <= Self.window {
      products += (times[index] - time) * (values[index] - value)
      squares += (times[index] - time) * (times[index] - time)
    }
    guard squares > 0 else { return 0 }
    return min(max(products / squares, -limit), limit)
  }
}
