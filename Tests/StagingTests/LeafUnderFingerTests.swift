import Motion
import Scene
import TestVectors
import Testing

@testable import Staging

/// A random press on the open book, towards the other side.
struct PagePress: CustomStringConvertible {
  var hand: Hand
  /// Whether the page on the right is turned to the left.
  let isForward: Bool
  /// The point of the paper that is touched.
  let paper: PaperPoint

  /// The leaf that turns.
  var leaf: Int { isForward ? 4 : 3 }
  /// The way of the finger to the other side.
  var direction: Double { isForward ? -1 : 1 }
  var description: String { "\(paper), \(hand)" }

  /// Presses a page; nil if the random place is not on it.
  init?(_ dice: inout SplitMix64) {
    let viewport = Size(
      width: .random(in: 320...2000, using: &dice),
      height: .random(in: 400...1200, using: &dice)
    )
    hand = Hand(isFlat: dice.happens(0.5), viewport: viewport)
    isForward = dice.happens(0.5)
    let x = Double.random(in: 60...390, using: &dice) * (isForward ? 1 : -1)
    let place = Point(x: x, y: .random(in: -260...260, using: &dice))
    guard let touched = hand.touched(at: place) else { return nil }
    paper = touched
    let layout = hand.stage.taken.leaves.layout
    let isHeld = paper.arc > LeafGrab.arcMin(of: layout, flatness: hand.stage.isFlat ? 1 : 0)
    // The page on top, not the edge of one below it.
    guard isHeld, let seen = hand.place(of: paper, leaf: leaf), abs(seen - x) < 1e-6 else {
      return nil
    }
    hand.press(place.x, y: place.y)
  }

  /// Calls `body` with many presses.
  static func forEach(_ count: UInt64 = 300, _ body: (PagePress, inout SplitMix64) -> Void) {
    for seed in seeds(0..<count) {
      var dice = SplitMix64(seed: seed)
      guard let press = PagePress(&dice) else { continue }
      body(press, &dice)
    }
  }
}

@Suite("A leaf under a finger")
struct LeafUnderFingerTests {
  @Test("keeps the touched point under the finger, in any window and pose, and either way")
  func underFinger() {
    var checked = 0
    PagePress.forEach { press, dice in
      var hand = press.hand
      let rests = hand.rests(of: press.paper)
      // The first movement decides which leaf turns.
      hand.move(by: 40 * press.direction, in: 5)
      for _ in 0..<60 {
        let step = Double.random(in: 0...25, using: &dice) * (dice.happens(0.8) ? 1 : -1)
        hand.move(by: step * press.direction, in: 1)
        guard abs(hand.finger.x - hand.start.x) > 80, hand.finger.x < rests.right,
          hand.finger.x > rests.left, let seen = hand.place(of: press.paper, leaf: press.leaf)
        else { continue }
        #expect(abs(seen - hand.finger.x) * hand.camera.scale < 0.5, "\(press), \(hand)")
        checked += 1
      }
    }
    #expect(replaysOneSeed || checked > 3000)
  }

  @Test("moves without a jump from the first point of the way, and never back on the way")
  func steady() {
    for seed in seeds(0..<300) {
      var dice = SplitMix64(seed: seed)
      var hand = Hand(isFlat: dice.happens(0.5))
      let direction: Double = dice.happens(0.5) ? 1 : -1
      hand.take(at: .random(in: -505...505, using: &dice))
      var last = hand.offset
      for _ in 0..<900 {
        hand.drag(by: direction)
        let turned = (last - hand.offset) * direction
        #expect(turned >= -1e-9 && turned < 0.03, "\(turned), \(hand)")
        last = hand.offset
      }
      #expect(last == 3 - direction, "\(hand)")
    }
  }

  @Test("stays still until the finger moves, and turns back with a finger that turns back")
  func back() {
    for seed in seeds(0..<200) {
      var dice = SplitMix64(seed: seed)
      var hand = Hand(isFlat: dice.happens(0.5))
      let rest = hand.frame.placements
      let direction: Double = dice.happens(0.5) ? 1 : -1
      hand.take(at: .random(in: -505...505, using: &dice))
      #expect(hand.frame.placements == rest && hand.stage.isDriven)
      hand.drag(by: 0.4 * direction)
      #expect(hand.frame.placements == rest, "\(hand)")
      let way = Int.random(in: 10...500, using: &dice)
      for _ in 0..<way { hand.drag(by: direction) }
      var last = hand.offset
      for _ in 0..<way + 200 {
        hand.drag(by: -direction)
        let turned = (hand.offset - last) * direction
        #expect(turned >= -1e-9 && turned < 0.03, "\(turned), \(hand)")
        last = hand.offset
      }
      // The other leaf stays where it is, however far the finger goes back.
      #expect(last == 3, "\(hand)")
    }
  }

  @Test("follows a finger beside its page by the distance that the finger moves")
  func beside() {
    var checked = 0
    for seed in seeds(0..<200) {
      var dice = SplitMix64(seed: seed)
      var hand = Hand(isFlat: dice.happens(0.5))
      let direction: Double = dice.happens(0.5) ? 1 : -1
      let leaf = direction < 0 ? 4 : 3
      let isOutside = dice.happens(0.5)
      let x =
        isOutside
        ? Double.random(in: 420...511, using: &dice) : -.random(in: 40...511, using: &dice)
      hand.take(at: -direction * x)
      for _ in 0..<90 { hand.drag(by: direction) }
      let rests = hand.rests(of: PaperPoint(arc: 1, height: 0))
      var last: (finger: Double, edge: Double)?
      for _ in 0..<60 {
        hand.drag(by: .random(in: -2...12, using: &dice) * direction)
        let layout = hand.stage.taken.leaves.layout
        let shape = LeafShape(
          progress: hand.progress(of: leaf),
          bend: hand.bend,
          flatness: hand.stage.isFlat ? 1 : 0
        )
        let edge = SeenPoint(PaperPoint(arc: 1, height: 0), on: shape, of: layout)
          .place(at: shape.progress)
        // Where its edge rests, the leaf settles.
        guard edge < rests.right - 1, edge > rests.left + 1 else {
          last = nil
          continue
        }
        if let last {
          let slip = (edge - last.edge) - (hand.finger.x - last.finger)
          #expect(abs(slip) < 1e-6, "\(slip), \(hand)")
          checked += 1
        }
        last = (hand.finger.x, edge)
      }
    }
    #expect(replaysOneSeed || checked > 2000)
  }

  @Test("rests while the finger rests")
  func rests() {
    PagePress.forEach(100) { press, dice in
      var hand = press.hand
      hand.move(by: .random(in: 30...400, using: &dice) * press.direction, in: 20)
      let held = hand.frame
      for seconds in [0.01, 0.5, 30] {
        #expect(hand.stage.frame(at: hand.time + seconds) == held, "\(hand)")
      }
      hand.move(by: 0, in: 3)
      #expect(hand.frame == held, "\(hand)")
    }
  }

  @Test("bends towards the way on which it is pulled, and keeps its bend while the finger rests")
  func pulled() {
    for isFlat in [false, true] {
      for direction in [-1.0, 1] {
        var hand = Hand(isFlat: isFlat)
        hand.take(at: -200 * direction)
        for _ in 0..<160 { hand.drag(by: direction) }
        // A positive bend leads to the left.
        #expect(hand.bend * direction < -0.5)
        let bend = hand.bend
        hand.drag(by: 0, after: 3)
        #expect(hand.bend == bend)
        for _ in 0..<150 { hand.drag(by: -direction) }
        #expect(hand.bend * direction > 0.5)
        #expect(hand.frame.placements.contains { $0.key.part.strip != nil })
      }
    }
  }

  @Test("is not touched by a press that is not followed by a drag")
  func touchAlone() {
    for seed in seeds(0..<60) {
      var dice = SplitMix64(seed: seed)
      var stage = Hand(isFlat: dice.happens(0.5)).stage
      let far = [1e308, -.infinity, .nan].randomElement(using: &dice) ?? 0
      let place = Point(
        x: dice.happens(0.1) ? far : .random(in: -500...500, using: &dice),
        y: .random(in: -300...300, using: &dice)
      )
      let keys: [Key] = [.arrowRight, .end, .escape, .keyF]
      stage.apply(.key(keys.randomElement(using: &dice) ?? .end), at: 10)
      if dice.happens(0.3) { stage.apply(.go(book: "0/3", opens: true, page: 5), at: 10.1) }
      var touched = stage
      touched.apply(.touch(place), at: 10.2)
      for step in 0...80 {
        let time = 10.2 + Double(step) / 10
        #expect(touched.frame(at: time) == stage.frame(at: time), "SEED=\(seed)")
      }
      // Any input but a drag forgets the press.
      for input in [Input.key(.arrowLeft), .pan(.began, Point(x: 30, y: 0))] {
        stage.apply(input, at: 20)
        touched.apply(input, at: 20)
      }
      stage.apply(.pan(.changed, Point(x: 90, y: 0)), at: 20.1)
      touched.apply(.pan(.changed, Point(x: 90, y: 0)), at: 20.1)
      #expect(touched == stage, "SEED=\(seed)")
    }
  }
}
