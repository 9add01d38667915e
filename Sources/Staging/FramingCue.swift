internal import Motion
internal import Scene

/// What a framing depends on of a stage: a framing that has followed a stage stays as it is while
/// this is the same.
package struct FramingCue: Equatable, Sendable {
  private var screen: Screen
  private var collection, book, spread: Int
  private var isDriven, isMirrored, isOpenFlat: Bool
  private var flatness: Double
  private var turning: Framing.Turning?
  /// The scroll of the wall at rest; nil if the covers are not a wall.
  private var wallFraction: Double?
  private var pageReach, coverSize: Size

  fileprivate init(_ stage: Stage, at time: Double) {
    screen = stage.destination
    (collection, book, spread) = (stage.collection, stage.book, stage.spread)
    (isDriven, isMirrored) = (stage.isDriven, stage.isMirrored)
    isOpenFlat = stage.isOpenFlat
    flatness = stage.taken.lay.target
    turning = stage.openBook == nil ? nil : stage.turning(at: time)
    wallFraction = stage.isWall ? stage.position.wallFraction : nil
    (pageReach, coverSize) = (stage.pageReach, stage.position.coverSize)
  }
}

extension Stage {
  /// Returns what framings depend on at a time.
  package func framingCue(at time: Double) -> FramingCue { FramingCue(self, at: time) }
}
