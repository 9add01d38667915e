internal import Notices
internal import Scene

/// Books, their corrections and their places as rows.
extension Database {
  private static let columns = """
    b.id, b.public_id, b.source_sha256, b.kind, b.format, b.file_name, b.byte_size, b.title,
    b.author, b.language, b.direction, b.page_count, b.page_w, b.page_h, b.blank_pages,
    b.wide_pages, b.cloth, b.lettering, b.render_rev, b.state, b.failure, b.password, b.has_text,
    b.indexed, b.thumbed, b.added_at, b.last_read, b.removed_at,
    c.title, c.author, c.direction, c.cover, b.may_retry, b.labels,
    b.stock, c.stock, c.has_spreads, c.is_shifted, b.has_spreads, b.deleted_at
    FROM book b LEFT JOIN correction c ON c.book_id = b.id
    """

  func allBooks() throws(DatabaseError) -> [BookRow] {
    try rows("SELECT \(Self.columns) ORDER BY b.id", read: BookRow.init)
  }

  func book(key: Int) throws(DatabaseError) -> BookRow? {
    try first("SELECT \(Self.columns) WHERE b.id = ?", .integer(key), read: BookRow.init)
  }

  func book(publicID: String) throws(DatabaseError) -> BookRow? {
    try first("SELECT \(Self.columns) WHERE b.public_id = ?", .text(publicID), read: BookRow.init)
  }

  func book(source: [UInt8]) throws(DatabaseError) -> BookRow? {
    try first("SELECT \(Self.columns) WHERE b.source_sha256 = ?", .blob(source), read: BookRow.init)
  }

  /// Adds a book or, if it has a key, updates the data from its file.
  ///
  /// Corrections, positions and the time at which it was added stay unchanged.
  /// - Returns: The key of the book.
  @discardableResult
  func save(_ book: BookRow) throws(DatabaseError) -> Int {
    let book = book.bounded
    if book.key == 0 {
      try run(
        """
        INSERT INTO book(public_id, source_sha256, kind, format, file_name, byte_size, title,
          page_count, state, added_at, has_keyed_id) VALUES(?,?,?,?,?,?,?,0,'failed',?,1)
        """,
        .text(book.publicID),
        .blob(book.file.hash),
        .text(book.file.isImages ? "images" : "document"),
        .text(book.file.format),
        .text(book.file.name),
        .integer(book.file.byteSize),
        .text(book.metadata.title),
        .real(book.times.added)
      )
    }
    let key = book.key == 0 ? lastKey : book.key
    try run(
      """
      UPDATE book SET source_sha256=?, kind=?, format=?, file_name=?, byte_size=?, title=?,
        author=?, language=?, direction=?, page_count=?, page_w=?, page_h=?, blank_pages=?,
        wide_pages=?, cloth=?, lettering=?, render_rev=?, state=?, failure=?, password=?,
        has_text=?, indexed=?, thumbed=?, may_retry=?, labels=?, stock=?, has_spreads=?
      WHERE id=?
      """,
      .blob(book.file.hash),
      .text(book.file.isImages ? "images" : "document"),
      .text(book.file.format),
      .text(book.file.name),
      .integer(book.file.byteSize),
      .text(book.metadata.title),
      .text(book.metadata.author),
      .text(book.metadata.language),
      SQLValue(book.metadata.direction?.code),
      .integer(book.pages.count),
      .real(book.pages.width),
      .real(book.pages.height),
      .blob(PageList.encoded(book.pages.blank)),
      .blob(PageList.encoded(book.pages.wide)),
      SQLValue(book.colours?.cloth.hex),
      SQLValue(book.colours?.lettering.hex),
      .integer(book.revision),
      .text(book.status.state.rawValue),
      SQLValue(book.status.failure?.stored),
      .text(book.file.password),
      SQLValue(book.progress.hasText),
      .integer(book.progress.indexed),
      .integer(book.progress.thumbed),
      SQLValue(book.status.mayRetry),
      .text(LabelList.encoded(book.pages.labels)),
      SQLValue(book.metadata.stock?.name),
      SQLValue(book.metadata.hasSpreads.map { $0 ? 1 : 0 }),
      .integer(key)
    )
    return key
  }

  func save(_ correction: Correction, of key: Int) throws(DatabaseError) {
    try run(
      "INSERT OR REPLACE INTO correction(book_id, title, author, direction, cover, stock, "
        + "has_spreads, is_shifted) VALUES(?,?,?,?,?,?,?,?)",
      .integer(key),
      SQLValue(correction.title),
      SQLValue(correction.author),
      SQLValue(correction.direction?.code),
      SQLValue(correction.cover),
      SQLValue(correction.stock?.name),
      SQLValue(correction.hasSpreads.map { $0 ? 1 : 0 }),
      SQLValue(correction.isShifted.map { $0 ? 1 : 0 })
    )
  }

  /// Changes a book's file name, and also its title if the title was derived from that name.
  func rename(_ book: BookRow, to name: String) throws(DatabaseError) {
    guard name != book.file.name else { return }
    let titles = book.file.format == "folder" ? Titles.ofFolder : Titles.ofFile
    let name = TextLimits.cut(name, to: TextLimits.fileName)
    let title = book.metadata.title == titles(book.file.name) ? titles(name) : book.metadata.title
    try run(
      "UPDATE book SET file_name = ?, title = ? WHERE id = ?",
      .text(name),
      .text(title),
      .integer(book.key)
    )
  }

  // MARK: Places

  func allPlaces() throws(DatabaseError) -> [FilePlace] {
    try rows("SELECT path, book_id, shelf, is_stored, stamp FROM place", read: FilePlace.init)
  }

  func places(of key: Int) throws(DatabaseError) -> [FilePlace] {
    try rows(
      "SELECT path, book_id, shelf, is_stored, stamp FROM place WHERE book_id = ?",
      .integer(key),
      read: FilePlace.init
    )
  }

  /// Stores the place of a book, replaces any other book there, and returns the book to the shelf.
  func put(_ place: FilePlace) throws(DatabaseError) {
    let before = try first("SELECT book_id FROM place WHERE path = ?", .text(place.path)) {
      $0.int(0)
    }
    try run(
      "INSERT OR REPLACE INTO place(path, book_id, shelf, is_stored, stamp) VALUES(?,?,?,?,?)",
      .text(place.path),
      .integer(place.book),
      .text(place.shelf),
      SQLValue(place.isStored),
      .integer(place.stamp)
    )
    // A book in the bin stays there, wherever its file is.
    try run(
      "UPDATE book SET removed_at = NULL WHERE id = ? AND deleted_at IS NULL",
      .integer(place.book)
    )
    if !place.isStored {
      // The file of this process replaces the copy of the store; when it goes, the book goes.
      try run(
        "DELETE FROM place WHERE book_id = ? AND is_stored = 1 AND stamp > 0",
        .integer(place.book)
      )
    }
    if let before, before != place.book { try leaveShelf(before) }
  }

  func removePlace(_ path: String) throws(DatabaseError) {
    let key = try first("SELECT book_id FROM place WHERE path = ?", .text(path)) { $0.int(0) }
    guard let key else { return }
    try run("DELETE FROM place WHERE path = ?", .text(path))
    try leaveShelf(key)
  }

  /// Removes a book that has no place from the shelf.
  ///
  /// A book that could never be read and was never corrected is deleted.
  private func leaveShelf(_ key: Int) throws(DatabaseError) {
    guard
      try first("SELECT 1 FROM place WHERE book_id = ?", .integer(key), read: { _ in true })
        == nil
    else { return }
    try run(
      "UPDATE book SET removed_at = (julianday('now') - 2440587.5) * 86400 "
        + "WHERE id = ? AND removed_at IS NULL",
      .integer(key)
    )
    try run(
      """
      DELETE FROM book WHERE id = ?1 AND state = 'failed' AND page_count = 0
        AND NOT EXISTS(SELECT 1 FROM correction WHERE book_id = ?1)
        AND NOT EXISTS(SELECT 1 FROM reading WHERE book_id = ?1)
      """,
      .integer(key)
    )
  }
}

extension BookRow {
  init(_ row: Row) {
    self.init()
    key = row.int(0)
    publicID = row.text(1)
    file = BookFile(
      hash: row.blob(2),
      name: row.text(5, limit: TextLimits.fileName),
      byteSize: row.int(6),
      format: row.text(4),
      isImages: row.text(3) == "images",
      password: row.text(21)
    )
    metadata = BookMetadata(
      title: row.text(7, limit: TextLimits.title),
      author: row.text(8, limit: TextLimits.title),
      language: row.text(9, limit: TextLimits.language),
      direction: Progression(code: row.optionalText(10)),
      stock: row.optionalText(34).flatMap(PaperStock.init(name:)),
      hasSpreads: row.optionalInt(38).map { $0 != 0 }
    )
    pages = PageSummary(
      count: row.int(11),
      width: row.real(12),
      height: row.real(13),
      blank: PageList.decoded(row.blob(14)),
      wide: PageList.decoded(row.blob(15)),
      labels: LabelList.decoded(row.text(33))
    )
    colours = SpineColours(cloth: row.optionalInt(16), lettering: row.optionalInt(17))
    revision = row.int(18)
    status = BookStatus(
      state: BookState(rawValue: row.text(19)) ?? .failed,
      failure: row.optionalText(20, limit: TextLimits.failure).map(Notice.init(stored:)),
      mayRetry: row.bool(32)
    )
    progress = BookProgress(
      hasText: row.bool(22),
      indexed: row.int(23),
      thumbed: row.int(24)
    )
    times = BookTimes(
      added: row.real(25),
      lastRead: row.optionalReal(26),
      removed: row.optionalReal(27),
      deleted: row.optionalReal(39)
    )
    correction = Correction(
      title: row.optionalText(28, limit: TextLimits.title),
      author: row.optionalText(29, limit: TextLimits.title),
      direction: Progression(code: row.optionalText(30)),
      stock: row.optionalText(35).flatMap(PaperStock.init(name:)),
      cover: row.optionalInt(31),
      hasSpreads: row.optionalInt(36).map { $0 != 0 },
      isShifted: row.optionalInt(37).map { $0 != 0 }
    )
    self = bounded
  }
}

extension SpineColours {
  /// Decodes stored colours; nil if one is missing.
  fileprivate init?(cloth: Int?, lettering: Int?) {
    guard let cloth, let lettering else { return nil }
    self.init(
      cloth: Colour(UInt32(truncatingIfNeeded: cloth)),
      lettering: Colour(UInt32(truncatingIfNeeded: lettering))
    )
  }
}

extension FilePlace {
  init(_ row: Row) {
    path = row.text(0)
    book = row.int(1)
    shelf = row.text(2)
    isStored = row.bool(3)
    stamp = row.int(4)
  }
}

/// Encodes a few page numbers as a blob, with two bytes each, the lower byte first.
enum PageList {
  static func encoded(_ pages: [Int]) -> [UInt8] {
    pages.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] }
  }

  static func decoded(_ bytes: [UInt8]) -> [Int] {
    stride(from: 0, to: bytes.count - 1, by: 2).map { Int(bytes[$0]) | Int(bytes[$0 + 1]) << 8 }
  }
}

/// Encodes page labels as text: each run as its page, a unit separator and its label, with record
/// separators between runs.
enum LabelList {
  static func encoded(_ labels: PageLabels) -> String {
    labels.runs.map { "\($0.page)\u{1F}\($0.label)" }.joined(separator: "\u{1E}")
  }

  /// Decodes labels; skips runs that it cannot parse.
  static func decoded(_ text: String) -> PageLabels {
    if text.isEmpty { return PageLabels() }
    return PageLabels(
      runs: text.split(separator: "\u{1E}").compactMap { entry in
        let parts = entry.split(separator: "\u{1F}", maxSplits: 1)
        guard parts.count == 2, let page = Int(parts[0]) else { return nil }
        return PageLabels.Run(page: page, label: String(parts[1]))
      }
    )
  }
}
