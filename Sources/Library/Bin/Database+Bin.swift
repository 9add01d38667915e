// Books in the bin as rows.
extension Database {
  /// Puts a book into the bin, or changes the time at which it was put there.
  /// - Parameters:
  ///   - key: The key of the book.
  ///   - deletesFile: Whether its file in the library's folder is deleted with it.
  ///   - now: The time in Unix seconds.
  /// - Throws: An error of the database.
  func putIntoBin(_ key: Int, deletesFile: Bool, at now: Double) throws(DatabaseError) {
    try run(
      """
      UPDATE book SET deleted_at = ?2, deletes_file = max(deletes_file, ?3),
        removed_at = COALESCE(removed_at, ?2) WHERE id = ?1
      """,
      .integer(key),
      .real(now),
      SQLValue(deletesFile)
    )
  }

  /// Takes a book out of the bin: it is on its shelf again if it has a place.
  func takeFromBin(_ key: Int) throws(DatabaseError) {
    try run(
      """
      UPDATE book SET deleted_at = NULL, deletes_file = 0, removed_at = CASE
        WHEN EXISTS(SELECT 1 FROM place WHERE book_id = ?1) THEN NULL ELSE removed_at END
      WHERE id = ?1 AND deleted_at IS NOT NULL
      """,
      .integer(key)
    )
  }

  /// Returns the books in the bin that were put there at a time or before.
  func booksInBin(since time: Double) throws(DatabaseError) -> [(book: Book, deletesFile: Bool)] {
    let keys = try rows(
      "SELECT id, deletes_file FROM book WHERE deleted_at <= ? ORDER BY id",
      .real(time)
    ) { (key: $0.int(0), deletesFile: $0.bool(1)) }
    var found: [(book: Book, deletesFile: Bool)] = []
    for (key, deletesFile) in keys {
      if let row = try book(key: key) { found.append((row, deletesFile)) }
    }
    return found
  }

  /// Deletes a book with its pages, texts, corrections and the places of its readers.
  func erase(_ key: Int) throws(DatabaseError) {
    try run(
      "DELETE FROM page_plain WHERE id BETWEEN ? AND ?",
      .integer(TextKey.first(of: key)),
      .integer(TextKey.last(of: key))
    )
    try run("DELETE FROM book WHERE id = ?", .integer(key))
  }
}
