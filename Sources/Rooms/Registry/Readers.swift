internal import Scene

/// The known readers: the room that each one owns, and where each one left its books.
///
/// All that it keeps is bounded. If there are too many readers, those that came only once are
/// forgotten first, then those that have not been here for longest: nobody can make the server
/// forget somebody else by coming often under new names.
struct Readers: Sendable {
  /// The maximum number of known readers, and of bookmarks of one reader.
  static let max = 10_000
  static let bookmarksMax = 200
  /// The maximum number of bookmarks of all readers.
  static let allBookmarksMax = 200_000

  struct Reader: Sendable {
    var room: String
    /// Where the reader left books; the last one is at the end.
    var bookmarks: [Bookmark] = []
    /// When the reader was last here, in seconds of the server's clock.
    var seen: Double
    /// Whether the reader has sent its secret, and not only received one.
    var hasReturned = false
  }

  private var all: [ReaderID: Reader] = [:]
  /// The owner of each room, by the room's name.
  private var owners: [String: ReaderID] = [:]
  private var bookmarkCount = 0

  init(_ records: [ReaderRecord], unixOffset: Double) {
    for record in records.sorted(by: { $0.lastSeen < $1.lastSeen }).suffix(Self.max) {
      let bookmarks = Array(record.bookmarks.suffix(Self.bookmarksMax))
      let seen = record.lastSeen - unixOffset
      all[record.id] = Reader(
        room: record.room,
        bookmarks: bookmarks,
        seen: seen,
        hasReturned: true
      )
      bookmarkCount += bookmarks.count
      if !record.room.isEmpty { owners[record.room] = record.id }
    }
    forgetSurplus()
  }

  subscript(id: ReaderID) -> Reader? { all[id] }

  func owner(of room: String) -> ReaderID? { owners[room] }

  /// Records that a reader is in its own room.
  mutating func came(_ id: ReaderID, room: String, hasReturned: Bool, at now: Double) {
    var reader = all[id] ?? Reader(room: room, seen: now)
    if reader.room != room { owners[reader.room] = nil }
    reader.room = room
    reader.seen = now
    reader.hasReturned = reader.hasReturned || hasReturned
    all[id] = reader
    owners[room] = id
    forgetSurplus()
  }

  /// Records where a reader leaves a book now, whatever the clock of a previous owner of the room
  /// was.
  /// - Returns: The bookmark, which is newer than the reader's others; nil if it has not moved. A
  ///   book that was never opened is at its beginning.
  mutating func note(_ bookmark: Bookmark, of id: ReaderID, at now: Double) -> Bookmark? {
    guard let reader = all[id] else { return nil }
    let before = reader.bookmarks.last { $0.book == bookmark.book }
    guard !bookmark.isSame(as: before ?? Bookmark(book: bookmark.book, spread: 0)) else {
      return nil
    }
    var bookmark = bookmark
    // The list is ordered by time, so this makes it the last one.
    bookmark.time = Swift.max(bookmark.time, reader.bookmarks.last?.time.nextUp ?? 0)
    put(bookmark, of: id, at: now)
    return bookmark
  }

  /// Records a bookmark that another process stored, unless a newer one is known.
  mutating func learn(_ bookmark: Bookmark, of id: ReaderID) {
    guard let reader = all[id] else { return }
    let before = reader.bookmarks.last { $0.book == bookmark.book }
    guard bookmark.time > before?.time ?? -.infinity else { return }
    put(bookmark, of: id, at: reader.seen)
  }

  /// Puts a bookmark into the list of a reader, which is ordered by time.
  private mutating func put(_ bookmark: Bookmark, of id: ReaderID, at now: Double) {
    // This avoids a copy of the list when it is changed.
    guard var reader = all.removeValue(forKey: id) else { return }
    bookmarkCount -= reader.bookmarks.count
    reader.bookmarks.removeAll { $0.book == bookmark.book }
    let index = reader.bookmarks.lastIndex { $0.time <= bookmark.time }.map { $0 + 1 } ?? 0
    reader.bookmarks.insert(bookmark, at: index)
    if reader.bookmarks.count > Self.bookmarksMax { reader.bookmarks.removeFirst() }
    reader.seen = now
    bookmarkCount += reader.bookmarks.count
    all[id] = reader
    forgetSurplus()
  }

  /// Forgets readers, a sixteenth at once, so that each of many newcomers costs little.
  private mutating func forgetSurplus() {
    guard all.count > Self.max || bookmarkCount > Self.allBookmarksMax else { return }
    let inOrder = all.sorted {
      let (one, other) = ($0.value, $1.value)
      guard one.hasReturned == other.hasReturned else { return other.hasReturned }
      return (one.seen, one.room) < (other.seen, other.room)
    }
    let (most, mostBookmarks) = (Self.max / 16 * 15, Self.allBookmarksMax / 16 * 15)
    for (id, reader) in inOrder {
      guard all.count > most || bookmarkCount > mostBookmarks else { return }
      all[id] = nil
      bookmarkCount -= reader.bookmarks.count
      if owners[reader.room] == id { owners[reader.room] = nil }
    }
  }
}
