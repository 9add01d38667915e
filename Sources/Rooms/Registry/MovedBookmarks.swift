internal import Rates
internal import Scene

/// The bookmarks that moved in rooms and wait to be stored: those of a room together, and of each
/// book the last one.
///
/// A bookmark is here from the moment when it moves, so that it is stored even if its reader leaves
/// at once. Times are seconds of the rooms' clock.
struct MovedBookmarks: Sendable {
  /// How long a bookmark that has moved may wait to be stored, in seconds.
  static let seconds = 0.05

  /// The bookmarks by the names of the rooms, in the order in which they moved.
  private var all: [String: [Bookmark]] = [:]
  private var times = WakeTimes<String>()

  /// When bookmarks are to be stored; nil if none has moved.
  var wakeTime: Double? { times.soonest }

  /// Records that a bookmark has moved in a room.
  mutating func note(_ bookmark: Bookmark, in room: String, at now: Double) {
    all[room, default: []].removeAll { $0.book == bookmark.book }
    all[room, default: []].append(bookmark)
    if times[room] == nil { times[room] = now + Self.seconds }
  }

  /// The rooms whose bookmarks are to be stored by now.
  func due(at now: Double) -> [String] { times.due(at: now) }

  /// Lets the bookmarks of a room wait for longer.
  mutating func wait(in room: String, until time: Double) { times[room] = time }

  /// Removes the bookmarks of a room, and returns them.
  mutating func remove(in room: String) -> [Bookmark] {
    times[room] = nil
    return all.removeValue(forKey: room) ?? []
  }
}
