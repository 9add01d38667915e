internal import Fabric
internal import Scene

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

  /// Whether more than the place of the state with which another process would continue the room
  /// may have changed.
  var changesState: Bool {
    hasNewCode || hasNewRecord || hasNewPresenter || !spentTokens.isEmpty
  }
}

extension Room {
  /// Returns what the room needs; the cost does not depend on the number of members.
  mutating func takePendingWork() -> PendingWork {
    let hasNewRecord = sharing.hasChanged()
    let sharedWake = readShared { $0.wakeTime }
    defer { announced.presenter = leadership.presenter }
    return PendingWork(
      wakeTime: wakeTime(shared: sharedWake),
      hasMovedBookmark: hasMovedBookmark(),
      spentTokens: roster.takeSpentTokens(),
      hasNewCode: sharing.hasChangedCode(),
      hasNewRecord: hasNewRecord,
      record: hasNewRecord ? record : nil,
      hasNewPresenter: announced.presenter != leadership.presenter
    )
  }
}
