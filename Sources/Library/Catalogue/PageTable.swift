internal import Notices
internal import PressProtocol

/// Pages, outlines, texts and words as rows, and the progress of the background work on them.
struct PageTable {
  let database: Database

  /// Replaces the pages and the outline of a book and deletes its texts.
  func replace(of key: Int, with pages: [PageRow], outline: [OutlineEntry]) throws(DatabaseError) {
    for table in ["page", "outline", "link"] as [StaticString] {
      try database.run("DELETE FROM \(raw: table) WHERE book_id = \(key)")
    }
    try deleteTexts(of: key)
    for (number, page) in pages.map(\.bounded).enumerated() {
      let label = page.label.isEmpty ? nil : page.label
      try database.run(
        """
        INSERT INTO page(book_id, n, w, h, label, asset_sha256, file, format, fault)
        VALUES(\(key), \(number), \(page.width), \(page.height), \(label), \(page.asset),
          \(page.file), \(page.format), \(page.fault?.stored))
        """
      )
    }
    for (order, entry) in outline.prefix(TextLimits.outlineEntries).map(\.bounded).enumerated() {
      try database.run(
        """
        INSERT INTO outline(book_id, ord, depth, title, page)
        VALUES(\(key), \(order), \(entry.depth), \(entry.title), \(entry.page))
        """
      )
    }
  }

  func deleteTexts(of key: Int) throws(DatabaseError) {
    try database.run("DELETE FROM page_plain WHERE id \(TextKey.all(of: key))")
  }

  func all(of key: Int) throws(DatabaseError) -> [PageRow] {
    try database.rows(
      """
      SELECT w, h, label, asset_sha256, file, format, fault FROM page
      WHERE book_id = \(key) ORDER BY n
      """,
      read: PageRow.init
    )
  }

  /// Returns the digest of the file with the page of a book; nil if the page has none of its own.
  func asset(of key: Int, page: Int) throws(DatabaseError) -> [UInt8]? {
    try database.first(
      "SELECT asset_sha256 FROM page WHERE book_id = \(key) AND n = \(page)"
    ) { $0.optionalBlob(0) } ?? nil
  }

  func outline(of key: Int) throws(DatabaseError) -> [OutlineEntry] {
    try database.rows(
      """
      SELECT depth, title, page FROM outline WHERE book_id = \(key)
      ORDER BY ord LIMIT \(TextLimits.outlineEntries)
      """
    ) { row in
      let title = row.text(1, limit: TextLimits.outlineTitle)
      return OutlineEntry(depth: row.int(0), title: title, page: row.optionalInt(2)).bounded
    }
  }

  // MARK: Texts

  /// Stores the text of a page and indexes it for search.
  func save(_ content: PageContent, page: Int, of key: Int) throws(DatabaseError) {
    let content = content.bounded
    let words = WordCoding.encoded(content.words)
    try database.run("UPDATE page SET words = \(words) WHERE book_id = \(key) AND n = \(page)")
    if !content.text.utf8.isEmpty {
      let (text, body) = (TextKey.of(page: page, book: key), TextKey.body(content.text))
      try database.run("INSERT OR IGNORE INTO page_plain(id, body) VALUES(\(text), \(body))")
    }
    for (order, link) in content.links.enumerated() {
      var (target, uri): (Int?, String?)
      switch link.target {
      case .page(let page): target = page
      case .uri(let text): uri = text
      }
      let box = link.box
      let edges = [box.left, box.top, box.right, box.bottom].map { "\(Int($0))" as SQL }
      try database.run(
        """
        INSERT OR REPLACE INTO link(book_id, page, ord, x0, y0, x1, y1, to_page, uri)
        VALUES(\(key), \(page), \(order), \(list: edges), \(target), \(uri))
        """
      )
    }
  }

  /// Returns whether a page of a book has text.
  func hasText(_ key: Int) throws(DatabaseError) -> Bool {
    try database.has("SELECT 1 FROM page_plain WHERE id \(TextKey.all(of: key))")
  }

  /// Returns the text of a page; `nil` if there is no such page.
  func content(page: Int, of key: Int) throws(DatabaseError) -> PageContent? {
    let words = try database.first(
      "SELECT words FROM page WHERE book_id = \(key) AND n = \(page)"
    ) { WordCoding.decoded($0.blob(0)) }
    guard let words else { return nil }
    let text = try text(page: page, of: key)
    let links = try database.rows(
      """
      SELECT x0, y0, x1, y1, to_page, uri FROM link
      WHERE book_id = \(key) AND page = \(page) ORDER BY ord
      """
    ) { row in
      LinkBox(
        box: Box(row, from: 0),
        target: row.optionalInt(4).map { .page($0) } ?? .uri(row.text(5))
      )
    }
    return PageContent(text: text, words: words, links: links)
  }

  /// Returns the page of an edition that contains the text of a page of a book.
  ///
  /// The text on that page decides, among the pages near the one that has the same share of the
  /// text before it. Where no text is indexed yet, that is the same share of the pages.
  func page(of edition: Book, withTextOf page: Int, in book: Book) throws(DatabaseError) -> Int {
    let (old, new) = (try lengths(of: book), try lengths(of: edition))
    let done = old[..<page].reduce(0, +) + TextMatch.depth * old[page]
    var rest = new.reduce(0, +) * done / old.reduce(0, +)
    let near = new.firstIndex { length in
      rest -= length
      return rest < 0
    }
    let guess = near ?? min(page, max(0, edition.pages - 1))
    let match = TextMatch(try text(page: page, of: book.key))
    let reach = Self.editionReach + min(edition.pages / 100, 40)
    var best = (page: guess, share: 0.1)
    // Of pages with the same text, the nearest counts.
    let pages = (0...2 * reach).map { guess + ($0 % 2 == 0 ? $0 / 2 : -($0 + 1) / 2) }
    for candidate in pages where 0..<edition.pages ~= candidate {
      let share = match.share(in: try text(page: candidate, of: edition.key))
      if share > best.share { best = (candidate, share) }
    }
    return best.page
  }

  private static let editionReach = 6

  /// Returns the text of a page; empty if there is none, or if it is not indexed yet.
  private func text(page: Int, of key: Int) throws(DatabaseError) -> String {
    try database.first(
      "SELECT body FROM page_plain WHERE id = \(TextKey.of(page: page, book: key))"
    ) { TextKey.text($0.text(0)) } ?? ""
  }

  /// Returns the length of the text of each page; a page without text counts as a letter.
  private func lengths(of book: Book) throws(DatabaseError) -> [Double] {
    var lengths = [Double](repeating: 1, count: max(1, book.pages))
    let rows = try database.rows(
      "SELECT id, length(body) FROM page_plain WHERE id \(TextKey.all(of: book.key))"
    ) { (TextKey.page(of: $0.int(0)), $0.real(1)) }
    for (page, length) in rows where lengths.indices.contains(page) { lengths[page] += length }
    return lengths
  }

  // MARK: Background work

  /// What is done for a book in idle time.
  enum Work {
    case texts
    case pictures
  }

  /// Returns the keys of the first books with remaining work.
  func unfinished(_ work: Work, limit: Int) throws(DatabaseError) -> [Int] {
    let condition: SQL =
      switch work {
      case .texts: "has_text = 1 AND indexed < page_count"
      case .pictures: "thumbed < page_count"
      }
    // The process that has the file of a book of the store indexes it.
    return try database.rows(
      """
      SELECT id FROM book WHERE removed_at IS NULL AND state = 'ready' AND \(condition)
        AND EXISTS(SELECT 1 FROM place WHERE book_id = book.id
          AND NOT(is_stored = 1 AND stamp = \(FileLocation.shared)))
      ORDER BY added_at, id LIMIT \(limit)
      """
    ) { $0.int(0) }
  }

  /// Returns the number of indexed pages of a book; nil if its pages have changed.
  func indexed(_ key: Int, revision: Int) throws(DatabaseError) -> Int? {
    try database.first(
      "SELECT indexed FROM book WHERE id = \(key) AND render_rev = \(revision)"
    ) { $0.int(0) }
  }

  /// Stores the text of consecutive pages, which follow those that are indexed.
  func save(_ contents: [PageContent], from start: Int, of key: Int) throws(DatabaseError) {
    for (index, content) in contents.enumerated() {
      try save(content, page: start + index, of: key)
    }
    try database.run("UPDATE book SET indexed = \(start + contents.count) WHERE id = \(key)")
  }

  /// Stores the text of pages that follow those with known text.
  /// - Returns: Whether they did.
  func save(
    _ contents: [PageContent],
    from start: Int,
    ofSource hash: [UInt8]
  ) throws(DatabaseError) -> Bool {
    guard let book = try database.books.book(source: hash), book.progress.indexed == start,
      start + contents.count <= book.pages
    else { return false }
    try save(contents, from: start, of: book.key)
    return true
  }

  /// Returns the number of small pictures of all books.
  func thumbCount() throws(DatabaseError) -> Int {
    try database.first("SELECT COALESCE(SUM(thumbed), 0) FROM book") { $0.int(0) } ?? 0
  }

  /// Stores the number of small pictures of a book, unless its pages have changed.
  func setThumbed(_ count: Int, of key: Int, revision: Int) throws(DatabaseError) {
    try database.run(
      "UPDATE book SET thumbed = \(count) WHERE id = \(key) AND render_rev = \(revision)"
    )
  }
}

/// The keys of texts; those of a book's pages are consecutive.
enum TextKey {
  private static let pages = 100_000

  // A damaged file can contain any key; such a key has no texts.
  static func of(page: Int, book: Int) -> Int { book &* pages &+ page }
  /// The condition that a key is one of a book's.
  static func all(of book: Int) -> SQL {
    "BETWEEN \(book &* pages) AND \(book &* pages &+ pages &- 1)"
  }
  static func page(of key: Int) -> Int { key % pages }
  static func book(of key: Int) -> Int { key / pages }

  /// Returns the stored form of a text, in which spaces replace the control characters that mark
  /// matches.
  ///
  /// The byte positions of words stay the same. Two line ends are appended so that every two
  /// letters begin a trigram, which the index of unspaced scripts needs.
  static func body(_ text: String) -> String {
    var bytes = Array(text.utf8)
    for index in bytes.indices where bytes[index] < 0x20 && bytes[index] != 0x0A {
      bytes[index] = 0x20
    }
    return String(decoding: bytes, as: UTF8.self) + tail
  }

  /// Returns the original text of a page.
  static func text(_ body: String) -> String {
    body.hasSuffix(tail) ? String(body.dropLast(2)) : body
  }

  private static let tail = "\n\n"
}

extension PageRow {
  init(_ row: Row) {
    width = row.real(0)
    height = row.real(1)
    label = row.text(2, limit: TextLimits.label)
    asset = row.optionalBlob(3).flatMap { $0.count == 32 ? $0 : nil }
    file = row.optionalText(4)
    format = row.optionalText(5)
    fault = row.optionalText(6, limit: TextLimits.failure).map(Notice.init(stored:))
    self = bounded
  }
}

extension Box {
  fileprivate init(_ row: Row, from column: Int32) {
    func edge(_ index: Int32) -> UInt16 { UInt16(clamping: row.int(column + index)) }
    self.init(left: edge(0), top: edge(1), right: edge(2), bottom: edge(3))
  }
}
