internal import Motion
internal import Scene
internal import Staging

/// A window that shows one page of the spread: a step moves to the other page before it turns a
/// leaf.
extension ZoomControl {
  /// The outer fraction of the window in which a tap turns the page.
  private static let tapFraction = 1.0 / 3

  /// Whether the window shows one page of an open book.
  func showsPage(of stage: Stage) -> Bool {
    guard stage.openBook != nil, !isMagnified(over: stage) else { return false }
    return Framing.isTall(viewport) || plan(over: stage)?.showsOnePage == true
  }

  /// Moves to the next part of the page, or to the other page of the spread, if a step in that
  /// direction leads to it.
  /// - Parameters:
  ///   - step: The direction: positive towards the end of the book.
  ///   - stage: The stage.
  ///   - now: The current time, in seconds.
  /// - Returns: Whether the step is done; if not, it is for the stage.
  mutating func step(_ step: Int, over stage: Stage, at now: Double) -> Bool {
    if stepThroughParts(step, over: stage, at: now) { return true }
    let next: Framing.Page = step > 0 ? .second : .first
    guard framing.pageAtRest != next else { return false }
    return look(at: next, of: stage, from: step > 0 ? .start : .end, at: now)
  }

  /// Returns the direction in which a tap turns; nil if it does not turn.
  func turnByTap(at point: Point, _ inStage: Point, over stage: Stage) -> Int? {
    guard showsPage(of: stage) || isFitted(over: stage) else {
      return stage.turnsByTap(at: inStage) ? stage.step(towards: inStage.x) : nil
    }
    let share = point.x * window.scale / viewport.size.width
    guard abs(share) >= 0.5 - Self.tapFraction, abs(inStage.y) <= stage.pageReach.height
    else { return nil }
    return stage.step(towards: share)
  }
}

extension ZoomControl {
  /// The least distance that a finger pulls a leaf to turn it, as a fraction of the window.
  private static let pullFraction = 1.0 / 3

  /// Returns the direction in which a leaf turns that a finger has pulled past the middle of the
  /// window and releases; nil if the stage decides.
  ///
  /// The spine is at the edge of a window that shows one page, and anywhere if it is zoomed, so a
  /// finger cannot pull the leaf past the middle of its own way.
  func turnByPull(to point: Point, over stage: Stage, at time: Double) -> Int? {
    guard let pressed, showsPage(of: stage) || view.isZoomed else { return nil }
    let pulled = point.x - pressed.x
    let width = viewport.size.width / window.scale
    guard abs(pulled) >= Self.pullFraction * width, point.x * pulled > 0,
      stage.leafFallsBack(releasedAt: stagePoint(point, at: time), at: time)
    else { return nil }
    return stage.step(towards: -pulled)
  }
}

extension Stage {
  /// Returns the direction in which a step to the right, or a negative one to the left, turns the
  /// leaves of the open book: positive towards its end.
  func step(towards side: Double) -> Int { (side > 0) != isMirrored ? 1 : -1 }
}

extension Key {
  /// The key that turns a leaf in a direction: positive towards the end of the book.
  init(turning step: Int) { self = step > 0 ? .pageDown : .pageUp }

  /// Returns the direction in which the key turns a leaf; nil for other keys.
  func turn(in stage: Stage) -> Int? {
    switch self {
    case .arrowDown, .pageDown: 1
    case .arrowUp, .pageUp: -1
    case .arrowRight: stage.step(towards: 1)
    case .arrowLeft: stage.step(towards: -1)
    default: nil
    }
  }
}
