import Motion
import Scene
import TestVectors
import Testing

@testable import Staging

@Suite("A leaf that a finger releases")
struct LeafReleaseTests {
  /// Expects that the book rests at a spread.
  private func expectRest(_ hand: Hand, at spread: Int, _ what: String) {
    let frame = hand.stage.frame(at: hand.time + 5)
    #expect(frame.isSettled && hand.stage.spread == spread, "\(what), \(hand)")
    #expect(frame.placements.allSatisfy { $0.key.part.strip == nil }, "\(what)")
    var still = Hand(spread: spread, isFlat: hand.stage.isFlat)
    still.wait(5)
    #expect(frame.placements == still.frame.placements, "\(what), \(hand)")
  }

  @Test("completes its turn after a slow drag past the middle, and falls back before it")
  func slow() {
    var turns = [false: 0, true: 0]
    PagePress.forEach { press, dice in
      var hand = press.hand
      let isPast = dice.happens(0.5)
      // Far enough from the spine that the bend does not count.
      let end = hand.start.x * (isPast ? -0.8 : 0.6)
      hand.move(by: end - hand.start.x, in: 60)
      #expect((hand.progress(of: press.leaf) > 0.5) == (isPast == press.isForward), "\(hand)")
      hand.lift(after: 0.3)
      let turned = press.isForward ? 4 : 2
      expectRest(hand, at: isPast ? turned : 3, "\(press)")
      turns[isPast, default: 0] += 1
    }
    #expect(replaysOneSeed || turns.values.allSatisfy { $0 > 50 })
  }

  @Test("turns after a fast fling of 60 points")
  func fling() {
    PagePress.forEach { press, _ in
      var hand = press.hand
      hand.move(by: 60 * press.direction, in: 8)
      hand.lift()
      expectRest(hand, at: press.isForward ? 4 : 2, "\(press)")
    }
  }

  @Test("is the only one of a drag, however far the finger goes")
  func one() {
    PagePress.forEach { press, dice in
      var hand = press.hand
      // Past the spine by a sixth of a page at least, where a curled corner is ahead of its leaf.
      hand.move(by: .random(in: 460...4000, using: &dice) * press.direction, in: 12)
      if dice.happens(0.5) { hand.wait(0.3) }
      hand.lift()
      expectRest(hand, at: press.isForward ? 4 : 2, "\(press)")
    }
  }

  @Test("turns back if the drag is cancelled, wherever it is")
  func cancelled() {
    PagePress.forEach { press, dice in
      var hand = press.hand
      hand.move(by: .random(in: 20...600, using: &dice) * press.direction, in: 12)
      hand.point(.cancel, at: hand.finger, after: 0.01)
      expectRest(hand, at: 3, "\(press)")
    }
  }

  @Test("does not exist beyond the ends of the book, which resists and returns")
  func ends() {
    for isFlat in [false, true] {
      // 14 pages have 7 spreads, of which the last is number 6.
      for (spread, direction) in [(0, 1.0), (6, -1)] {
        for start in [-300.0, -20, 150, 480] {
          var hand = Hand(spread: spread, pages: 14, isFlat: isFlat)
          let rest = hand.frame
          hand.take(at: start)
          var last = 0.0
          for _ in 0..<200 {
            hand.drag(by: direction)
            let yielded = 1 - hand.stage.taken.opening.value(at: hand.time)
            #expect(yielded >= last && yielded < 0.15 && yielded - last < 0.002, "\(hand)")
            last = yielded
          }
          #expect(last > 0.08 && hand.offset == Double(spread))
          #expect(hand.frame.placements.allSatisfy { $0.key.part.strip == nil })
          hand.release(after: 0.2)
          // It stays rigid on its way back.
          for step in 1...20 {
            let frame = hand.stage.frame(at: hand.time + Double(step) / 30)
            #expect(frame.placements.allSatisfy { $0.key.part.strip == nil })
          }
          #expect(hand.stage.frame(at: hand.time + 5).placements == rest.placements)
        }
      }
    }
  }

  @Test("keeps its velocity, and its bend")
  func velocity() {
    for seed in seeds(0..<300) {
      var dice = SplitMix64(seed: seed)
      var hand = Hand(isFlat: dice.happens(0.5))
      let direction: Double = dice.happens(0.5) ? 1 : -1
      hand.take(at: -direction * .random(in: 60...500, using: &dice))
      // The velocity of the leaf itself, as any velocity is measured.
      var tracker = VelocityTracker()
      let speed = Double.random(in: 0.3...14, using: &dice)
      for _ in 0..<Int.random(in: 4...60, using: &dice) {
        hand.drag(by: speed * direction)
        // Before that, it is not known which leaf turns.
        guard abs(hand.finger.x - hand.start.x) >= 0.5 else { continue }
        tracker.add(hand.offset, at: hand.time)
      }
      let (offset, bend, frame) = (hand.offset, hand.bend, hand.frame)
      let measured = tracker.slope(at: hand.time, limit: 10)
      hand.release()
      #expect(abs(hand.offset - offset) < 1e-9, "\(hand)")
      let moves = hand.stage.taken.leaves.turn.endTime > hand.time
      guard moves else { continue }
      #expect(abs(hand.bend - bend) < 1e-9, "\(hand)")
      let velocity = hand.stage.taken.leaves.turn.velocity(at: hand.time)
      #expect(abs(velocity - measured) < 1e-9, "\(velocity), \(measured), \(hand)")
      #expect(difference(frame, hand.frame) < 1e-6, "\(hand)")
    }
  }
}
