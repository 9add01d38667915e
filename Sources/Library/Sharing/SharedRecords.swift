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
    if let room, room.isFit { try rows.save(room) } else { try rows.forgetRoom(name) }
    try rows.outgoing.setBase("\(updatedAt)", tag: tag, .room, name)
    try rows.outgoing.dequeue(.room, name)
    return true
  }
}

extension SharedReader {
  /// Puts the places of the reader into the catalogue; newer ones stay.
  func apply(to rows: Database, as id: ReaderID, tag: String?) throws(DatabaseError) {
    let name = Hexadecimal.text(id.digest)
    let known = try rows.sharedReader(id)
    let wasOutgoing = try rows.outgoing.changed(.reader, name) != nil
    if updatedAt > known?.updatedAt ?? -.infinity {
      try rows.save(id, room: String(room.prefix(64)), at: updatedAt)
    }
    for (book, place) in places.prefix(BookLibrary.readerPlacesMax)
    where place.updatedAt > known?.places[book]?.updatedAt ?? -.infinity {
      let spread = min(max(0, place.spread), 1_000_000)
      try rows.save(
        BookPlace(book: book, spread: spread, isFlat: place.isFlat),
        of: id,
        at: place.updatedAt
      )
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
