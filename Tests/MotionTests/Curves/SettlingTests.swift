import Motion
import Testing

@Suite("Settling")
struct SettlingTests {
  @Test(
    "a spring leaves the tolerance just before its settling time and never after it",
    arguments: [0.05, 0.3, 0.7, 0.99, 1, 1.01, 2, 8]
  )
  func settlingTime(
    dampingRatio: Double
  ) {
    let spring = Spring(omega: 9.7, dampingRatio: dampingRatio)
    for displacement in [-1, 0, 0.0005, 0.3, 40] {
      for velocity in [-90, -2, 0, 0.01, 3, 700] {
        for tolerance in [1e-3, 0.25] {
          let time = spring.settlingTime(
            displacement: displacement,
            velocity: velocity,
            tolerance: tolerance
          )
          func distance(_ t: Double) -> Double {
            abs(spring.state(displacement: displacement, velocity: velocity, after: t).displacement)
          }
          #expect(time >= 0 && time.isFinite)
          for step in 0...2000 {
            #expect(distance(time + Double(step) / 500) <= tolerance * (1 + 1e-12))
          }
          if time > 0 {
            #expect(distance(time * (1 - 1e-9)) >= tolerance * (1 - 1e-9))
          }
        }
      }
    }
  }

  @Test("a spring at rest at its target has settled immediately")
  func atRest() {
    for damping in [0.7, 1, 1.5] {
      let spring = Spring(omega: 10, dampingRatio: damping)
      #expect(spring.settlingTime(displacement: 0, velocity: 0, tolerance: 1e-3) == 0)
      #expect(spring.settlingTime(displacement: 1e-4, velocity: 0, tolerance: 1e-3) == 0)
    }
  }

  @Test("a tolerance of zero or NaN still gives a finite time")
  func degenerateTolerance() {
    for damping in [0.7, 1, 1.5] {
      let spring = Spring(omega: 10, dampingRatio: damping)
      #expect(spring.settlingTime(displacement: 1, velocity: 0, tolerance: 0).isFinite)
      #expect(spring.settlingTime(displacement: .nan, velocity: 0, tolerance: 1) == 0)
      #expect(spring.settlingTime(displacement: 1, velocity: .infinity, tolerance: 1) == 0)
    }
  }
}
