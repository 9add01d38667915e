internal import Scene

/// Readers and their places in books as rows.
extension Database {
  /// No book has more spreads, but a damaged catalogue may contain larger numbers.
  private static let spreadMax = 1_000_000

  func allReaders() throws(DatabaseError) -> [ReaderRecord] {
    let places = try rows(
      """
      SELECT r.reader, b.public_id, r.spread, r.is_flat FROM reading r
      JOIN book b ON b.id = r.book_id ORDER BY r.reader, r.updated_at, b.public_id
      """
    ) { row in
      (
        reader: ReaderID(digest: row.blob(0)),
        place: BookPlace(
          book: row.text(1),
          spread: min(max(0, row.int(2)), Self.spreadMax),
          isFlat: row.bool(3)
        )
      )
    }
    let placesOfReader = Dictionary(grouping: places, by: \.reader)
    return try rows("SELECT digest, room, seen_at FROM reader ORDER BY seen_at, digest") { row in
      let id = ReaderID(digest: row.blob(0))
      return ReaderRecord(
        id: id,
        room: row.text(1),
        places: (placesOfReader[id] ?? []).map(\.place),
        lastSeen: row.real(2)
      )
    }
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

  func save(_ id: ReaderID, room: String, at time: Double) throws(DatabaseError) {
    try run(
      """
      INSERT INTO reader(digest, room, seen_at) VALUES(?1, ?2, ?3)
      ON CONFLICT DO UPDATE SET room = ?2, seen_at = ?3
      """,
      .blob(id.digest),
      .text(room),
      .real(time)
    )
  }

  /// Stores a place of a stored reader; ignores a place in a book that no longer exists.
  func save(_ place: BookPlace, of id: ReaderID, at time: Double) throws(DatabaseError) {
    try run(
      """
      INSERT INTO reading(reader, book_id, spread, is_flat, updated_at)
      SELECT ?1, id, ?2, ?3, ?4 FROM book WHERE public_id = ?5
      AND EXISTS(SELECT 1 FROM reader WHERE digest = ?1)
      ON CONFLICT DO UPDATE SET spread = ?2, is_flat = ?3, updated_at = ?4
      """,
      .blob(id.digest),
      .integer(place.spread),
      SQLValue(place.isFlat),
      .real(time),
      .text(place.book)
    )
  }

  /// Deletes readers not seen since a time, and readers and places beyond the limits.
  func forgetReaders(
    unseenSince time: Double,
    most: Int,
    places: Int
  ) throws(DatabaseError) {
    try run(
      """
      DELETE FROM reader WHERE seen_at < ?1 OR digest IN
      (SELECT digest FROM reader ORDER BY seen_at DESC LIMIT -1 OFFSET ?2)
      """,
      .real(time),
      .integer(most)
    )
    try run(
      """
      DELETE FROM reading WHERE (reader, book_id) IN
      (SELECT reader, book_id FROM
      (SELECT reader, book_id, row_number() OVER
      (PARTITION BY reader ORDER BY updated_at DESC) AS n FROM reading) WHERE n > ?1)
      """,
      .integer(places)
    )
  }
}
