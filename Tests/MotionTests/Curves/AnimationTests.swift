import Motion
import TestVectors
import Testing

@Suite("Animations")
struct AnimationTests {
  struct Handover: Decodable {
    let omega, normalised_velocity_toward_0: Double
    let at: [Double]
    let retarget_to_0, additive: [[Double]]

    enum CodingKeys: String, CodingKey {
      case omega, normalised_velocity_toward_0, retarget_to_0, additive
      case at = "at_0.25"
    }
  }

  private let opening = Animation.spring(
    .opening,
    from: 0,
    velocity: 0.7,
    to: 1,
    at: 100,
    duration: 1,
    tolerance: 1e-3
  )

  @Test("an interrupted opening goes back as in the reference")
  func interruptedOpening() throws {
    let reference = try vectors("handover", as: Handover.self)
    #expect(agrees(Spring.opening.omega, reference.omega))
    let (value, velocity) = (opening.value(at: 100.25), opening.velocity(at: 100.25))
    #expect(agrees(value, reference.at[0]) && agrees(velocity, reference.at[1]))
    #expect(agrees(velocity / (0 - value), reference.normalised_velocity_toward_0))
    let back = Animation.spring(
      .opening,
      from: value,
      velocity: velocity,
      to: 0,
      at: 100.25,
      duration: 2,
      tolerance: 1e-3
    )
    for sample in reference.retarget_to_0 {
      #expect(abs(back.value(at: 100.25 + sample[0]) - sample[1]) < 1e-12)
      #expect(abs(back.velocity(at: 100.25 + sample[0]) - sample[2]) < 1e-11)
    }
  }

  @Test("the way back is the sum of both springs if they are the same")
  func sumOfSprings() throws {
    let reference = try vectors("handover", as: Handover.self)
    for sample in reference.additive {
      // UIKit adds the new target, the rest of the old motion and the rest of the new one.
      let old = Spring.opening.state(displacement: -1, velocity: 0.7, after: 0.25 + sample[0])
      let new = Spring(uikitDuration: 1, dampingRatio: 0.7, velocity: 0.7)
        .state(displacement: 1, velocity: 0, after: sample[0])
      #expect(abs(old.displacement + new.displacement - sample[1]) < 1e-12)
    }
  }

  @Test("before its start an animation has its initial value")
  func beforeStart() {
    #expect(opening.value(at: 99) == 0)
    #expect(agrees(opening.velocity(at: 99), 0.7))
    let eased = Animation.eased(.easeInOut, from: 3, to: 5, at: 1, duration: 2)
    #expect(eased.value(at: 0) == 3)
  }

  @Test("from its end on an animation equals its target exactly")
  func endsAtTarget() {
    let free = Animation.spring(.landing, from: 80, velocity: 900, to: 12.3, at: 5, tolerance: 0.01)
    let eased = Animation.eased(.easeOut, from: 1, to: 0.1, at: 5, duration: 0.4)
    for animation in [opening, free, eased] {
      #expect(!animation.isSettled(at: animation.endTime.nextDown))
      for t in [animation.endTime, animation.endTime + 1, animation.endTime + 1e6] {
        #expect(animation.isSettled(at: t))
        #expect(animation.value(at: t) == animation.target)
        #expect(animation.velocity(at: t) == 0)
      }
    }
    #expect(opening.endTime == 101)
    #expect(eased.endTime == 5.4)
  }

  @Test("an animation without a duration ends within its tolerance")
  func endsWithinTolerance() {
    for tolerance in [1e-4, 1e-2, 0.5] {
      let animation = Animation.spring(
        .opening,
        from: 0,
        velocity: -4,
        to: 1,
        at: 2,
        tolerance: tolerance
      )
      let jump = abs(animation.value(at: animation.endTime.nextDown) - 1)
      #expect(jump <= tolerance * (1 + 1e-9))
      #expect(jump >= tolerance * (1 - 1e-9))
    }
  }

  @Test("an animation moves no faster between frames than its velocity")
  func velocityBound() {
    let animations = [
      opening,
      .spring(.landing, from: 300, velocity: -4000, to: 0, at: 100, tolerance: 0.01),
      .eased(.easeInOut, from: 1, to: 0, at: 100, duration: 1),
      .eased(.easeOut, from: -20, to: 40, at: 100, duration: 0.3),
    ]
    let h = 1e-5
    for animation in animations {
      for step in 1..<1000 {
        let t = 100 + Double(step) / 1000
        guard t + h < animation.endTime else { continue }
        let slope = (animation.value(at: t + h) - animation.value(at: t - h)) / (2 * h)
        // Times near 100 have a resolution of 1.4e-14, and h is 1e-5.
        #expect(abs(slope - animation.velocity(at: t)) < 1e-4 * max(1, abs(slope)), "at \(t)")
      }
    }
  }

  @Test("a held value is never settled, and a resting one always is")
  func heldValue() {
    let held = Animation.held(3)
    #expect(held.isHeld && held.target == 3 && held.endTime == .infinity)
    #expect(held.value(at: 7) == 3 && held.velocity(at: 7) == 0 && !held.isSettled(at: 1e12))
    let rest = Animation.rest(4)
    #expect(!rest.isHeld && rest.target == 4 && rest.endTime == -.infinity)
    #expect(rest.value(at: -7) == 4 && rest.velocity(at: 7) == 0 && rest.isSettled(at: -1e12))
    #expect(!opening.isHeld)
  }

  @Test("an animation of no length is at its target immediately")
  func zeroLength() {
    let eased = Animation.eased(.easeInOut, from: 3, to: 5, at: 1, duration: 0)
    #expect(eased.value(at: 1) == 5 && eased.velocity(at: 1) == 0)
    let spring = Animation.spring(.opening, from: 2, velocity: 0, to: 2, at: 1, tolerance: 1e-3)
    #expect(spring.endTime == 1 && spring.value(at: 1) == 2)
  }

  @Test("reading an animation does not depend on earlier reads")
  func readsAreIndependent() {
    let times = (0...60).map { 100 + Double($0) / 60 }
    let forwards = times.map(opening.value(at:))
    let backwards = times.reversed().map(opening.value(at:))
    #expect(forwards == backwards.reversed())
  }
}
