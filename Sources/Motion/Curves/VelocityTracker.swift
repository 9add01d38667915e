/// An estimate of a finger's velocity from its last samples.
public struct VelocityTracker: Equatable, Sendable {
  /// The maximum age of the samples used, in seconds; older ones say nothing about the present
  /// velocity.
  private static let window = 0.1
  private static let capacity = 32

  // SIMD vectors replace arrays here, because every gesture has a tracker, which must not allocate.
  private var values = SIMD32<Double>()
  private var times = SIMD32<Double>()
  private var count = 0
  private var newest = -1

  /// Creates a tracker without samples.
  public init() {}

  /// Adds a sample; a second sample at the same time replaces the first.
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
  /// With fewer than three samples it returns 0, because the finger rested before it was lifted.
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
