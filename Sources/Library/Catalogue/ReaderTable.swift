internal import Scene

/// Readers and their bookmarks as rows.
struct ReaderTable {
  let database: Database

  /// Returns all readers, the one seen last at the end, each with its bookmarks.
  func all() throws(DatabaseError) -> [ReaderRecord] {
    let bookmarks = Dictionary(grouping: try bookmarks("TRUE"), by: \.reader)
    return try database.rows(
      "SELECT digest, room, seen_at FROM reader ORDER BY seen_at, digest"
    ) { Self.reader($0, bookmarks[ReaderID(digest: $0.blob(0))] ?? []) }
  }

  /// Returns the record of a reader; nil if the reader is not stored.
  func reader(_ id: ReaderID) throws(DatabaseError) -> ReaderRecord? {
    let bookmarks = try bookmarks("r.reader = \(id.digest)")
    return try database.first(
      "SELECT digest, room, seen_at FROM reader WHERE digest = \(id.digest)"
    ) { Self.reader($0, bookmarks) }
  }

  private typealias OwnedBookmark = (reader: ReaderID, bookmark: Bookmark)

  private static func reader(_ row: Row, _ bookmarks: [OwnedBookmark]) -> ReaderRecord {
    ReaderRecord(
      id: ReaderID(digest: row.blob(0)),
      room: row.text(1),
      bookmarks: bookmarks.map(\.bookmark),
      lastSeen: row.real(2)
    )
  }

  /// Returns bookmarks with the most recent of each reader at the end.
  private func bookmarks(_ condition: SQL) throws(DatabaseError) -> [OwnedBookmark] {
    try database.rows(
      """
      SELECT r.reader, b.public_id, r.spread, r.is_flat, r.updated_at FROM reading r
      JOIN book b ON b.id = r.book_id WHERE \(condition)
      ORDER BY r.reader, r.updated_at, b.public_id
      """
    ) { row in
      (
        ReaderID(digest: row.blob(0)),
        Bookmark(
          book: row.text(1),
          spread: row.int(2),
          isFlat: row.bool(3),
          time: row.real(4)
        )
      )
    }
  }

  func save(_ id: ReaderID, room: String, at time: Double) throws(DatabaseError) {
    try database.run(
      """
      INSERT INTO reader(digest, room, seen_at) VALUES(\(id.digest), \(room), \(time))
      ON CONFLICT DO UPDATE SET room = excluded.room, seen_at = excluded.seen_at
      """
    )
  }

  /// Stores a bookmark of a stored reader; ignores one in a book that no longer exists.
  func save(_ bookmark: Bookmark, of id: ReaderID) throws(DatabaseError) {
    try database.run(
      """
      INSERT INTO reading(reader, book_id, spread, is_flat, updated_at)
      SELECT digest, id, \(bookmark.spread), \(bookmark.isFlat), \(bookmark.time)
      FROM book, reader WHERE public_id = \(bookmark.book) AND digest = \(id.digest)
      ON CONFLICT DO UPDATE SET spread = excluded.spread, is_flat = excluded.is_flat,
        updated_at = excluded.updated_at
      """
    )
  }

  /// Deletes readers not seen since a time, and readers and bookmarks beyond the limits.
  func forget(unseenSince time: Double, most: Int, bookmarks: Int) throws(DatabaseError) {
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
      (PARTITION BY reader ORDER BY updated_at DESC) AS n FROM reading) WHERE n > \(bookmarks))
      """
    )
  }
}
