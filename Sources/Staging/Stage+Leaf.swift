package import Motion
internal import Scene

/// A finger that turns a leaf of the open book.
extension Stage {
  /// The distance that a finger has to move before it is known which way it turns, in stage points.
  private static let decisiveDistance = 0.5

  /// Returns what a finger grabs that is put down on the open book.
  func takeLeaf(at point: Point, touched: Point?, time: Double) -> Gesture {
    guard dragRule != .scroll else { return scrollLeaves(from: point, at: time) }
    let offset = taken.leaves.turn.value(at: time)
    let last = taken.leaves.layout.maximumOffset
    // A book that is pulled beyond its end yields.
    guard (0...last).contains(offset) else { return scrollLeaves(from: point, at: time) }
    let leaf = Int(offset.rounded(.up))
    // A leaf on its way is caught, also one that waits, whichever way the finger moves.
    guard offset < Double(leaf) else {
      return .leaf(.undecided(touched ?? point, targetBefore: taken.leaves.goal))
    }
    return .leaf(.held(grab(leaf, at: point, offset: offset, time: time)))
  }

  /// Returns the gesture that scrolls the leaves.
  private func scrollLeaves(from point: Point, at time: Double) -> Gesture {
    let goal = taken.leaves.goal
    let grab = Grab(
      taken.leaves.turn,
      on: leavesTrack,
      finger: point.x,
      gain: -1 / Self.size.width,
      at: time,
      goal: goal
    )
    // A leaf caught on its way counts as turned; of a longer way only the visible part counts.
    let isNear = abs(grab.value - goal.rounded()) <= 1
    return .leaves(grab, start: Int((isNear ? goal : grab.value).rounded()))
  }

  private func grab(_ leaf: Int, at point: Point, offset: Double, time: Double) -> LeafGrab {
    LeafGrab(
      leaf: leaf,
      of: taken.leaves,
      flatness: clamp(taken.lay.value(at: time)),
      progress: min(max(offset - Double(leaf - 1), 0), 1),
      finger: point,
      flexibility: flexibility,
      at: time
    )
  }

  mutating func followLeaf(_ held: HeldLeaf, to point: Point, at time: Double) {
    switch held {
    case .held(var grab):
      grab.move(to: point.x, at: time)
      gesture = .leaf(.held(grab))
      taken.leaves.hold(at: Double(grab.leaf - 1) + grab.progress, bend: grab.bend, curl: grab.curl)
    case .undecided(let touched, _):
      let moved = point.x - touched.x
      let offset = taken.leaves.turn.value(at: time)
      guard abs(moved) >= Self.decisiveDistance else { return taken.leaves.hold(at: offset) }
      let spread = offset.rounded()
      let leaf = Int(min(max(spread, 0), 1e15)) + (moved < 0 ? 1 : 0)
      guard leaf >= 1, Double(leaf) <= taken.leaves.layout.maximumOffset else {
        // No leaf is left on this side.
        if dragRule == .covers {
          return pull(from: touched, to: point, onBack: moved < 0, at: time)
        }
        gesture = scrollLeaves(from: touched, at: time)
        if case .leaves(var grab, let start) = gesture {
          grab.move(to: point.x, at: time)
          gesture = .leaves(grab, start: start)
          taken.leaves.hold(at: grab.value)
        }
        return
      }
      followLeaf(.held(grab(leaf, at: touched, offset: offset, time: time)), to: point, at: time)
    }
  }

  /// Returns whether the leaf that a finger holds would fall back if the finger let it go at a
  /// point, and is not flung back.
  package func leafFallsBack(releasedAt point: Point, at time: Double) -> Bool {
    guard case .leaf(.held(let grab)) = gesture else { return false }
    var released = self
    released.apply(.pan(.ended, point), at: time)
    let way = grab.targetBefore.rounded() < Double(grab.leaf) ? 1.0 : -1
    return released.spread == Int(grab.targetBefore.rounded())
      && grab.velocity(at: time) * way > -Self.flungBack
  }

  /// The velocity above which a leaf is flung, in leaves per second.
  private static let flungBack = 0.5

  mutating func letGoLeaf(_ held: HeldLeaf, cancelled: Bool, at time: Double) {
    switch held {
    case .undecided(_, let targetBefore):
      let offset = taken.leaves.goal
      taken.leaves.turn(to: targetBefore.rounded(), from: offset, velocity: 0, at: time)
    case .held(let grab):
      taken.pastEnd = nil
      let velocity = cancelled ? 0 : grab.velocity(at: time)
      let target = cancelled ? grab.targetBefore.rounded() : grab.target(velocity: velocity)
      let offset = Double(grab.leaf - 1) + grab.progress
      taken.leaves.turn(to: target, from: offset, velocity: velocity, at: time)
    }
  }
}
