import Glibc

/// A damped harmonic oscillator of mass 1, evaluated in closed form.
public struct Spring: Equatable, Sendable {
  /// The undamped angular frequency, in radians per second; positive.
  public var omega: Double
  /// The damping ratio, positive; 1 is critical, and below 1 the motion overshoots.
  public var dampingRatio: Double

  /// Creates a spring from its frequency and damping.
  public init(omega: Double, dampingRatio: Double) {
    self.omega = omega
    self.dampingRatio = dampingRatio
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
  var ringing: Double {
    omega * sqrt(abs((1 - dampingRatio) * (1 + dampingRatio)))
  }
}
