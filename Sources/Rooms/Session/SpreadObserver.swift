internal import Staging

/// Notices when the bookmark of the book that was last opened on a stage may have moved.
///
/// No other bookmark can move, so this costs nothing, unlike ``Staging/Stage/bookmarks``.
struct SpreadObserver: Sendable {
  private var last: Spread

  /// Where the book that was last opened is or was open.
  private struct Spread: Equatable, Sendable {
    let collection, book, spread: Int
    let isFlat, isOpen: Bool

    init(_ stage: borrowing Stage) {
      (collection, book, spread) = (stage.collection, stage.book, stage.spread)
      isFlat = stage.isFlat
      isOpen = stage.hasOpenBook
    }
  }

  init(_ stage: borrowing Stage) { last = Spread(stage) }

  /// Returns whether the bookmark may have moved since the last call.
  mutating func hasMoved(on stage: borrowing Stage) -> Bool {
    let spread = Spread(stage)
    defer { last = spread }
    return spread != last
  }
}
