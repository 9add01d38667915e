internal import Bytes
internal import Notices
internal import Scene

/// Books, their corrections and their places as rows.
extension Database {
  private static let columns = """
    b.id, b.public_id, b.source_sha256, b.kind, b.format, b.file_name, b.byte_size, b.password,
    b.title, b.author, b.language, b.direction, b.stock, b.has_spreads,
    b.page_count, b.page_w, b.page_h, b.blank_pages, b.wide_pages, b.labels,
    b.cloth, b.lettering, b.render_rev, b.state, b.failure, b.may_retry, b.has_text,
    b.indexed, b.thumbed, b.added_at, b.last_read, b.deleted_at,
    c.title, c.author, c.direction, c.stock, c.cover, c.has_spreads, c.is_shifted,
    p.path, p.shelf, p.is_stored, p.stamp
    FROM book b LEFT JOIN correction c ON c.book_id = b.id LEFT JOIN place p ON p.book_id = b.id
    """

  /// Returns all books; a book with several places comes once with each of them, in succession.
  func allBooks() throws(DatabaseError) -> [Book] {
    try rows("SELECT \(Self.columns) ORDER BY b.id", read: Book.init)
  }

  /// Returns a book once with each of its places.
  func books(key: Int) throws(DatabaseError) -> [Book] {
    try rows("SELECT \(Self.columns) WHERE b.id = ?", .integer(key), read: Book.init)
  }

  /// Returns a book with one of its places.
  func book(key: Int) throws(DatabaseError) -> Book? {
    try first("SELECT \(Self.columns) WHERE b.id = ?", .integer(key), read: Book.init)
  }

  func book(publicID: String) throws(DatabaseError) -> Book? {
    try first("SELECT \(Self.columns) WHERE b.public_id = ?", .text(publicID), read: Book.init)
  }

  func book(source: [UInt8]) throws(DatabaseError) -> Book? {
    try first("SELECT \(Self.columns) WHERE b.source_sha256 = ?", .blob(source), read: Book.init)
  }

  /// Adds a book or, if it has a key, updates the data from its file.
  ///
  /// Corrections, positions and the time at which it was added stay unchanged.
  /// - Returns: The key of the book.
  @discardableResult
  func save(_ book: Book) throws(DatabaseError) -> Int {
    let book = book.bounded
    guard book.key == 0 else {
      let fields = Self.fields(of: book)
      let list = fields.map { "\($0.name)=?" }.joined(separator: ", ")
      try run("UPDATE book SET \(list) WHERE id=?", fields.map(\.value) + [.integer(book.key)])
      return book.key
    }
    let fields =
      Self.fields(of: book) + [
        ("public_id", .text(book.id)), ("added_at", .real(book.added)), ("has_keyed_id", 1),
      ]
    let names = fields.map(\.name).joined(separator: ", ")
    let marks = fields.map { _ in "?" }.joined(separator: ",")
    try run("INSERT INTO book(\(names)) VALUES(\(marks))", fields.map(\.value))
    return lastKey
  }

  private static func fields(of book: Book) -> [(name: String, value: SQLValue)] {
    [
      ("source_sha256", .blob(book.file.hash)),
      ("kind", book.file.isImages ? "images" : "document"),
      ("format", .text(book.file.format)),
      ("file_name", .text(book.file.name)),
      ("byte_size", .integer(book.file.byteSize)),
      ("password", .text(book.file.password)),
      ("title", .text(book.metadata.title)),
      ("author", .text(book.metadata.author)),
      ("language", .text(book.metadata.language)),
      ("direction", SQLValue(book.metadata.direction?.name)),
      ("stock", SQLValue(book.metadata.stock?.name)),
      ("has_spreads", SQLValue(book.metadata.hasSpreads)),
      ("page_count", .integer(book.pages)),
      ("page_w", .real(book.shape.width)),
      ("page_h", .real(book.shape.height)),
      ("blank_pages", .blob(PageList.encoded(book.shape.blank))),
      ("wide_pages", .blob(PageList.encoded(book.shape.wide))),
      ("labels", .text(LabelList.encoded(book.shape.labels))),
      ("cloth", SQLValue(book.shape.colours?.cloth.hex)),
      ("lettering", SQLValue(book.shape.colours?.lettering.hex)),
      ("render_rev", .integer(book.shape.revision)),
      ("state", .text(book.status.state.rawValue)),
      ("failure", SQLValue(book.status.failure?.stored)),
      ("may_retry", SQLValue(book.status.mayRetry)),
      ("has_text", SQLValue(book.status.hasText)),
      ("indexed", .integer(book.progress.indexed)),
      ("thumbed", .integer(book.progress.thumbed)),
    ]
  }

  func save(_ correction: Correction, of key: Int) throws(DatabaseError) {
    try run(
      "INSERT OR REPLACE INTO correction(book_id, title, author, direction, cover, stock, "
        + "has_spreads, is_shifted) VALUES(?,?,?,?,?,?,?,?)",
      .integer(key),
      SQLValue(correction.title),
      SQLValue(correction.author),
      SQLValue(correction.direction?.name),
      SQLValue(correction.cover),
      SQLValue(correction.stock?.name),
      SQLValue(correction.hasSpreads),
      SQLValue(correction.isShifted)
    )
  }

  /// Records the time at which a book was opened, in Unix seconds.
  func setRead(_ key: Int, at time: Double) throws(DatabaseError) {
    try run("UPDATE book SET last_read = ? WHERE id = ?", .real(time), .integer(key))
  }

  /// Takes over the times at which another process added and opened a book.
  func setTimes(of key: Int, added: Double, lastRead: Double?) throws(DatabaseError) {
    try run(
      "UPDATE book SET added_at = ?, last_read = nullif(max(coalesce(last_read, 0), ?), 0) "
        + "WHERE id = ?",
      .real(added),
      .real(lastRead ?? 0),
      .integer(key)
    )
  }

  /// Gives a book another id.
  func setID(_ id: String, of key: Int) throws(DatabaseError) {
    try run(
      "UPDATE book SET public_id = ?, has_keyed_id = 1 WHERE id = ?",
      .text(id),
      .integer(key)
    )
  }

  /// Returns the books with ids of earlier versions, which can be guessed from the files.
  func booksWithoutKeyedID() throws(DatabaseError) -> [(key: Int, hash: [UInt8])] {
    try rows("SELECT id, source_sha256 FROM book WHERE has_keyed_id = 0") {
      ($0.int(0), $0.blob(1))
    }
  }

  /// Changes a book's file name, and also its title if the title was derived from that name.
  func rename(_ book: Book, to name: String) throws(DatabaseError) {
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

  /// Returns the key of the book at a path; nil if there is none.
  func book(at path: String) throws(DatabaseError) -> Int? {
    try first("SELECT book_id FROM place WHERE path = ?", .text(path)) { $0.int(0) }
  }

  /// Records that the store's copy of a book is on this machine now.
  func setFetched(_ path: String) throws(DatabaseError) {
    try run(
      "UPDATE place SET stamp = ? WHERE path = ? AND is_stored = 1 AND stamp > 0",
      .integer(FilePlace.fetched),
      .text(path)
    )
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
    let before = try book(at: place.path)
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

  /// Removes all places of a book, which stays.
  func removePlaces(of key: Int) throws(DatabaseError) {
    try run("DELETE FROM place WHERE book_id = ?", .integer(key))
  }

  func removePlace(_ path: String) throws(DatabaseError) {
    guard let key = try book(at: path) else { return }
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

// MARK: - Titles of shelves

extension Database {
  /// Returns the titles of shelves that come from other processes.
  func shelfTitles() throws(DatabaseError) -> [String: String] {
    let list = try rows("SELECT shelf, title FROM shelf_title") { ($0.text(0), $0.text(1)) }
    return Dictionary(list) { $1 }
  }

  /// Stores the title of a shelf.
  /// - Returns: Whether it had another.
  func setShelfTitle(_ title: String, of shelf: String) throws(DatabaseError) -> Bool {
    guard try shelfTitles()[shelf] != title else { return false }
    try run(
      "INSERT OR REPLACE INTO shelf_title(shelf, title) VALUES(?, ?)",
      .text(shelf),
      .text(title)
    )
    return true
  }
}

// MARK: - Files

extension Database {
  /// Returns the digest of a file that was read before and has not changed; nil if it is unknown.
  func digest(of path: String, stamp: Int) throws(DatabaseError) -> [UInt8]? {
    try first(
      "SELECT sha256 FROM known_file WHERE path = ? AND stamp = ?",
      .text(path),
      .integer(stamp)
    ) { $0.blob(0) }
  }

  func save(digest: [UInt8], of path: String, stamp: Int) throws(DatabaseError) {
    try run(
      "INSERT OR REPLACE INTO known_file(path, stamp, sha256) VALUES(?,?,?)",
      .text(path),
      .integer(stamp),
      .blob(digest)
    )
  }

  /// Returns the digests of the files that the catalogue needs, in hexadecimal.
  func neededFiles() throws(DatabaseError) -> [StoredFiles.Kind: Set<String>] {
    let originals = try rows("SELECT source_sha256 FROM book") { Hexadecimal.text($0.blob(0)) }
    let assets = try rows(
      "SELECT DISTINCT asset_sha256 FROM page WHERE asset_sha256 IS NOT NULL"
    ) { Hexadecimal.text($0.blob(0)) }
    return [.originals: Set(originals), .assets: Set(assets)]
  }
}

// MARK: - Rows

extension Book {
  fileprivate init(_ row: Row) {
    self.init()
    (key, id) = (row.int(0), row.text(1))
    file = BookFile(
      hash: row.blob(2),
      name: row.text(5, limit: TextLimits.fileName),
      byteSize: row.int(6),
      format: row.text(4),
      isImages: row.text(3) == "images",
      password: row.text(7)
    )
    metadata = BookMetadata(
      title: row.text(8, limit: TextLimits.title),
      author: row.text(9, limit: TextLimits.title),
      language: row.text(10, limit: TextLimits.language),
      direction: row.optionalText(11).flatMap(Progression.init(name:)),
      stock: row.optionalText(12).flatMap(PaperStock.init(name:)),
      hasSpreads: row.optionalBool(13)
    )
    (shape.count, shape.width, shape.height) = (row.int(14), row.real(15), row.real(16))
    shape.blank = PageList.decoded(row.blob(17))
    shape.wide = PageList.decoded(row.blob(18))
    shape.labels = LabelList.decoded(row.text(19))
    if let cloth = row.optionalInt(20), let lettering = row.optionalInt(21) {
      shape.colours = SpineColours(cloth: Colour(hex: cloth), lettering: Colour(hex: lettering))
    }
    shape.revision = row.int(22)
    status = BookStatus(
      state: BookState(rawValue: row.text(23)) ?? .failed,
      failure: row.optionalText(24, limit: TextLimits.failure).map(Notice.init(stored:)),
      mayRetry: row.bool(25),
      hasText: row.bool(26),
      isIndexed: row.int(27) >= row.int(14)
    )
    progress = BookProgress(indexed: row.int(27), thumbed: row.int(28))
    (added, lastRead) = (row.real(29), row.optionalReal(30))
    correction = Correction(
      title: row.optionalText(32, limit: TextLimits.title),
      author: row.optionalText(33, limit: TextLimits.title),
      direction: row.optionalText(34).flatMap(Progression.init(name:)),
      stock: row.optionalText(35).flatMap(PaperStock.init(name:)),
      cover: row.optionalInt(36),
      hasSpreads: row.optionalBool(37),
      isShifted: row.optionalBool(38)
    )
    correction.deleted = row.optionalReal(31)
    if !row.isNull(39) {
      place = FilePlace(
        path: row.text(39),
        book: key,
        shelf: row.text(40),
        isStored: row.bool(41),
        stamp: row.int(42)
      )
    }
    self = bounded
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
