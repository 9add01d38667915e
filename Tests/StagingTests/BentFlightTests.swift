import Motion
import Scene
import TestVectors
import Testing

@testable import Staging

@Suite("A bent leaf in flight")
struct BentFlightTests {
  /// An open book of 40 pages at spread 5, at rest from time 9 on.
  private func open(isFlat: Bool) -> Stage {
    Hand(spread: 5, pages: 40, isFlat: isFlat).stage
  }

  private func bend(_ stage: Stage, at time: Double) -> Double {
    var later = stage
    later.advance(to: time)
    return later.taken.leaves.bend(at: time)
  }

  private func offset(_ stage: Stage, at time: Double) -> Double {
    var later = stage
    later.advance(to: time)
    return later.taken.leaves.turn.value(at: time)
  }

  @Test("lags behind its turn, is rigid at rest, and is drawn in strips only in between")
  func lags() {
    for isFlat in [false, true] {
      for (key, way) in [(Key.arrowRight, 1.0), (.arrowLeft, -1)] {
        var stage = open(isFlat: isFlat)
        #expect(bend(stage, at: 9.5) == 0)
        stage.press(key, at: 10)
        #expect(bend(stage, at: 10) == 0)
        #expect(bend(stage, at: 10.2) * way < -0.2)
        for step in 0...400 {
          let time = 10 + Double(step) / 100
          let frame = stage.frame(at: time)
          let strips = frame.placements.count { $0.key.part.strip != nil }
          let isBent = frame.isSettled ? false : step > 0
          #expect(strips == (isBent ? ElementPart.stripCount : 0), "at \(time)")
          #expect(abs(bend(stage, at: time)) <= 0.5)
        }
        #expect(bend(stage, at: 14) == 0)
      }
    }
  }

  @Test("is caught where it is, with its bend, wherever the finger is put down")
  func caught() {
    for seed in seeds(0..<400) {
      var dice = SplitMix64(seed: seed)
      var stage = open(isFlat: dice.happens(0.5))
      let launches: [Input] = [.key(.arrowRight), .key(.arrowLeft), .key(.end), .jump(page: 31)]
      for step in 0..<Int.random(in: 1...3, using: &dice) {
        let launch = launches.randomElement(using: &dice) ?? .key(.end)
        stage.apply(launch, at: 10 + Double(step) * 0.1)
      }
      let time = 10.2 + .random(in: 0.001...0.5, using: &dice)
      stage.advance(to: time)
      let (offset, bend) = (self.offset(stage, at: time), self.bend(stage, at: time))
      let frame = stage.frame(at: time)
      let place = Point(x: .random(in: -511...511, using: &dice), y: 0)
      stage.apply(.pan(.began, place), at: time)
      #expect(abs(self.offset(stage, at: time) - offset) < 1e-9, "SEED=\(seed)")
      #expect(abs(self.bend(stage, at: time) - bend) < 1e-9, "SEED=\(seed)")
      #expect(difference(frame, stage.frame(at: time)) < 1e-6, "SEED=\(seed)")
      #expect(stage.taken.leaves.turn.isHeld)
      // The finger moves it from there without a jump.
      var last = self.offset(stage, at: time)
      let way: Double = dice.happens(0.5) ? 1 : -1
      for step in 1...200 {
        let finger = Point(x: place.x + way * Double(step), y: 0)
        stage.apply(.pan(.changed, finger), at: time + Double(step) / 100)
        let now = self.offset(stage, at: time + Double(step) / 100)
        #expect((last - now) * way >= -1e-9 && abs(now - last) < 0.03, "SEED=\(seed)")
        last = now
      }
    }
  }

  @Test("is caught where it waits for images, and goes on from there")
  func caughtWaiting() {
    for isFlat in [false, true] {
      for (key, target) in [(Key.arrowRight, 6), (.arrowLeft, 4)] {
        for isCancelled in [false, true] {
          var stage = open(isFlat: isFlat)
          stage.apply(.images(ready: [11, 12]), at: 9)
          stage.press(key, at: 10)
          let waiting = stage.frame(at: 11.5)
          #expect(stage.isWaiting && offset(stage, at: 11.5) == (Double(target) + 5) / 2)
          stage.pan(.began, 20, 0, at: 11.5)
          #expect(difference(stage.frame(at: 11.6), waiting) < 1e-6)
          if isCancelled {
            stage.pan(.cancelled, 20, 0, at: 11.7)
          } else {
            let way: Double = target > 5 ? -1 : 1
            for step in 1...150 {
              stage.pan(.changed, 20 + way * Double(step), 0, at: 11.7 + Double(step) / 100)
            }
            stage.pan(.ended, 20 + way * 150, 0, at: 13.7)
          }
          let rest = stage.frame(at: 20)
          #expect(rest.isSettled && offset(stage, at: 20) == Double(target), "\(key)")
        }
      }
    }
  }

  /// Returns the slopes of the bend before and after a time.
  private func slopes(_ before: Stage, _ after: Stage, at time: Double) -> (Double, Double) {
    let h = 1e-5
    // Parabolas through three points: their slopes at the time itself.
    func slope(_ stage: Stage, _ h: Double) -> Double {
      let (a, b, c) = (
        bend(stage, at: time), bend(stage, at: time + h), bend(stage, at: time + 2 * h)
      )
      return (4 * b - 3 * a - c) / (2 * h)
    }
    return (slope(before, -h), slope(after, h))
  }

  private func expectSmooth(_ before: Stage, _ after: Stage, at time: Double, _ what: String) {
    #expect(abs(bend(before, at: time) - bend(after, at: time)) < 1e-9, "\(what)")
    let (was, now) = slopes(before, after, at: time)
    #expect(abs(was - now) < 1e-2 * max(1, abs(was)), "\(was), \(now), \(what)")
    #expect(difference(before.frame(at: time), after.frame(at: time)) < 1e-6, "\(what)")
  }

  @Test("does not change its bend or the velocity of its bend when its turn changes")
  func retargeted() {
    for seed in seeds(0..<200) {
      var dice = SplitMix64(seed: seed)
      var stage = open(isFlat: dice.happens(0.5))
      var time = 10.0
      let keys: [Key] = [.arrowRight, .arrowLeft, .pageDown, .pageUp]
      for step in 0..<6 {
        let before = stage
        stage.press(keys.randomElement(using: &dice) ?? .arrowRight, at: time)
        expectSmooth(before, stage, at: time, "SEED=\(seed) step \(step)")
        time += .random(in: 0.02...0.3, using: &dice)
      }
      #expect(bend(stage, at: time + 5) == 0 && stage.frame(at: time + 5).isSettled)
    }
  }

  @Test("does not change its bend or the velocity of its bend when it begins to turn")
  func started() {
    for isFlat in [false, true] {
      let before = open(isFlat: isFlat)
      var stage = before
      stage.press(.arrowRight, at: 10)
      expectSmooth(before, stage, at: 10, "flat \(isFlat)")
    }
  }

  @Test("does not change its bend or the velocity of its bend when it waits, and waits no more")
  func waiting() throws {
    for isFlat in [false, true] {
      for delay in [0.15, 0.3, 0.6, 2] {
        var stage = open(isFlat: isFlat)
        stage.apply(.images(ready: [11, 12]), at: 9)
        stage.press(.arrowRight, at: 10)
        #expect(stage.isWaiting)
        let before = stage
        if delay < 2 {
          stage.apply(.images(ready: [11, 12, 13, 14]), at: 10 + delay)
        } else {
          stage.advance(to: 12)
        }
        #expect(!stage.isWaiting)
        expectSmooth(before, stage, at: 10 + delay, "after \(delay)")
        #expect(bend(stage, at: 17) == 0 && stage.frame(at: 17).isSettled)
      }
    }
  }

  @Test("is bent continuously from the finger's release to its rest")
  func continuous() {
    for seed in seeds(0..<120) {
      var dice = SplitMix64(seed: seed)
      var hand = Hand(spread: 5, pages: 40, isFlat: dice.happens(0.5))
      let direction: Double = dice.happens(0.5) ? 1 : -1
      hand.take(at: -direction * .random(in: 60...500, using: &dice))
      let speed = Double.random(in: 0.3...12, using: &dice)
      for _ in 0..<Int.random(in: 10...50, using: &dice) { hand.drag(by: speed * direction) }
      let held = hand.bend
      hand.release()
      guard !hand.stage.frame(at: hand.time).isSettled else { continue }
      let stage = hand.stage
      #expect(abs(bend(stage, at: hand.time) - held) < 1e-9, "SEED=\(seed)")
      var last = held
      for step in 1...3000 {
        let time = hand.time + Double(step) / 1000
        let now = bend(stage, at: time)
        // The fastest change is that of a hard fling, whose lag grows within a hundredth.
        #expect(abs(now - last) < 0.03, "SEED=\(seed) at \(time)")
        #expect(abs(now) <= 1.3, "SEED=\(seed)")
        last = now
      }
      #expect(abs(last) < 1e-12 && stage.frame(at: hand.time + 3).isSettled, "SEED=\(seed)")
    }
  }
}
