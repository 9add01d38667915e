internal import PressProtocol

// The progress of the background work on books, as rows.
extension Database {
  /// What is done for a book in idle time.
  enum BackgroundWork {
    case texts
    case pictures
  }

  /// Returns the keys of the first books with remaining work.
  func unfinished(_ work: BackgroundWork, limit: Int) throws(DatabaseError) -> [Int] {
    let condition =
      switch work {
      case .texts: "has_text = 1 AND indexed < page_count"
      case .pictures: "thumbed < page_count"
      }
    return try rows(
      // The process that has the file of a book of the store indexes it.
      "SELECT id FROM book WHERE removed_at IS NULL AND state = 'ready' AND \(condition) "
        + "AND EXISTS(SELECT 1 FROM place WHERE book_id = book.id "
        + "AND NOT(is_stored = 1 AND stamp = \(FilePlace.shared))) ORDER BY added_at, id LIMIT ?",
      .integer(limit)
    ) { $0.int(0) }
  }

  /// Returns the number of indexed pages of a book; nil if its pages have changed.
  func indexed(_ key: Int, revision: Int) throws(DatabaseError) -> Int? {
    try first(
      "SELECT indexed FROM book WHERE id = ? AND render_rev = ?",
      .integer(key),
      .integer(revision)
    ) { $0.int(0) }
  }

  /// Stores the text of consecutive pages, which follow those that are indexed.
  func save(_ contents: [PageContent], from start: Int, of key: Int) throws(DatabaseError) {
    for (index, content) in contents.enumerated() {
      try save(content, page: start + index, of: key)
    }
    try run(
      "UPDATE book SET indexed = ? WHERE id = ?",
      .integer(start + contents.count),
      .integer(key)
    )
  }

  /// Returns the number of small pictures of all books.
  func thumbCount() throws(DatabaseError) -> Int {
    try first("SELECT COALESCE(SUM(thumbed), 0) FROM book") { $0.int(0) } ?? 0
  }

  /// Stores the number of small pictures of a book, unless its pages have changed.
  func setThumbed(_ count: Int, of key: Int, revision: Int) throws(DatabaseError) {
    try run(
      "UPDATE book SET thumbed = ? WHERE id = ? AND render_rev = ?",
      .integer(count),
      .integer(key),
      .integer(revision)
    )
  }

  /// Stores the text of pages that follow those with known text.
  /// - Returns: Whether they did.
  func saveTexts(
    _ contents: [PageContent],
    from start: Int,
    of hash: [UInt8]
  ) throws(DatabaseError) -> Bool {
    guard let row = try book(source: hash), row.progress.indexed == start,
      start + contents.count <= row.pages
    else { return false }
    try save(contents, from: start, of: row.key)
    return true
  }
}
