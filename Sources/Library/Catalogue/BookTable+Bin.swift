// The bin.
extension BookTable {
  /// Puts a book into the bin, or changes the time at which it was put there.
  /// - Parameters:
  ///   - key: The key of the book.
  ///   - deletesFile: Whether its file in the library's folder is deleted with it.
  ///   - now: The time in Unix seconds.
  /// - Throws: An error of the database.
  func putIntoBin(_ key: Int, deletesFile: Bool, at now: Double) throws(DatabaseError) {
    try database.run(
      """
      UPDATE book SET deleted_at = \(now), deletes_file = max(deletes_file, \(deletesFile)),
        removed_at = COALESCE(removed_at, \(now)) WHERE id = \(key)
      """
    )
  }

  /// Takes a book out of the bin: it is on its shelf again if it has a location.
  func restoreFromBin(_ key: Int) throws(DatabaseError) {
    try database.run(
      """
      UPDATE book SET deleted_at = NULL, deletes_file = 0, removed_at = CASE
        WHEN EXISTS(SELECT 1 FROM place WHERE book_id = book.id) THEN NULL ELSE removed_at END
      WHERE id = \(key) AND deleted_at IS NOT NULL
      """
    )
  }

  /// Returns the books in the bin that were put there at a time or before.
  func inBin(since time: Double) throws(DatabaseError) -> [(book: Book, deletesFile: Bool)] {
    let keys = try database.rows(
      "SELECT id, deletes_file FROM book WHERE deleted_at <= \(time) ORDER BY id"
    ) { (key: $0.int(0), deletesFile: $0.bool(1)) }
    var found: [(book: Book, deletesFile: Bool)] = []
    for (key, deletesFile) in keys {
      if let row = try book(key: key) { found.append((row, deletesFile)) }
    }
    return found
  }

  /// Deletes a book with its pages, texts, corrections and the bookmarks of its readers.
  func erase(_ key: Int) throws(DatabaseError) {
    try database.pages.deleteTexts(of: key)
    try database.run("DELETE FROM book WHERE id = \(key)")
  }
}
