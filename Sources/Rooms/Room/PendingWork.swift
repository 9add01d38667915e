internal import Fabric
internal import Scene
internal import Staging

/// What a room needs from the registry since the last call.
struct PendingWork {
  let wakeTime: Double?
  let hasMovedBookmark: Bool
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
    let hasMovedBookmark = hasMovedBookmark()
    let book = hasMovedBookmark ? openBook : announced.openBook
    defer { (announced.presenter, announced.openBook) = (leadership.presenter, book) }
    return PendingWork(
      wakeTime: wakeTime(shared: sharedWake),
      hasMovedBookmark: hasMovedBookmark,
      spentTokens: roster.takeSpentTokens(),
      hasNewCode: sharing.hasChangedCode(),
      hasNewRecord: hasNewRecord,
      record: hasNewRecord ? record : nil,
      hasNewPresenter: announced.presenter != leadership.presenter,
      hasNewBook: announced.openBook != book
    )
  }

  /// The bookmarks of the books that the room's owner has open, in the shared session and outside.
  ///
  /// What other members read outside, including hosts, does not move the owner's bookmarks.
  var bookmarks: [Bookmark] {
    let own = wanderers.ids.filter { isOut($0) && person($0)?.reader == owner }
    let shown = shared.isPlayback ? [] : [shared.stage]
    return (shown + own.compactMap { wanderers[$0]?.session.stage }).compactMap(\.bookmark)
  }

  /// Returns whether a bookmark may have moved since the last call.
  mutating func hasMovedBookmark() -> Bool {
    let hasMovedOutside = isShared && wanderers.hasMovedBookmark()
    return shared.hasMovedBookmark() || hasMovedOutside
  }
}
