import Glibc

extension Spring {
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
    case .critical:
      turn = v0 / (omega * (v0 + omega * y0))
    case .overdamped:
      // even/odd of `state`: v0 cosh bt = (a v0 + omega^2 y0)/b sinh bt.
      turn = atanh(v0 * ringing / (dampingRatio * omega * v0 + omega * omega * y0)) / ringing
    }
    return turn > 0 && turn.isFinite ? turn : nil
  }
}
