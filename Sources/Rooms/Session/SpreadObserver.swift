internal import Scene
internal import Staging

/// Notices when the bookmark of the book that was last opened on a stage has moved.
///
/// No other bookmark can move, so this costs one comparison, unlike ``Staging/Stage/bookmarks``.
struct SpreadObserver: Sendable {
  /// What was seen at the last call; nil if the next call is to report a move.
  private var last: Spread?

  /// Where the book that was last opened is or was open.
  private struct Spread: Sendable {
    /// Names the book by its id: its index changes with the library and with the shelf in view.
    let bookmark: Bookmark?
    let isOpen: Bool

    init(_ stage: borrowing Stage) {
      (bookmark, isOpen) = (stage.bookmark, stage.hasOpenBook)
    }
  }

  init(_ stage: borrowing Stage) { last = Spread(stage) }

  /// Returns whether the bookmark has moved since the last call, or the book was opened.
  ///
  /// Closing a book does not move its bookmark: another window may have moved it since.
  mutating func hasMoved(on stage: borrowing Stage) -> Bool {
    let spread = Spread(stage)
    defer { last = spread }
    guard let last else { return true }
    return spread.bookmark != last.bookmark || spread.isOpen && !last.isOpen
  }

  /// Lets the next call report a move, because the stage is another one.
  mutating func forget() { last = nil }
}
