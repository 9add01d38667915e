import Glibc

/// A damped harmonic oscillator of mass 1, evaluated in closed form.
public struct Spring: Equatable, Sendable {
  /// The undamped angular frequency, in radians per second; positive.
  public var omega: Double
  /// The damping ratio, positive; 1 is critical, and below 1 the motion overshoots.
  public var dampingRatio: Double

  /// Creates a spring from its frequency and damping.
  public init(omega: Double, dampingRatio: Double) {
    (self.omega, self.dampingRatio) = (omega, dampingRatio)
  }

  /// Creates the spring of UIKit's `usingSpringWithDamping:initialSpringVelocity:`.
  ///
  /// UIKit searches for the frequency whose sine term has decayed to a thousandth at `duration`. It
  /// takes exactly twelve Newton steps from 5 / duration and uses the result, so the steps are part
  /// of the definition. For large velocities they do not converge, so create a spring with the
  /// velocity of a design, not with that of a finger.
  public init(uikitDuration duration: Double, dampingRatio: Double, velocity: Double) {
    let time = min(max(duration, 0.01), 10)
    let zeta = min(max(dampingRatio, .leastNormalMagnitude), 1)
    var omega = 5 / time
    for _ in 0..<12 {
      let amplitude: Double
      let slope: Double
      if zeta < 1 {
        let root = sqrt(1 - zeta * zeta)
        let decay = exp(-zeta * omega * time)
        let rate = zeta * omega
        amplitude = (rate - velocity) / (omega * root) * decay
        slope =
          (velocity + rate * time * velocity - rate * rate * time) * decay
          / (omega * omega * root)
      } else {
        let decay = exp(-omega * time)
        amplitude = ((omega - velocity) * time + 1) * decay
        slope = (velocity - omega) * time * time * decay
      }
      let sign: Double = amplitude >= 0 ? 1 : -1
      omega -= (0.001 - sign * amplitude) / (-sign * slope)
    }
    self.init(omega: abs(omega), dampingRatio: zeta)
  }

  /// The spring that opens a book: one second, damping 0.7, starting at 0.7 of the way per second.
  public static let opening = Spring(uikitDuration: 1, dampingRatio: 0.7, velocity: 0.7)
  /// The spring that closes a book: the frequency of opening, without overshoot.
  public static let closing = Spring(omega: opening.omega, dampingRatio: 1)
  /// The spring that closes a book onto its back cover and turns it over, which is a longer way.
  public static let backClosing = Spring(omega: 5.5, dampingRatio: 1)
  /// The spring that brings a scroll to rest on its item, and back from beyond an edge.
  public static let landing = Spring(omega: 2 * .pi / 0.575, dampingRatio: 1)

  /// Returns the state of the spring `t` seconds after it had the given velocity and the given
  /// displacement from its target.
  public func state(
    displacement y0: Double,
    velocity v0: Double,
    after t: Double
  ) -> (displacement: Double, velocity: Double) {
    switch regime {
    case .underdamped:
      let a = dampingRatio * omega
      let b = ringing
      let amplitude = (v0 + a * y0) / b
      let (s, c, decay) = (sin(b * t), cos(b * t), exp(-a * t))
      return (
        decay * (y0 * c + amplitude * s),
        decay * ((b * amplitude - a * y0) * c - (b * y0 + a * amplitude) * s)
      )
    case .critical:
      let slope = v0 + omega * y0
      let decay = exp(-omega * t)
      let line = y0 + slope * t
      return (line * decay, (slope - omega * line) * decay)
    case .overdamped:
      // cosh and sinh are combined with the slow exponential, so that they do not overflow after a
      // long time, and two nearly equal exponentials do not cancel just above critical damping.
      let a = dampingRatio * omega
      let b = ringing
      let amplitude = (v0 + a * y0) / b
      let slow = exp(-omega * omega / (a + b) * t)
      let odd = -expm1(-2 * b * t) / 2
      let even = 1 - odd
      let y = slow * (y0 * even + amplitude * odd)
      return (y, slow * b * (y0 * odd + amplitude * even) - a * y)
    }
  }

  enum Regime { case underdamped, critical, overdamped }

  var regime: Regime {
    if abs(dampingRatio - 1) <= 1e-9 { return .critical }
    return dampingRatio < 1 ? .underdamped : .overdamped
  }

  /// The frequency of the oscillation, in radians per second; for an overdamped spring, half the
  /// difference of its two rates.
  var ringing: Double { omega * sqrt(abs((1 - dampingRatio) * (1 + dampingRatio))) }

  /// Returns the time after which the spring stays within `tolerance` of its target.
  ///
  /// The result is exact: between two turning points the displacement is monotonic, so after the
  /// last turning point outside the tolerance it crosses the tolerance once, and bisection finds
  /// that time.
  public func settlingTime(
    displacement y0: Double,
    velocity v0: Double,
    tolerance: Double
  ) -> Double {
    guard y0.isFinite, v0.isFinite else { return 0 }
    // A tolerance of zero is never reached, so a tiny one replaces it.
    let tolerance = max(tolerance, 1e-300)
    func isOutside(_ t: Double) -> Bool {
      abs(state(displacement: y0, velocity: v0, after: t).displacement) > tolerance
    }

    var outside = 0.0
    var inside: Double?
    if let turn = firstTurn(displacement: y0, velocity: v0) {
      let height = abs(state(displacement: y0, velocity: v0, after: turn).displacement)
      if height <= tolerance {
        inside = turn
      } else if regime == .underdamped {
        // Turning points are half an oscillation apart, and each is smaller than the previous by
        // the same factor.
        let half = Double.pi / ringing
        let lower = dampingRatio * omega * half
        let last = max(0, (log(height / tolerance) / lower).rounded(.up) - 1)
        outside = turn + last * half
        inside = outside + half
      } else {
        outside = turn
      }
    }
    if outside == 0, !isOutside(0) { return 0 }

    var high = inside ?? (outside + 1 / omega)
    if inside == nil {
      while isOutside(high) { high = outside + 2 * (high - outside) }
    }
    while true {
      let middle = outside + (high - outside) / 2
      guard middle > outside, middle < high else { return high }
      if isOutside(middle) { outside = middle } else { high = middle }
    }
  }

  /// Returns the first time after 0 at which the velocity is zero; nil if there is none.
  private func firstTurn(displacement y0: Double, velocity v0: Double) -> Double? {
    let turn: Double
    switch regime {
    case .underdamped:
      if y0 == 0, v0 == 0 { return nil }
      let a = dampingRatio * omega
      let b = ringing
      let amplitude = (v0 + a * y0) / b
      // The velocity is C cos bt - S sin bt.
      let angle = atan2(b * amplitude - a * y0, b * y0 + a * amplitude)
      turn = (angle <= 0 ? angle + .pi : angle) / b
    case .critical: turn = v0 / (omega * (v0 + omega * y0))
    case .overdamped:
      // even/odd of `state`: v0 cosh bt = (a v0 + omega^2 y0)/b sinh bt.
      turn = atanh(v0 * ringing / (dampingRatio * omega * v0 + omega * omega * y0)) / ringing
    }
    return turn > 0 && turn.isFinite ? turn : nil
  }
}
