internal import Scene

/// Readers and their places in books as rows.
struct ReaderTable {
  let database: Database

  /// No book has more spreads, but a damaged catalogue may contain larger numbers.
  private static let spreadMax = 1_000_000

  func all() throws(DatabaseError) -> [ReaderRecord] {
    let places = try database.rows(
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
    return try database.rows(
      "SELECT digest, room, seen_at FROM reader ORDER BY seen_at, digest"
    ) { row in
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
  func reader(_ id: ReaderID) throws(DatabaseError) -> SharedReader? {
    let found = try database.first(
      "SELECT room, seen_at FROM reader WHERE digest = \(id.digest)"
    ) { ($0.text(0), $0.real(1)) }
    guard let (room, time) = found else { return nil }
    let places = try database.rows(
      """
      SELECT b.public_id, r.spread, r.is_flat, r.updated_at FROM reading r
      JOIN book b ON b.id = r.book_id WHERE r.reader = \(id.digest)
      """
    ) { row in
      (
        row.text(0),
        SharedReader.Place(spread: max(0, row.int(1)), isFlat: row.bool(2), updatedAt: row.real(3))
      )
    }
    return SharedReader(room: room, updatedAt: time, places: Dictionary(places) { $1 })
  }

  func save(_ id: ReaderID, room: String, at time: Double) throws(DatabaseError) {
    try database.run(
      """
      INSERT INTO reader(digest, room, seen_at) VALUES(\(id.digest), \(room), \(time))
      ON CONFLICT DO UPDATE SET room = excluded.room, seen_at = excluded.seen_at
      """
    )
  }

  /// Stores a place of a stored reader; ignores a place in a book that no longer exists.
  func save(_ place: BookPlace, of id: ReaderID, at time: Double) throws(DatabaseError) {
    try database.run(
      """
      INSERT INTO reading(reader, book_id, spread, is_flat, updated_at)
      SELECT digest, id, \(place.spread), \(place.isFlat), \(time) FROM book, reader
      WHERE public_id = \(place.book) AND digest = \(id.digest)
      ON CONFLICT DO UPDATE SET spread = excluded.spread, is_flat = excluded.is_flat,
        updated_at = excluded.updated_at
      """
    )
  }

  /// Deletes readers not seen since a time, and readers and places beyond the limits.
  func forget(unseenSince time: Double, most: Int, places: Int) throws(DatabaseError) {
    try database.run(
      """
      DELETE FROM reader WHERE seen_at < \(time) OR digest IN
      (SELECT digest FROM reader ORDER BY seen_at DESC LIMIT -1 OFFSET \(most))
      """
    )
    try database.run(
      """
      DELETE FROM reading WHERE (reader, book_id) IN
      (SELECT reader, book_id FROM
      (SELECT reader, book_id, row_number() OVER
      (PARTITION BY reader ORDER BY updated_at DESC) AS n FROM reading) WHERE n > \(places))
      """
    )
  }
}
