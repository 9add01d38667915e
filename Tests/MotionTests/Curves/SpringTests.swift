import Foundation
import Motion
import TestVectors
import Testing

@Suite("Springs")
struct SpringTests {
  struct UIKitCase: Decodable {
    let duration, dampingRatio, velocity, omega, stiffness, damping: Double
    let omega_bisection, x_at_D, settle: Double
    let first_peak_t, first_peak_x: Double?
    let samples_t_x_v: [[Double]]

    enum CodingKeys: String, CodingKey {
      case duration, dampingRatio, velocity, omega, stiffness, damping
      case omega_bisection, x_at_D, first_peak_t, first_peak_x, samples_t_x_v
      case settle = "settle_1e-3"
    }
  }

  struct GeneralCase: Decodable {
    let omega, zeta, v0, settle: Double
    let samples_t_x_v: [[Double]]

    enum CodingKeys: String, CodingKey {
      case omega, zeta, v0, samples_t_x_v
      case settle = "settle_1e-3"
    }
  }

  private func expect(_ spring: Spring, velocity: Double, samples: [[Double]], settle: Double) {
    for sample in samples {
      let state = spring.state(displacement: -1, velocity: velocity, after: sample[0])
      #expect(agrees(1 + state.displacement, sample[1]), "at \(sample[0])")
      #expect(agrees(state.velocity, sample[2]), "at \(sample[0])")
    }
    let settled = spring.settlingTime(displacement: -1, velocity: velocity, tolerance: 1e-3)
    #expect(agrees(settled, settle))
  }

  @Test("the springs of UIKit match the reference")
  func uiKitSprings() throws {
    for each in try vectors("spring_uikit", as: [UIKitCase].self) {
      let spring = Spring(
        uikitDuration: each.duration,
        dampingRatio: each.dampingRatio,
        velocity: each.velocity
      )
      #expect(agrees(spring.omega, each.omega))
      #expect(agrees(spring.omega, each.omega_bisection))
      #expect(agrees(spring.omega * spring.omega, each.stiffness))
      #expect(agrees(2 * spring.dampingRatio * spring.omega, each.damping))
      expect(spring, velocity: each.velocity, samples: each.samples_t_x_v, settle: each.settle)
      let end = spring.state(displacement: -1, velocity: each.velocity, after: each.duration)
      #expect(agrees(1 + end.displacement, each.x_at_D))
      if let time = each.first_peak_t, let peak = each.first_peak_x {
        let state = spring.state(displacement: -1, velocity: each.velocity, after: time)
        #expect(agrees(1 + state.displacement, peak))
        #expect(abs(state.velocity) < 1e-12)
      }
    }
  }

  @Test("all three regimes match the reference")
  func regimes() throws {
    for each in try vectors("spring_general", as: [GeneralCase].self) {
      let spring = Spring(omega: each.omega, dampingRatio: each.zeta)
      expect(spring, velocity: each.v0, samples: each.samples_t_x_v, settle: each.settle)
    }
  }

  @Test("the product's springs have the frequencies of the design")
  func designFrequencies() {
    #expect(agrees(Spring.opening.omega, 9.683941614773042))
    #expect(Spring.opening.dampingRatio == 0.7)
    #expect(Spring.closing == Spring(omega: Spring.opening.omega, dampingRatio: 1))
    #expect(agrees(Spring.landing.omega, 10.927278795094933))
  }

  @Test("landing matches the reference's return from an edge")
  func landing() throws {
    struct Scroll: Decodable {
      let springback_lambda: Double
      let springback_from_100_v0, springback_from_0_v2000: [[Double]]
    }
    let scroll = try vectors("scroll", as: Scroll.self)
    #expect(agrees(Spring.landing.omega, scroll.springback_lambda))
    let ways = [
      (100.0, 0.0, scroll.springback_from_100_v0), (0, 2000, scroll.springback_from_0_v2000),
    ]
    for (from, velocity, samples) in ways {
      for sample in samples {
        let state = Spring.landing.state(displacement: from, velocity: velocity, after: sample[0])
        #expect(agrees(state.displacement, sample[1]))
        #expect(agrees(state.velocity, sample[2]))
      }
    }
  }

  @Test("the motion is continuous across the regimes", arguments: [1e-9, 1.1e-9, 1e-8, 1e-6, 1e-4])
  func continuousRegimes(gap: Double) {
    let critical = Spring(omega: 9, dampingRatio: 1)
    for side in [-gap, gap] {
      let near = Spring(omega: 9, dampingRatio: 1 + side)
      for step in 0...40 {
        let t = Double(step) / 20
        let a = critical.state(displacement: -1, velocity: 3, after: t)
        let b = near.state(displacement: -1, velocity: 3, after: t)
        // The motion depends smoothly on the damping, with slopes below 10 and 100 here.
        #expect(abs(a.displacement - b.displacement) <= 10 * gap + 1e-13)
        #expect(abs(a.velocity - b.velocity) <= 100 * gap + 1e-12)
      }
    }
  }

  @Test(
    "every spring obeys its equation of motion",
    arguments: [0.05, 0.2, 0.7, 0.999, 1, 1.001, 1.3, 4, 20]
  )
  func equationOfMotion(dampingRatio: Double) {
    let spring = Spring(omega: 7, dampingRatio: dampingRatio)
    let h = 1e-4
    for step in 1...50 {
      let t = Double(step) / 25
      let now = spring.state(displacement: 2, velocity: -30, after: t)
      let before = spring.state(displacement: 2, velocity: -30, after: t - h)
      let after = spring.state(displacement: 2, velocity: -30, after: t + h)
      let acceleration = (after.velocity - before.velocity) / (2 * h)
      let force = -49 * now.displacement - 14 * dampingRatio * now.velocity
      let stiffest = 14 * dampingRatio + 7
      #expect(abs(acceleration - force) < 30 * stiffest * stiffest * stiffest * h * h)
      #expect(abs((after.displacement - before.displacement) / (2 * h) - now.velocity) < 1e-2)
    }
    let start = spring.state(displacement: 2, velocity: -30, after: 0)
    #expect(agrees(start.displacement, 2) && agrees(start.velocity, -30))
  }

  @Test("a spring that is replaced halfway continues unchanged")
  func replacedHalfway() {
    let spring = Spring.opening
    for damping in [0.3, 0.7, 1, 1.5] {
      let spring = Spring(omega: spring.omega, dampingRatio: damping)
      let middle = spring.state(displacement: -1, velocity: 0.7, after: 0.3)
      let rest = spring.state(
        displacement: middle.displacement,
        velocity: middle.velocity,
        after: 0.4
      )
      let whole = spring.state(displacement: -1, velocity: 0.7, after: 0.7)
      #expect(abs(rest.displacement - whole.displacement) < 1e-14)
      #expect(abs(rest.velocity - whole.velocity) < 1e-13)
    }
  }

  @Test("after a long time a spring underflows to rest")
  func underflow() {
    for damping in [0.1, 1, 3, 1000] {
      let spring = Spring(omega: 10, dampingRatio: damping)
      let state = spring.state(displacement: 5, velocity: 5, after: 1e9)
      #expect(state.displacement == 0 && state.velocity == 0)
    }
  }
}
