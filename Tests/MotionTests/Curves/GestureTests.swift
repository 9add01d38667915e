import Motion
import TestVectors
import Testing

@Suite("Transitions driven by a finger")
struct GestureTests {
  struct Reference: Decodable {
    struct Decision: Decodable {
      let p, v, projected: Double
      let finish: Bool
    }
    let decide: [Decision]
  }

  @Test("a transition finishes when that of the reference does")
  func finishes() throws {
    for each in try vectors("percent_driven", as: Reference.self).decide {
      #expect(PercentDriven.finishes(progress: each.p, velocity: each.v) == each.finish)
      #expect(agrees(each.p + Scrolling.project(velocityPerSecond: each.v), each.projected))
    }
  }

  @Test("a final movement back cancels unless the transition is almost complete")
  func finalMovementBack() {
    #expect(!PercentDriven.finishes(progress: 0.85, velocity: -0.51))
    #expect(PercentDriven.finishes(progress: 0.85, velocity: -0.49))
    #expect(PercentDriven.finishes(progress: 0.95, velocity: -0.51))
  }

  @Test("pinches match the reference")
  func pinches() throws {
    struct Case: Decodable {
      let push: Bool
      let scale, product: Double
    }
    for each in try vectors("pinch", as: [Case].self) {
      let progress =
        each.push
        ? Pinch.openingProgress(scale: each.scale) : Pinch.closingProgress(scale: each.scale)
      #expect(agrees(progress, each.product))
    }
  }
}

@Suite("The velocity of a finger")
struct VelocityTests {
  private func tracker(
    _ samples: Int,
    every step: Double,
    from start: Double = 0,
    _ value: (Double) -> Double
  ) -> VelocityTracker {
    var tracker = VelocityTracker()
    for index in 0..<samples {
      let t = start + Double(index) * step
      tracker.add(value(t), at: t)
    }
    return tracker
  }

  @Test("a steady finger has its velocity, at any sample rate and after a long time")
  func steadyFinger() {
    for step in [1.0 / 30, 1 / 60.0, 1 / 120.0, 1 / 240.0, 1 / 1000.0] {
      let tracker = tracker(200, every: step, from: 86_400) { 5 - 3 * ($0 - 86_400) }
      let end = 86_400 + 199 * step
      #expect(abs(tracker.slope(at: end, limit: 10) + 3) < 1e-6)
    }
  }

  @Test("only the last 100 ms count")
  func sampleWindow() {
    var tracker = tracker(60, every: 1 / 60.0) { 100 * $0 }
    for index in 0..<13 { tracker.add(7, at: 1 + Double(index) / 120) }
    #expect(abs(tracker.slope(at: 1.1, limit: 1000)) < 1e-9)
  }

  @Test("fewer than three samples have no velocity")
  func fewSamples() {
    #expect(VelocityTracker().slope(at: 0, limit: 10) == 0)
    #expect(tracker(2, every: 0.01) { $0 }.slope(at: 0.01, limit: 10) == 0)
    #expect(tracker(3, every: 0.01) { $0 }.slope(at: 0.02, limit: 10) != 0)
  }

  @Test("a finger that rested before it was lifted has no velocity")
  func restingFinger() {
    let tracker = tracker(20, every: 0.01) { $0 }
    #expect(tracker.slope(at: 0.19, limit: 10) != 0)
    #expect(tracker.slope(at: 0.3, limit: 10) == 0)
  }

  @Test("the velocity respects its limit in both directions")
  func velocityLimit() {
    #expect(tracker(9, every: 0.01) { 500 * $0 }.slope(at: 0.08, limit: 10) == 10)
    #expect(tracker(9, every: 0.01) { -500 * $0 }.slope(at: 0.08, limit: 10) == -10)
  }

  @Test("samples with the same time count once, and NaN does not count")
  func simultaneousSamples() {
    var tracker = VelocityTracker()
    for _ in 0..<5 { tracker.add(1, at: 1) }
    #expect(tracker.slope(at: 1, limit: 10) == 0)
    tracker.add(.nan, at: 1.01)
    tracker.add(2, at: .infinity)
    tracker.add(1.02, at: 1.02)
    tracker.add(1.04, at: 1.04)
    #expect(abs(tracker.slope(at: 1.04, limit: 10) - 1) < 1e-9)
  }
}
