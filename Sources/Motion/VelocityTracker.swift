/// How fast a finger moves, from its last samples.
public struct VelocityTracker: Equatable, Sendable {
  /// Samples older than this say nothing about the finger's speed now.
  private static let window = 0.1
  private static let capacity = 32

  // Vectors rather than arrays: a tracker lives in every gesture and must not allocate.
  private var values = SIMD32<Double>()
  private var times = SIMD32<Double>()
  private var count = 0
  private var newest = -1

  /// Creates a tracker without samples.
  public init() {}

  /// Takes in a sample; a second one of the same time replaces the first.
  public mutating func add(_ value: Double, at t: Double) {
    guard value.isFinite, t.isFinite else { return }
    if count == 0 || times[newest] != t {
      newest = (newest + 1) % Self.capacity
      count = min(count + 1, Self.capacity)
    }
    values[newest] = value
    times[newest] = t
  }

  /// The slope of the line nearest to the samples of the last 100 ms, within ±`limit`.
  ///
  /// Fewer than three samples are no movement: the finger rested before it was lifted.
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
