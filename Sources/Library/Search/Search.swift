internal import PressProtocol

/// A search in the database for pages by the words in their text.
struct Search {
  let database: Database
  let query: SearchQuery
  /// The book to search; `nil` for all books on the shelf.
  let book: Int?
  let limit: Int

  /// If a short run begins more trigrams than this, the texts themselves are searched.
  private static let trigramsMax = 400
  /// The maximum number of pages whose texts are searched for a run that no index finds.
  private static let scanMax = 50_000

  struct Hit {
    var key: Int
    var body: String
    var matches = Matches()
    var words: [WordBox]
  }

  /// Returns the hits in one book in the order of its pages, or those in all books by relevance.
  ///
  /// Pages that have the words only in lines of a table of contents come after the others.
  func hits() throws(DatabaseError) -> [Hit] {
    guard !query.isEmpty, limit > 0 else { return [] }
    var hits: [Hit] = []
    var contents: [Hit] = []
    for key in try keys() {
      guard let hit = try hit(key) else { continue }
      if hit.matches.areInContents(of: Array(hit.body.utf8)) {
        contents.append(hit)
      } else {
        hits.append(hit)
      }
    }
    return hits + contents
  }

  // MARK: Which pages

  private func keys() throws(DatabaseError) -> [Int] {
    if !query.words.isEmpty { return try keys(in: "page_text", matching: query.words) }
    if !query.longRuns.isEmpty { return try keys(in: "page_tri", matching: query.longRuns) }
    if book == nil, let run = query.shortRuns.first, let trigrams = try trigrams(beginning: run) {
      return trigrams.isEmpty ? [] : try keys(in: "page_tri", matching: trigrams)
    }
    return try scan()
  }

  private func keys(in table: StaticString, matching match: String) throws(DatabaseError) -> [Int] {
    var sql: SQL = "SELECT rowid FROM \(raw: table) WHERE \(raw: table) MATCH \(match)"
    if !query.words.isEmpty, !query.longRuns.isEmpty {
      sql += " AND rowid IN (SELECT rowid FROM page_tri WHERE page_tri MATCH \(query.longRuns))"
    }
    for run in query.shortRuns {
      sql += """
         AND instr((SELECT body FROM page_plain WHERE id = \(raw: table).rowid), \(run)) > 0
        """
    }
    if let book {
      sql += " AND rowid \(TextKey.all(of: book)) ORDER BY rowid LIMIT \(limit)"
    } else {
      sql += """
         AND EXISTS(SELECT 1 FROM book WHERE id = \(raw: table).rowid / 100000
          AND removed_at IS NULL AND state = 'ready') ORDER BY rank LIMIT \(limit)
        """
    }
    return try database.rows(sql) { $0.int(0) }
  }

  /// Returns the trigrams that begin with a run, as an FTS5 expression.
  ///
  /// Every occurrence of the run begins one, because every text ends in two line ends. The result
  /// is `nil` if there are too many, and empty if there are none.
  private func trigrams(beginning run: String) throws(DatabaseError) -> String? {
    let end = run + "\u{10FFFF}"
    let found = try database.rows(
      """
      SELECT term FROM page_tri_terms WHERE term >= \(run) AND term < \(end)
      LIMIT \(Self.trigramsMax + 1)
      """
    ) { SearchQuery.quoted($0.text(0)) }
    return found.count > Self.trigramsMax ? nil : found.joined(separator: " OR ")
  }

  private func scan() throws(DatabaseError) -> [Int] {
    var sql: SQL = "SELECT id FROM page_plain WHERE "
    if let book {
      sql += "id \(TextKey.all(of: book))"
    } else {
      sql += """
        id IN (SELECT id FROM page_plain LIMIT \(Self.scanMax))
        AND EXISTS(SELECT 1 FROM book b WHERE b.id = page_plain.id / 100000
          AND b.removed_at IS NULL AND b.state = 'ready')
        """
    }
    for run in query.shortRuns { sql += " AND instr(body, \(run)) > 0" }
    sql += " ORDER BY id LIMIT \(limit)"
    return try database.rows(sql) { $0.int(0) }
  }

  // MARK: Where on the page

  private func hit(_ key: Int) throws(DatabaseError) -> Hit? {
    let found = try database.first(
      """
      SELECT t.body, p.words FROM page_plain t JOIN page p
      ON p.book_id = \(TextKey.book(of: key)) AND p.n = \(TextKey.page(of: key))
      WHERE t.id = \(key)
      """
    ) { Hit(key: key, body: $0.text(0), words: WordCoding.decoded($0.blob(1))) }
    guard var hit = found else { return nil }
    if !query.words.isEmpty {
      let marked = try database.first(
        """
        SELECT highlight(page_text, 0, char(2), char(3)) FROM page_text
        WHERE page_text MATCH \(query.words) AND rowid = \(key)
        """
      ) { $0.text(0) }
      hit.matches.add(marked: marked ?? "")
    }
    let body = Array(hit.body.utf8)
    for run in query.runs { hit.matches.add(run, in: body) }
    return hit
  }
}
