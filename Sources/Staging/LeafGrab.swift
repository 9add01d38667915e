internal import Glibc
internal import Motion
internal import Scene

/// A leaf under a finger: the point of the paper that was touched stays under the finger.
///
/// Places are stage points to the right of the spine. A finger beside the leaf, or closer to the
/// spine than ``arcMin(of:flatness:)``, moves the leaf by its own distance, as if it held the edge
/// or the point at this arc. Beyond a place where the paper lies flat, the finger leaves it within
/// ``slack``.
struct LeafGrab: Equatable, Sendable {
  /// The least distance from the spine of a point that a finger holds, in points of the paper:
  /// closer to it, paper would turn wholly within a few points, and faster from the table.
  private static let reachMin = (standing: 72.0, flat: 145.0)
  /// The distance that a finger moves beyond the resting place of its point until the leaf is at
  /// rest, and over which it takes up a leaf that rests, in stage points.
  static let slack = 40.0
  /// The distance that a finger moves until it has pulled the leaf into its curve, in stage points.
  static let pullDistance = 100.0
  /// The bend of a leaf that a finger pulls.
  static let pullBend = 0.8
  private static let velocityMax = 10.0

  /// The index of the leaf; its offset is in index - 1...index.
  let leaf: Int
  /// The target offset of the leaves before they were grabbed.
  let targetBefore: Double
  /// The progress of the leaf from right to left, 0...1.
  private(set) var progress: Double
  /// The bend of the leaf, for the most flexible paper.
  private(set) var bend: Double
  /// How the leaf curls.
  let curl: Curl
  private let held: HeldPoint
  /// The finger's place at the start, and the farthest distance that it has moved from it.
  private let start: Double
  private var travel = 0.0
  private var last: Double
  /// The distance from the finger to the place of the point, constant and while it is taken up.
  private let offset: Double
  private let takeUp: Double
  /// How far the finger has pulled the leaf into its curve, -1...1.
  private var pull: Double
  private var tracker = VelocityTracker()

  /// Grabs a leaf.
  ///
  /// A leaf at rest curls most where it is taken; one on its way keeps its curl.
  /// - Parameters:
  ///   - leaf: The index of the leaf.
  ///   - leaves: The leaves of the book.
  ///   - flatness: The pose of the book.
  ///   - progress: The present progress of the leaf.
  ///   - finger: The finger's place, in stage points from the centre.
  ///   - flexibility: How far the paper bends, 0 for a rigid leaf and 1 for paper.
  ///   - time: The present time, in seconds.
  init(
    leaf: Int,
    of leaves: TurningLeaves,
    flatness: Double,
    progress: Double,
    finger: Point,
    flexibility: Double,
    at time: Double
  ) {
    let layout = leaves.layout
    (self.leaf, self.progress, targetBefore) = (leaf, progress, leaves.goal)
    bend = flexibility > 0 ? leaves.bend(at: time) : 0
    let shape = LeafShape(
      progress: progress,
      bend: bend * flexibility,
      rulings: leaves.curl.rulings,
      flatness: flatness
    )
    let touched = layout.paper(at: finger, on: shape)
    let arcMin = Self.arcMin(of: layout, flatness: flatness)
    let height = touched?.height ?? finger.y / layout.box.size.height
    let isResting = progress == 0 || progress == 1
    curl = isResting ? Curl(takenAt: height) : leaves.curl
    held = HeldPoint(
      point: PaperPoint(arc: max(touched?.arc ?? 1, arcMin), height: min(max(height, -0.5), 0.5)),
      layout: layout,
      flatness: flatness,
      rulings: curl.rulings,
      flexibility: flexibility
    )
    (start, last) = (finger.x, finger.x)
    pull = asin(min(max(bend / Self.pullBend, -1), 1)) * 2 / .pi
    let place = held.place(at: progress, bend: bend)
    let isHeld = touched.map { $0.arc >= arcMin } ?? false
    (offset, takeUp) = isHeld ? (0, place - finger.x) : (place - finger.x, 0)
    tracker.add(progress, at: time)
  }

  /// Returns the least arc that a finger holds.
  static func arcMin(of layout: BookLayout, flatness: Double) -> Double {
    let reach = reachMin.standing * (1 - flatness) + reachMin.flat * flatness
    return min(reach / layout.box.size.width, 1)
  }

  /// Moves the leaf with the finger.
  mutating func move(to finger: Double, at time: Double) {
    defer { tracker.add(progress, at: time) }
    guard finger != last else { return }
    travel = max(travel, abs(finger - start))
    let place = finger + offset + takeUp * (1 - smoothStep(travel / (2 * Self.slack)))
    let turn = min(max(pull + (last - finger) / Self.pullDistance, -1), 1) - pull
    let isForward = finger < last
    // Where a point barely moves, a bend that grows too fast alone would turn the leaf back.
    for share in [1, 0.5, 0.25, 0] {
      let bend = Self.bend(pulled: pull + turn * share)
      let found = held.progress(at: place, bend: bend)
      guard (isForward ? found >= progress : found <= progress) || share == 0 else { continue }
      pull += turn * share
      self.bend = bend
      // The leaf may be ahead of the finger while the finger takes it up.
      progress = isForward ? max(progress, found) : min(progress, found)
      break
    }
    last = finger
  }

  private static func bend(pulled pull: Double) -> Double { pullBend * sin(.pi / 2 * pull) }

  /// Returns the velocity of the leaf at a release, in leaves per second.
  func velocity(at time: Double) -> Double { tracker.slope(at: time, limit: Self.velocityMax) }

  /// Returns the offset at which the leaves come to rest after a release: the leaf completes its
  /// turn if it is past the middle or fast enough to pass it.
  func target(velocity: Double) -> Double {
    let turns = PercentDriven.finishes(progress: progress, velocity: velocity)
    let returns = PercentDriven.finishes(progress: 1 - progress, velocity: -velocity)
    // Both rules cancel a motion that is reversed at the end.
    let isTurned = turns == returns ? velocity > 0 : turns
    return Double(isTurned ? leaf : leaf - 1)
  }
}

/// A point of a leaf that a finger holds, with its place as a continuous function of the leaf's
/// progress, and the inverse.
///
/// Between the places where the point rests, it is where it is seen. Beyond them the leaf settles
/// within ``LeafGrab/slack``.
private struct HeldPoint: Equatable {
  let point: PaperPoint
  let layout: BookLayout
  let flatness: Double
  let rulings: Rulings
  /// How far the paper bends, 0 for a rigid leaf and 1 for paper.
  let flexibility: Double
  /// Where the point is seen when the leaf rests.
  private var rests: SeenPoint.Rests?

  init(
    point: PaperPoint,
    layout: BookLayout,
    flatness: Double,
    rulings: Rulings,
    flexibility: Double
  ) {
    (self.point, self.layout, self.flatness) = (point, layout, flatness)
    (self.rulings, self.flexibility) = (rulings, flexibility)
    rests = seen(bend: 0).rests
  }

  private func seen(bend: Double) -> SeenPoint {
    let shape = LeafShape(
      progress: 0,
      bend: bend * flexibility,
      rulings: rulings,
      flatness: flatness
    )
    return SeenPoint(point, on: shape, of: layout, rests: rests)
  }

  func progress(at place: Double, bend: Double) -> Double {
    let seen = seen(bend: bend)
    if place > seen.rests.right {
      let share = smoothStep((place - seen.rests.right) / LeafGrab.slack)
      return seen.progress(at: seen.rests.right) * (1 - share)
    }
    if place < seen.rests.left {
      let reached = seen.progress(at: seen.rests.left)
      return reached + (1 - reached) * smoothStep((seen.rests.left - place) / LeafGrab.slack)
    }
    return seen.progress(at: place)
  }

  func place(at progress: Double, bend: Double) -> Double {
    let seen = seen(bend: bend)
    let (first, last) = (seen.progress(at: seen.rests.right), seen.progress(at: seen.rests.left))
    if progress < first {
      return seen.rests.right + LeafGrab.slack * smoothStepInverse(1 - progress / first)
    }
    if progress > last {
      return seen.rests.left - LeafGrab.slack * smoothStepInverse((progress - last) / (1 - last))
    }
    return seen.place(at: progress)
  }
}

extension Curl {
  /// The distances from the middle of the page, in page heights, beyond which a leaf curls more at
  /// one end, and beyond which its corner leads.
  private static let ends = (slight: 0.12, full: 0.3)

  /// The curl of a leaf that is taken at a distance below its middle, in page heights.
  fileprivate init(takenAt height: Double) {
    guard abs(height) >= Self.ends.slight else {
      self = .even
      return
    }
    let isCorner = abs(height) >= Self.ends.full
    self = height > 0 ? (isCorner ? .lowerCorner : .lower) : (isCorner ? .upperCorner : .upper)
  }
}

/// The cubic from (0, 0) to (1, 1) that is level at both ends, constant beyond them.
private func smoothStep(_ value: Double) -> Double {
  let t = min(max(value, 0), 1)
  return t * t * (3 - 2 * t)
}

/// The inverse of ``smoothStep(_:)`` on 0...1.
private func smoothStepInverse(_ value: Double) -> Double {
  0.5 - sin(asin(1 - 2 * min(max(value, 0), 1)) / 3)
}
