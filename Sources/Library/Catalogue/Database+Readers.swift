internal import Scene

/// Readers and their bookmarks as rows.
extension Database {
  /// No book has more spreads, but a damaged catalogue may contain larger numbers.
  private static let spreadMax = 1_000_000

  /// Returns all readers, the one seen last at the end, each with its bookmarks.
  func allReaders() throws(DatabaseError) -> [ReaderRecord] {
    let bookmarks = Dictionary(grouping: try bookmarks("TRUE", []), by: \.reader)
    return try rows("SELECT digest, room, seen_at FROM reader ORDER BY seen_at, digest") {
      Self.reader($0, bookmarks[ReaderID(digest: $0.blob(0))] ?? [])
    }
  }

  /// Returns the record of a reader; nil if the reader is not stored.
  func reader(_ id: ReaderID) throws(DatabaseError) -> ReaderRecord? {
    let bookmarks = try bookmarks("r.reader = ?", [.blob(id.digest)])
    return try first("SELECT digest, room, seen_at FROM reader WHERE digest = ?", .blob(id.digest))
    {
      Self.reader($0, bookmarks)
    }
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
  private func bookmarks(
    _ condition: String,
    _ values: [SQLValue]
  ) throws(DatabaseError) -> [OwnedBookmark] {
    try rows(
      """
      SELECT r.reader, b.public_id, r.spread, r.is_flat, r.updated_at FROM reading r
      JOIN book b ON b.id = r.book_id WHERE \(condition)
      ORDER BY r.reader, r.updated_at, b.public_id
      """,
      values
    ) { row in
      (
        ReaderID(digest: row.blob(0)),
        Bookmark(
          book: row.text(1),
          spread: min(max(0, row.int(2)), Self.spreadMax),
          isFlat: row.bool(3),
          time: row.real(4)
        )
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

  /// Stores a bookmark of a stored reader; ignores one in a book that no longer exists.
  func save(_ bookmark: Bookmark, of id: ReaderID) throws(DatabaseError) {
    try run(
      """
      INSERT INTO reading(reader, book_id, spread, is_flat, updated_at)
      SELECT ?1, id, ?2, ?3, ?4 FROM book WHERE public_id = ?5
      AND EXISTS(SELECT 1 FROM reader WHERE digest = ?1)
      ON CONFLICT DO UPDATE SET spread = ?2, is_flat = ?3, updated_at = ?4
      """,
      .blob(id.digest),
      .integer(bookmark.spread),
      SQLValue(bookmark.isFlat),
      .real(bookmark.time),
      .text(bookmark.book)
    )
  }

  /// Deletes readers not seen since a time, and readers and bookmarks beyond the limits.
  func forgetReaders(
    unseenSince time: Double,
    most: Int,
    bookmarks: Int
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
      .integer(bookmarks)
    )
  }
}
