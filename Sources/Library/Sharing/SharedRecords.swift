internal import Bytes
internal import Scene

/// The record of a room in a store; the newer one holds.
struct SharedRoom: Codable, Equatable, Sendable {
  /// When the room changed, in Unix seconds.
  var updatedAt: Double
  /// The room; nil if it was deleted.
  var room: RoomRecord?
}

/// A reader's places in a store; of two records, the newer place in each book holds.
struct SharedReader: Codable, Equatable, Sendable {
  struct Place: Codable, Equatable, Sendable {
    var spread: Int
    var isFlat: Bool
    /// When the reader left it, in Unix seconds.
    var updatedAt: Double
  }

  /// The reader's own room; empty if there is none.
  var room: String
  /// When the reader was last seen, in Unix seconds.
  var updatedAt: Double
  /// The places by the id of the book.
  var places: [String: Place]

  /// Combines two records.
  func merged(with other: SharedReader) -> SharedReader {
    let newer = other.updatedAt > updatedAt ? other : self
    let all = places.merging(other.places) { $0.updatedAt >= $1.updatedAt ? $0 : $1 }
    let kept = all.sorted { ($0.value.updatedAt, $0.key) > ($1.value.updatedAt, $1.key) }
      .prefix(BookLibrary.readerPlacesMax)
    return SharedReader(
      room: newer.room,
      updatedAt: newer.updatedAt,
      places: Dictionary(kept.map { ($0.key, $0.value) }) { one, _ in one }
    )
  }
}

extension Database {
  /// Returns a stored room; nil if there is none.
  func room(named name: String) throws(DatabaseError) -> RoomRecord? {
    try allRooms(named: name).first
  }

  /// Puts a room from a store into the catalogue.
  /// - Returns: Whether the catalogue has changed.
  func apply(
    _ shared: SharedRoom,
    of name: String,
    tag: String?,
    at now: Double
  ) throws(DatabaseError) -> Bool {
    let known = try base(.room, name).flatMap { Double($0) } ?? -.infinity
    if shared.updatedAt <= known {
      if let tag { try setTag(tag, .room, name) }
      // An older state was restored in the store.
      if shared.updatedAt < known { try enqueue(.room, name, at: now) }
      return false
    }
    let waiting = try first(
      "SELECT changed FROM outgoing WHERE kind = 'room' AND name = ?",
      .text(name)
    ) { $0.real(0) }
    if let waiting, waiting >= shared.updatedAt {
      if let tag { try setTag(tag, .room, name) }
      return false
    }
    if let room = shared.room, room.isFit { try save(room) } else { try forgetRoom(name) }
    try setBase("\(shared.updatedAt)", tag: tag, .room, name)
    try dequeue(.room, name)
    return true
  }

  /// Returns the record of a reader; nil if the reader is not stored.
  func sharedReader(_ id: ReaderID) throws(DatabaseError) -> SharedReader? {
    let found = try first("SELECT room, seen_at FROM reader WHERE digest = ?", .blob(id.digest)) {
      ($0.text(0), $0.real(1))
    }
    guard let (room, time) = found else { return nil }
    let places = try rows(
      """
      SELECT b.public_id, r.spread, r.is_flat, r.updated_at FROM reading r
      JOIN book b ON b.id = r.book_id WHERE r.reader = ?
      """,
      .blob(id.digest)
    ) { row in
      (
        row.text(0),
        SharedReader.Place(
          spread: max(0, row.int(1)),
          isFlat: row.bool(2),
          updatedAt: row.real(3)
        )
      )
    }
    return SharedReader(room: room, updatedAt: time, places: Dictionary(places) { $1 })
  }

  /// Puts the places of a reader from a store into the catalogue; newer ones stay.
  func apply(_ shared: SharedReader, of id: ReaderID, tag: String?) throws(DatabaseError) {
    let name = Hexadecimal.text(id.digest)
    let known = try sharedReader(id)
    let wasOutgoing = try isOutgoing(.reader, name)
    if shared.updatedAt > known?.updatedAt ?? -.infinity {
      try save(id, room: String(shared.room.prefix(64)), at: shared.updatedAt)
    }
    for (book, place) in shared.places.prefix(BookLibrary.readerPlacesMax)
    where place.updatedAt > known?.places[book]?.updatedAt ?? -.infinity {
      let spread = min(max(0, place.spread), 1_000_000)
      try save(
        BookPlace(book: book, spread: spread, isFlat: place.isFlat),
        of: id,
        at: place.updatedAt
      )
    }
    if let tag { try setTag(tag, .reader, name) }
    if !wasOutgoing { try dequeue(.reader, name) }
  }
}

extension RoomRecord {
  /// Whether its keys and its owner are digests, as the catalogue requires.
  fileprivate var isFit: Bool {
    owner.digest.count == 32 && keys.allSatisfy { $0.digest.count == 32 } && keys.count <= 1000
  }
}
