import Motion
import TestVectors
import Testing

extension CubicBezier {
  static let easeIn = CubicBezier(0.42, 0, 1, 1)
  static let easeOut = CubicBezier(0, 0, 0.58, 1)
  static let cssEase = CubicBezier(0.25, 0.1, 0.25, 1)
}

@Suite("Timing curves")
struct TimingTests {
  @Test("curves match the reference")
  func matchReference() throws {
    for sample in try vectors("bezier_easeInOut", as: [[Double]].self) {
      #expect(agrees(CubicBezier.easeInOut(sample[0]), sample[1]), "at \(sample[0])")
    }
    let others = try vectors("bezier_others_at_0.1_steps", as: [String: [Double]].self)
    let curves: [String: CubicBezier] = [
      "easeIn": .easeIn, "easeOut": .easeOut, "css_ease": .cssEase,
    ]
    #expect(Set(others.keys) == Set(curves.keys))
    for (name, heights) in others {
      let curve = try #require(curves[name])
      for (step, height) in heights.enumerated() {
        #expect(agrees(curve(Double(step) / 10), height), "\(name) at \(step)")
      }
    }
  }

  @Test(
    "a slope is the limit of the difference quotients",
    arguments: [
      CubicBezier.easeInOut, .easeIn, .easeOut, .linear, .cssEase, CubicBezier(0.9, 0.1, 0.1, 0.9),
    ]
  )
  func slopes(curve: CubicBezier) {
    let h = 1e-6
    for step in 1..<100 {
      let x = Double(step) / 100
      let difference = (curve(x + h) - curve(x - h)) / (2 * h)
      #expect(abs(curve.slope(at: x) - difference) < 1e-6 * max(1, difference), "at \(x)")
    }
    // One-sided at the ends, where the curve bends, so the difference quotient is less precise.
    #expect(abs(curve.slope(at: 0) - curve(h) / h) < 1e-2)
    #expect(abs(curve.slope(at: 1) - (1 - curve(1 - h)) / h) < 1e-2)
    #expect(curve.slope(at: -0.1) == 0 && curve.slope(at: 1.1) == 0)
  }

  @Test("a control point at its end leaves the direction there to the other control point")
  func coincidentControlPoint() {
    #expect(agrees(CubicBezier.easeOut.slope(at: 0), 1 / 0.58))
    #expect(agrees(CubicBezier.easeIn.slope(at: 1), 1 / 0.58))
    #expect(CubicBezier.easeInOut.slope(at: 0) == 0)
    #expect(abs(CubicBezier.easeInOut.slope(at: 1)) < 1e-15)
  }

  @Test("curves start at 0, end at 1 and stay there")
  func endpoints() {
    for curve in [CubicBezier.easeInOut, .easeIn, .easeOut, .linear, .cssEase] {
      #expect(curve(0) == 0 && curve(1) == 1 && curve(-3) == 0 && curve(3) == 1)
    }
  }

  @Test("even the steepest curve is solved")
  func steepCurves() {
    let curve = CubicBezier(1, 0, 0, 1)
    var last = 0.0
    for step in 0...1000 {
      let height = curve(Double(step) / 1000)
      #expect(height >= last)
      last = height
    }
    #expect(abs(curve(0.5) - 0.5) < 1e-6)
  }
}
