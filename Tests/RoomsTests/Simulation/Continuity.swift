import Motion
import Scene
import Staging
import TestVectors

extension Input {
  /// Whether the input may move the finger, and the element that it holds.
  var movesFinger: Bool {
    switch self {
    case .pan(.changed, _), .pan(.ended, _), .pinch(.changed, _, _), .pinch(.ended, _, _): true
    case .wheel(_, _, let ctrl): ctrl
    case .tap, .touch, .pan, .pinch, .key, .lay, .close, .jump, .go, .images, .settle: false
    }
  }

  /// Whether pages may replace others: a jump skips the pages in between, and a key or a wheel may
  /// end a jump before it has begun.
  var exchangesPages: Bool {
    switch self {
    case .jump: true
    case .key(let key): key != .enter
    case .wheel(_, _, let ctrl): !ctrl
    default: false
    }
  }

  /// Whether the input may take a leaf from a finger, and land the jump to which the leaf belongs.
  var mayLandJump: Bool {
    switch self {
    case .pan(.cancelled, _), .pinch(.began, _, _): true
    default: false
    }
  }
}

/// Checks that nothing is in two places at once, and that nothing moves by a leap.
enum Continuity {
  /// Checks that an input that does not move the finger moves nothing at the time of the input.
  static func check(_ before: Frame, _ after: Frame, after input: Input) throws {
    // The book of a navigation becomes another element on its way, like a book that is tapped.
    if case .go = input { return }
    if input.exchangesPages {
      for new in after.placements {
        // Under the top page, more leaves may appear than the skipped ones left.
        if new.shade < topShade, new.shade > 0 { continue }
        guard before.hasLike(new) else {
          throw Violation("\(new.key) came from nowhere on \(input)")
        }
      }
      return
    }
    for (old, new) in pairs(before, after) {
      // Pages replace others where a jump lands, and more leaves appear under the top page.
      let isInBook = new.key.kind == .page || new.key.kind == .board
      let isUnder = new.shade < topShade && new.shade > 0
      if input.mayLandJump, isInBook, isUnder || before.hasLike(new) { continue }
      let leap = old.transform.maximumDifference(from: new.transform)
      guard leap <= (old.isTurned(like: new) ? pointSlack : 0),
        abs(old.opacity - new.opacity) <= progressSlack
      else { throw Violation("\(new.key) leapt by \(leap) on \(input)") }
    }
  }

  /// Checks that in the tick before a given time nothing moved further than its speed explains.
  static func checkSpeed(of stage: Stage, at time: Double) throws {
    let tick = 1.0 / 60
    let first = stage.frame(at: time - tick)
    let last = stage.frame(at: time)
    for (old, new) in pairs(first, last) {
      let way = old.distance(to: new)
      guard way > 2 * landingSlack else { continue }
      let greatest = greatestStep(of: new.key, in: stage, from: time - tick, for: tick)
      guard greatest.way > 4 * way / Double(parts) + landingSlack else { continue }
      // What begins to move late in the tick takes all its way in a few steps. The parts of such a
      // step are short, but a leap is as long in one of them.
      let start = greatest.end - tick / Double(parts)
      let part = greatestStep(of: new.key, in: stage, from: start, for: tick / Double(parts))
      guard part.way <= 4 * greatest.way / Double(parts) + landingSlack else {
        throw Violation("\(new.key) leapt by \(part.way) of \(way) in one tick at \(time)")
      }
    }
  }

  /// The number of steps into which times are divided to look for leaps.
  private static let parts = 16

  /// Returns the longest way that an element takes in one step of a time, and when the step ends.
  private static func greatestStep(
    of key: ElementKey,
    in stage: Stage,
    from start: Double,
    for duration: Double
  ) -> (way: Double, end: Double) {
    var greatest = (way: 0.0, end: start)
    var before: Placement?
    for part in 0...parts {
      let time = start + duration * Double(part) / Double(parts)
      guard let now = stage.frame(at: time).placements.first(where: { $0.key == key }) else {
        break
      }
      if let way = before?.distance(to: now), way > greatest.way { greatest = (way, time) }
      before = now
    }
    return greatest
  }

  static func checkFinite(_ frame: Frame) throws {
    for placement in frame.placements {
      guard placement.transform.isFinite, (0...1).contains(placement.opacity),
        (0...1).contains(placement.shade)
      else { throw Violation("\(placement) is out of range") }
    }
  }

  /// An element that is released or turned round within its tolerance is at rest at once: a quarter
  /// of a point.
  private static let pointSlack = 0.25
  /// The same for turns and opacities, whose whole is 1: an opening is at rest within a thousandth
  /// of the half turn that its cover makes.
  fileprivate static let progressSlack = 1e-3 * Double.pi
  /// A page on top of its stack has a shade of a half in the paper pose, those under it less.
  private static let topShade = 0.45
  /// A book lands within a thousandth of its way, which may be as long as two stages if its shelf
  /// still moves under it.
  private static let landingSlack = 2.0

  private static func pairs(_ a: Frame, _ b: Frame) -> [(Placement, Placement)] {
    b.placements.compactMap { new in
      a.placements.first { $0.key == new.key }.map { ($0, new) }
    }
  }
}

extension Transform3D {
  fileprivate func isNear(_ other: Transform3D) -> Bool {
    (0..<16).allSatisfy {
      abs(self[$0] - other[$0]) <= ($0 < 12 ? Continuity.progressSlack : 0.25)
    }
  }
}

extension Frame {
  /// Returns whether an element of the same kind is where another one is in another frame.
  fileprivate func hasLike(_ other: Placement) -> Bool {
    placements.contains { $0.key.kind == other.key.kind && $0.transform.isNear(other.transform) }
  }
}

extension Placement {
  /// Returns how far apart two placements of the same part are: the greatest difference of their
  /// entries, and of a shadow, which shortens its page in perspective, that of its seen corners.
  fileprivate func distance(to other: Placement) -> Double {
    guard key.part == .shadow else { return transform.maximumDifference(from: other.transform) }
    let side: Double = key.page.isMultiple(of: 2) ? 362 : -362
    let corners = [(0, -284), (0, 284), (side, -284), (side, 284)].map { Point(x: $0, y: $1) }
    return corners.map { corner in
      let (now, then) = (transform.transformed(corner), other.transform.transformed(corner))
      return max(abs(now.x - then.x), abs(now.y - then.y))
    }.max() ?? 0
  }

  /// Returns whether the entries that turn and scale, without those that move, are almost equal.
  fileprivate func isTurned(like other: Placement) -> Bool {
    (0..<12).allSatisfy { abs(transform[$0] - other.transform[$0]) <= Continuity.progressSlack }
  }
}
