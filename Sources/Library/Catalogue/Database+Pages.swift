internal import Notices
internal import PressProtocol
internal import Scene

/// Pages, outlines, texts and words as rows.
extension Database {
  /// Replaces the pages and the outline of a book and deletes its texts.
  func replacePages(
    of key: Int,
    with pages: [PageRow],
    outline: [OutlineEntry]
  ) throws(DatabaseError) {
    for table in ["page", "outline", "link"] {
      try run("DELETE FROM \(table) WHERE book_id = ?", .integer(key))
    }
    try run(
      "DELETE FROM page_plain WHERE id BETWEEN ? AND ?",
      .integer(TextKey.first(of: key)),
      .integer(TextKey.last(of: key))
    )
    for (number, page) in pages.map(\.bounded).enumerated() {
      try run(
        "INSERT INTO page(book_id, n, w, h, label, asset_sha256, file, format, fault) "
          + "VALUES(?,?,?,?,?,?,?,?,?)",
        .integer(key),
        .integer(number),
        .real(page.width),
        .real(page.height),
        page.label.isEmpty ? nil : .text(page.label),
        SQLValue(page.asset),
        SQLValue(page.file),
        SQLValue(page.format),
        SQLValue(page.fault?.stored)
      )
    }
    for (order, entry) in outline.prefix(TextLimits.outlineEntries).map(\.bounded).enumerated() {
      try run(
        "INSERT INTO outline(book_id, ord, depth, title, page) VALUES(?,?,?,?,?)",
        .integer(key),
        .integer(order),
        .integer(entry.depth),
        .text(entry.title),
        SQLValue(entry.page)
      )
    }
  }

  func pages(of key: Int) throws(DatabaseError) -> [PageRow] {
    try rows(
      "SELECT w, h, label, asset_sha256, file, format, fault FROM page "
        + "WHERE book_id = ? ORDER BY n",
      .integer(key),
      read: PageRow.init
    )
  }

  func outline(of key: Int) throws(DatabaseError) -> [OutlineEntry] {
    try rows(
      "SELECT depth, title, page FROM outline WHERE book_id = ? ORDER BY ord LIMIT ?",
      .integer(key),
      .integer(TextLimits.outlineEntries)
    ) { row in
      let title = row.text(1, limit: TextLimits.outlineTitle)
      return OutlineEntry(depth: row.int(0), title: title, page: row.optionalInt(2)).bounded
    }
  }

  /// Stores the text of a page and indexes it for search.
  func save(_ content: PageContent, page: Int, of key: Int) throws(DatabaseError) {
    let content = content.bounded
    try run(
      "UPDATE page SET words = ? WHERE book_id = ? AND n = ?",
      .blob(WordCoding.encoded(content.words)),
      .integer(key),
      .integer(page)
    )
    if !content.text.utf8.isEmpty {
      try run(
        "INSERT OR IGNORE INTO page_plain(id, body) VALUES(?,?)",
        .integer(TextKey.of(page: page, book: key)),
        .text(TextKey.body(content.text))
      )
    }
    for (order, link) in content.links.enumerated() {
      let (page, order) = (SQLValue.integer(page), SQLValue.integer(order))
      var (target, uri): (Int?, String?)
      switch link.target {
      case .page(let page): target = page
      case .uri(let text): uri = text
      }
      try run(
        "INSERT OR REPLACE INTO link(book_id, page, ord, x0, y0, x1, y1, to_page, uri) "
          + "VALUES(?,?,?,?,?,?,?,?,?)",
        .integer(key),
        page,
        order,
        .integer(Int(link.box.left)),
        .integer(Int(link.box.top)),
        .integer(Int(link.box.right)),
        .integer(Int(link.box.bottom)),
        SQLValue(target),
        SQLValue(uri)
      )
    }
  }

  /// Returns whether a page of a book has text.
  func hasText(_ key: Int) throws(DatabaseError) -> Bool {
    try first(
      "SELECT 1 FROM page_plain WHERE id BETWEEN ? AND ?",
      .integer(TextKey.first(of: key)),
      .integer(TextKey.last(of: key))
    ) { _ in true } ?? false
  }

  /// Returns the text of a page; `nil` if there is no such page.
  func content(page: Int, of key: Int) throws(DatabaseError) -> PageContent? {
    let words = try first(
      "SELECT words FROM page WHERE book_id = ? AND n = ?",
      .integer(key),
      .integer(page)
    ) { WordCoding.decoded($0.blob(0)) }
    guard let words else { return nil }
    let text = try first(
      "SELECT body FROM page_plain WHERE id = ?",
      .integer(TextKey.of(page: page, book: key))
    ) { $0.text(0) }
    let links = try rows(
      "SELECT x0, y0, x1, y1, to_page, uri FROM link WHERE book_id = ? AND page = ? ORDER BY ord",
      .integer(key),
      .integer(page)
    ) { row in
      LinkBox(
        box: Box(row, from: 0),
        target: row.optionalInt(4).map { .page($0) } ?? .uri(row.text(5))
      )
    }
    return PageContent(text: text.map(TextKey.text) ?? "", words: words, links: links)
  }
}

/// The keys of texts; those of a book's pages are consecutive.
enum TextKey {
  private static let pages = 100_000

  // A damaged file can contain any key; such a key has no texts.
  static func of(page: Int, book: Int) -> Int { book &* pages &+ page }
  static func first(of book: Int) -> Int { book &* pages }
  static func last(of book: Int) -> Int { book &* pages &+ pages &- 1 }
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
