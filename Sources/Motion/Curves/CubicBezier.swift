/// A timing curve from (0, 0) to (1, 1) with two control points, as in CSS and UIKit.
public struct CubicBezier: Equatable, Sendable {
  private let x: Cubic
  private let y: Cubic

  /// Creates a curve; the x of each control point must be in 0...1.
  public init(_ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double) {
    x = Cubic(x1, x2)
    y = Cubic(y1, y2)
  }

  /// The default curve of UIKit, slow at both ends.
  public static let easeInOut = CubicBezier(0.42, 0, 0.58, 1)
  /// A straight line, without easing.
  public static let linear = CubicBezier(0, 0, 1, 1)

  /// Returns the height of the curve at `progress`; 0 before the curve and 1 after it.
  public func callAsFunction(_ progress: Double) -> Double {
    if progress <= 0 { return 0 }
    if progress >= 1 { return 1 }
    if x == y { return progress }
    return y.value(at: parameter(at: progress))
  }

  /// Returns the slope dy/dx at `progress`, one-sided at the ends and 0 outside.
  public func slope(at progress: Double) -> Double {
    guard progress >= 0, progress <= 1 else { return 0 }
    if x == y { return 1 }
    let t = progress == 0 ? 0 : progress == 1 ? 1 : parameter(at: progress)
    if abs(x.slope(at: t)) > 1e-9 { return y.slope(at: t) / x.slope(at: t) }
    // If a control point equals its end point, both slopes vanish, and their ratio is that of the
    // curvatures.
    return y.curvature(at: t) / x.curvature(at: t)
  }

  /// Returns the parameter at which x equals `progress`.
  private func parameter(at progress: Double) -> Double {
    var t = progress
    for _ in 0..<12 {
      let error = x.value(at: t) - progress
      let slope = x.slope(at: t)
      if abs(error) < 1e-15 || abs(slope) < 1e-9 { break }
      t -= error / slope
    }
    if t >= 0, t <= 1, abs(x.value(at: t) - progress) <= 1e-12 { return t }
    // Newton's method can leave the range on steep curves; bisection cannot.
    var (low, high) = (0.0, 1.0)
    for _ in 0..<80 {
      let middle = (low + high) / 2
      if x.value(at: middle) < progress { low = middle } else { high = middle }
    }
    return (low + high) / 2
  }
}

/// One axis of the curve, as a polynomial without a constant term.
private struct Cubic: Equatable, Sendable {
  let a, b, c: Double

  init(_ p1: Double, _ p2: Double) {
    c = 3 * p1
    b = 3 * (p2 - p1) - c
    a = 1 - c - b
  }

  func value(at t: Double) -> Double { ((a * t + b) * t + c) * t }
  func slope(at t: Double) -> Double { (3 * a * t + 2 * b) * t + c }
  func curvature(at t: Double) -> Double { 6 * a * t + 2 * b }
}
