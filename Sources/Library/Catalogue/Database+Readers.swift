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
