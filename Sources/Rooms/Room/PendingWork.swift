internal import Fabric
internal import Scene
internal import Staging

/// What a room needs from the registry since the last call.
struct PendingWork {
  let wakeTime: Double?
  /// The bookmarks that the room's owner has moved.
  let movedBookmarks: [Bookmark]
  /// Digests of resume tokens that are no longer valid: those of members that left for good, and
  /// those that were used.
  let spentTokens: [[UInt8]]
  /// Whether the room's code has changed.
  let hasNewCode: Bool
  /// Whether the room's record has changed.
  let hasNewRecord: Bool
  /// The changed record; nil if the room is not shared.
  let record: RoomRecord?
  /// Whether another member presents than before.
  let hasNewPresenter: Bool
  /// Whether another book is open than before.
  let hasNewBook: Bool

  /// Whether the state with which another process would continue the room may have changed.
  var changesState: Bool {
    hasNewCode || hasNewRecord || hasNewPresenter || hasNewBook || !spentTokens.isEmpty
  }
}

extension Room {
  /// Returns what the room needs; the cost does not depend on the number of members.
  mutating func takePendingWork() -> PendingWork {
    let hasNewRecord = sharing.hasChanged()
    let sharedWake = readShared { $0.wakeTime }
    let hasMoved = shared.hasMovedBookmark()
    for id in wanderers.takeChanged() { roster.passes.noteChange(of: id) }
    let isOpen = readShared { $0.stage.hasOpenBook }
    let book = hasMoved || !isOpen ? openBook : announced.openBook
    defer { (announced.presenter, announced.openBook) = (leadership.presenter, book) }
    return PendingWork(
      wakeTime: wakeTime(shared: sharedWake),
      movedBookmarks: takeMovedBookmarks(inShared: hasMoved),
      spentTokens: roster.takeSpentTokens(),
      hasNewCode: sharing.hasChangedCode(),
      hasNewRecord: hasNewRecord,
      record: hasNewRecord ? record : nil,
      hasNewPresenter: announced.presenter != leadership.presenter,
      hasNewBook: announced.openBook != book
    )
  }

  /// Returns the bookmarks that the room's owner has moved since the last call: in the shared
  /// session, unless that plays a recording, and, of other books than the shared one, outside.
  ///
  /// What other members read outside, including hosts, does not move the owner's bookmarks.
  private mutating func takeMovedBookmarks(inShared hasMoved: Bool) -> [Bookmark] {
    var moved = wanderers.takeMovedBookmarks().filter { $0.book != record?.book }
    if hasMoved, !shared.isPlayback, let bookmark = readShared({ $0.stage.bookmark }) {
      moved.insert(bookmark, at: 0)
    }
    return moved
  }
}
