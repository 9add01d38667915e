internal import Bytes
internal import Scene

/// The record of a room in a store; the newer one holds.
struct SharedRoom: Codable, Equatable, Sendable {
  /// When the room changed, in Unix seconds.
  var updatedAt: Double
  /// The room; nil if it was deleted.
  var room: RoomRecord?
}

extension SharedRoom {
  /// Puts the room into the catalogue.
  /// - Returns: Whether the catalogue has changed.
  func apply(
    to rows: Database,
    as name: String,
    tag: String?,
    at now: Double
  ) throws(DatabaseError) -> Bool {
    let known = try rows.outgoing.base(.room, name).flatMap { Double($0) } ?? -.infinity
    // An older state was restored in the store.
    if updatedAt < known { try rows.outgoing.enqueue(.room, name, at: now) }
    let waiting = try rows.outgoing.changed(.room, name) ?? -.infinity
    guard updatedAt > known, updatedAt > waiting else {
      if let tag { try rows.outgoing.setTag(tag, .room, name) }
      return false
    }
    if let room, room.isFit { try rows.rooms.save(room) } else { try rows.rooms.forget(name) }
    try rows.outgoing.setBase("\(updatedAt)", tag: tag, .room, name)
    try rows.outgoing.dequeue(.room, name)
    return true
  }
}

/// The form in which a store keeps a reader; see `ReaderRecord`.
struct SharedReader: Codable, Sendable {
  private struct Entry: Codable, Sendable {
    var spread: Int
    var isFlat: Bool
    /// When the reader left it, in Unix seconds.
    var updatedAt: Double
  }

  private var room: String
  /// When the reader was last seen, in Unix seconds.
  private var updatedAt: Double
  /// The bookmarks by the id of the book.
  private var places: [String: Entry]

  init(_ reader: ReaderRecord) {
    (room, updatedAt) = (reader.room, reader.lastSeen)
    places = reader.bookmarks.reduce(into: [:]) {
      $0[$1.book] = Entry(spread: $1.spread, isFlat: $1.isFlat, updatedAt: $1.time)
    }
  }

  /// The record of the reader with an id; what another process wrote is bounded.
  func record(of id: ReaderID) -> ReaderRecord {
    let bookmarks = places.map { book, entry in
      Bookmark(
        book: book,
        spread: entry.spread,
        isFlat: entry.isFlat,
        time: entry.updatedAt
      )
    }
    return ReaderRecord(
      id: id,
      room: String(room.prefix(64)),
      bookmarks: ReaderRecord.newest(bookmarks),
      lastSeen: updatedAt
    )
  }
}

extension ReaderRecord {
  /// Returns the bookmarks that are kept, with the most recent at the end.
  fileprivate static func newest(_ bookmarks: [Bookmark]) -> [Bookmark] {
    Array(
      bookmarks.sorted { ($0.time, $0.book) < ($1.time, $1.book) }
        .suffix(BookLibrary.readerBookmarksMax)
    )
  }

  /// Combines two records of a reader: of two bookmarks of a book, the newer one holds.
  func merged(with other: ReaderRecord) -> ReaderRecord {
    var merged = other.lastSeen > lastSeen ? other : self
    let all = (bookmarks + other.bookmarks).map { ($0.book, $0) }
    merged.bookmarks = Self.newest(
      Array(Dictionary(all) { $0.time >= $1.time ? $0 : $1 }.values)
    )
    return merged
  }

  /// Puts the reader and its newer bookmarks into the catalogue.
  func apply(to rows: Database, tag: String?) throws(DatabaseError) {
    let name = Hexadecimal.text(id.digest)
    let known = try rows.readers.reader(id)
    let wasOutgoing = try rows.outgoing.changed(.reader, name) != nil
    if lastSeen > known?.lastSeen ?? -.infinity {
      try rows.readers.save(id, room: room, at: lastSeen)
    }
    let times = Dictionary((known?.bookmarks ?? []).map { ($0.book, $0.time) }) { $1 }
    for bookmark in bookmarks where bookmark.time > times[bookmark.book] ?? -.infinity {
      try rows.readers.save(bookmark, of: id)
    }
    if let tag { try rows.outgoing.setTag(tag, .reader, name) }
    if !wasOutgoing { try rows.outgoing.dequeue(.reader, name) }
  }
}

extension RoomRecord {
  /// Whether its keys and its owner are digests, as the catalogue requires.
  fileprivate var isFit: Bool {
    owner.digest.count == 32 && keys.allSatisfy { $0.digest.count == 32 } && keys.count <= 1000
  }
}
