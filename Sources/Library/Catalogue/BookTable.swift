internal import Bytes
internal import Notices
internal import PressProtocol
internal import Scene

/// Books with their corrections, their files and the titles of their shelves, as rows.
struct BookTable {
  let database: Database

  private static let columns: StaticString = """
    b.id, b.public_id, b.source_sha256, b.kind, b.format, b.file_name, b.byte_size, b.password,
    b.title, b.author, b.language, b.direction, b.stock, b.has_spreads,
    b.page_count, b.page_w, b.page_h, b.blank_pages, b.wide_pages, b.labels,
    b.cloth, b.lettering, b.render_rev, b.state, b.failure, b.may_retry, b.has_text,
    b.indexed, b.thumbed, b.added_at, b.last_read, b.deleted_at,
    c.title, c.author, c.direction, c.stock, c.cover, c.has_spreads, c.is_shifted,
    p.path, p.shelf, p.is_stored, p.stamp, b.large_print_of,
    b.series, b.series_volume, b.series_number, b.is_shifted
    FROM book b LEFT JOIN correction c ON c.book_id = b.id LEFT JOIN place p ON p.book_id = b.id
    """

  /// Returns all books; a book with several locations comes once with each of them, in succession.
  func all() throws(DatabaseError) -> [Book] {
    try database.rows("SELECT \(raw: Self.columns) ORDER BY b.id", read: Book.init)
  }

  /// Returns a book once with each of its locations.
  func all(key: Int) throws(DatabaseError) -> [Book] {
    try database.rows("SELECT \(raw: Self.columns) WHERE b.id = \(key)", read: Book.init)
  }

  /// Returns a book with one of its locations.
  func book(key: Int) throws(DatabaseError) -> Book? { try book("b.id = \(key)") }

  func book(id: String) throws(DatabaseError) -> Book? { try book("b.public_id = \(id)") }

  func book(source: [UInt8]) throws(DatabaseError) -> Book? {
    try book("b.source_sha256 = \(source)")
  }

  /// Returns the book that shows the text of another in large print.
  func largePrint(of hash: [UInt8]) throws(DatabaseError) -> Book? {
    try book("b.large_print_of = \(Hexadecimal.text(hash)) AND b.state = 'ready'")
  }

  private func book(_ condition: SQL) throws(DatabaseError) -> Book? {
    try database.first("SELECT \(raw: Self.columns) WHERE \(condition)", read: Book.init)
  }

  /// Adds a book or, if it has a key, updates the data from its file.
  ///
  /// Corrections, positions and the time at which it was added stay unchanged.
  /// - Returns: The key of the book.
  @discardableResult
  func save(_ book: Book) throws(DatabaseError) -> Int {
    let book = book.bounded
    var fields = Self.fields(of: book)
    guard book.key == 0 else {
      let list = fields.map { "\(raw: $0.name) = \($0.value)" as SQL }
      try database.run("UPDATE book SET \(list: list) WHERE id = \(book.key)")
      return book.key
    }
    fields += [("public_id", book.id), ("added_at", book.added), ("has_keyed_id", true)]
    let names = fields.map { "\(raw: $0.name)" as SQL }
    let values = fields.map { "\($0.value)" as SQL }
    try database.run("INSERT INTO book(\(list: names)) VALUES(\(list: values))")
    return database.lastKey
  }

  private static func fields(of book: Book) -> [(name: StaticString, value: (any SQLValue)?)] {
    [
      ("source_sha256", book.file.hash),
      ("kind", book.file.isImages ? "images" : "document"),
      ("format", book.file.format),
      ("file_name", book.file.name),
      ("byte_size", book.file.byteSize),
      ("password", book.file.password),
      ("large_print_of", book.file.largePrintOf),
      ("title", book.metadata.title),
      ("author", book.metadata.author),
      ("language", book.metadata.language),
      ("direction", book.metadata.direction?.name),
      ("stock", book.metadata.stock?.name),
      ("has_spreads", book.metadata.hasSpreads),
      ("is_shifted", book.metadata.isShifted),
      ("series", book.metadata.series?.name),
      ("series_volume", book.metadata.series?.volume ?? ""),
      ("series_number", book.metadata.series?.number ?? ""),
      ("page_count", book.pages),
      ("page_w", book.shape.width),
      ("page_h", book.shape.height),
      ("blank_pages", book.shape.blank.pageBytes),
      ("wide_pages", book.shape.wide.pageBytes),
      ("labels", book.shape.labels.text),
      ("cloth", book.shape.colours?.cloth.hex),
      ("lettering", book.shape.colours?.lettering.hex),
      ("render_rev", book.shape.revision),
      ("state", book.status.state.rawValue),
      ("failure", book.status.failure?.stored),
      ("may_retry", book.status.mayRetry),
      ("has_text", book.status.hasText),
      ("indexed", book.progress.indexed),
      ("thumbed", book.progress.thumbed),
    ]
  }

  func save(_ correction: Correction, of key: Int) throws(DatabaseError) {
    let (direction, stock) = (correction.direction?.name, correction.stock?.name)
    try database.run(
      """
      INSERT OR REPLACE INTO correction(book_id, title, author, direction, cover, stock,
        has_spreads, is_shifted)
      VALUES(\(key), \(correction.title), \(correction.author), \(direction),
        \(correction.cover), \(stock), \(correction.hasSpreads), \(correction.isShifted))
      """
    )
  }

  /// Records the time at which a book was opened, in Unix seconds.
  func setRead(_ key: Int, at time: Double) throws(DatabaseError) {
    try database.run("UPDATE book SET last_read = \(time) WHERE id = \(key)")
  }

  /// Takes over the times at which another process added and opened a book.
  func setTimes(of key: Int, added: Double, lastRead: Double?) throws(DatabaseError) {
    try database.run(
      """
      UPDATE book SET added_at = \(added),
        last_read = nullif(max(coalesce(last_read, 0), \(lastRead ?? 0)), 0) WHERE id = \(key)
      """
    )
  }

  /// Gives a book another id.
  func setID(_ id: String, of key: Int) throws(DatabaseError) {
    try database.run("UPDATE book SET public_id = \(id), has_keyed_id = 1 WHERE id = \(key)")
  }

  /// Returns the books with ids of earlier versions, which can be guessed from the files.
  func withoutKeyedID() throws(DatabaseError) -> [(key: Int, hash: [UInt8])] {
    try database.rows("SELECT id, source_sha256 FROM book WHERE has_keyed_id = 0") {
      ($0.int(0), $0.blob(1))
    }
  }

  /// Changes a book's file name, and also its title if the title was derived from that name.
  func rename(_ book: Book, to name: String) throws(DatabaseError) {
    guard name != book.file.name else { return }
    let titles = book.file.format == "folder" ? Titles.ofFolder : Titles.ofFile
    let name = TextLimits.cut(name, to: TextLimits.fileName)
    let title = book.metadata.title == titles(book.file.name) ? titles(name) : book.metadata.title
    try database.run("UPDATE book SET file_name = \(name), title = \(title) WHERE id = \(book.key)")
  }

  /// Changes what the file of a book, or one that describes it, says about it.
  func describe(_ key: Int, as metadata: BookMetadata) throws(DatabaseError) {
    let series = metadata.series
    try database.run(
      """
      UPDATE book SET title = \(metadata.title), author = \(metadata.author),
        language = \(metadata.language), direction = \(metadata.direction?.name),
        series = \(series?.name), series_volume = \(series?.volume ?? ""),
        series_number = \(series?.number ?? "") WHERE id = \(key)
      """
    )
  }

  // MARK: Locations

  func allLocations() throws(DatabaseError) -> [FileLocation] { try locations("TRUE") }

  func locations(of key: Int) throws(DatabaseError) -> [FileLocation] {
    try locations("book_id = \(key)")
  }

  private func locations(_ filter: SQL) throws(DatabaseError) -> [FileLocation] {
    try database.rows("SELECT path, book_id, shelf, is_stored, stamp FROM place WHERE \(filter)") {
      FileLocation(
        path: $0.text(0),
        book: $0.int(1),
        shelf: $0.text(2),
        isStored: $0.bool(3),
        stamp: $0.int(4)
      )
    }
  }

  /// Returns the key of the book at a path; nil if there is none.
  func key(at path: String) throws(DatabaseError) -> Int? {
    try database.first("SELECT book_id FROM place WHERE path = \(path)") { $0.int(0) }
  }

  /// Records that the store's copy of a book is on this machine now.
  func setFetched(_ path: String) throws(DatabaseError) {
    try database.run(
      """
      UPDATE place SET stamp = \(FileLocation.fetched)
      WHERE path = \(path) AND is_stored = 1 AND stamp > 0
      """
    )
  }

  /// Stores the location of a book, replaces any other book there, and puts the book on its shelf.
  func put(_ file: FileLocation) throws(DatabaseError) {
    let before = try key(at: file.path)
    try database.run(
      """
      INSERT OR REPLACE INTO place(path, book_id, shelf, is_stored, stamp)
      VALUES(\(file.path), \(file.book), \(file.shelf), \(file.isStored), \(file.stamp))
      """
    )
    // A book in the bin stays there, wherever its file is.
    try database.run(
      "UPDATE book SET removed_at = NULL WHERE id = \(file.book) AND deleted_at IS NULL"
    )
    if !file.isStored {
      // The file of this process replaces the copy of the store; when it goes, the book goes.
      try database.run(
        "DELETE FROM place WHERE book_id = \(file.book) AND is_stored = 1 AND stamp > 0"
      )
    }
    if let before, before != file.book { try leaveShelf(before) }
  }

  /// Removes all locations of a book, which stays.
  func removeLocations(of key: Int) throws(DatabaseError) {
    try database.run("DELETE FROM place WHERE book_id = \(key)")
  }

  func removeLocation(_ path: String) throws(DatabaseError) {
    guard let key = try key(at: path) else { return }
    try database.run("DELETE FROM place WHERE path = \(path)")
    try leaveShelf(key)
  }

  /// Removes a book that has no location from the shelf.
  ///
  /// A book that could never be read and was never corrected is deleted.
  private func leaveShelf(_ key: Int) throws(DatabaseError) {
    if try database.has("SELECT 1 FROM place WHERE book_id = \(key)") { return }
    try database.run(
      """
      UPDATE book SET removed_at = (julianday('now') - 2440587.5) * 86400
      WHERE id = \(key) AND removed_at IS NULL
      """
    )
    try database.run(
      """
      DELETE FROM book WHERE id = \(key) AND state = 'failed' AND page_count = 0
        AND NOT EXISTS(SELECT 1 FROM correction WHERE book_id = book.id)
        AND NOT EXISTS(SELECT 1 FROM reading WHERE book_id = book.id)
      """
    )
  }

  // MARK: Titles of shelves

  /// Returns the titles of shelves that come from other processes.
  func shelfTitles() throws(DatabaseError) -> [String: String] {
    let list = try database.rows("SELECT shelf, title FROM shelf_title") {
      ($0.text(0), $0.text(1))
    }
    return Dictionary(list) { $1 }
  }

  /// Stores the title of a shelf.
  /// - Returns: Whether it had another.
  func setShelfTitle(_ title: String, of shelf: String) throws(DatabaseError) -> Bool {
    guard try shelfTitles()[shelf] != title else { return false }
    try database.run("INSERT OR REPLACE INTO shelf_title(shelf, title) VALUES(\(shelf), \(title))")
    return true
  }

  // MARK: Files

  /// Returns the digest of a file that was read before and has not changed; nil if it is unknown.
  func digest(of path: String, stamp: Int) throws(DatabaseError) -> [UInt8]? {
    try database.first(
      "SELECT sha256 FROM known_file WHERE path = \(path) AND stamp = \(stamp)"
    ) { $0.blob(0) }
  }

  func save(digest: [UInt8], of path: String, stamp: Int) throws(DatabaseError) {
    try database.run(
      """
      INSERT OR REPLACE INTO known_file(path, stamp, sha256)
      VALUES(\(path), \(stamp), \(digest))
      """
    )
  }

  /// Returns the digests of the files that the catalogue needs, in hexadecimal.
  func neededFiles() throws(DatabaseError) -> [StoredFiles.Kind: Set<String>] {
    let originals = try database.rows("SELECT source_sha256 FROM book") {
      Hexadecimal.text($0.blob(0))
    }
    let assets = try database.rows(
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
      password: row.text(7),
      largePrintOf: row.optionalText(43)
    )
    metadata = BookMetadata(row)
    (shape.count, shape.width, shape.height) = (row.int(14), row.real(15), row.real(16))
    shape.blank = [Int](pages: row.blob(17))
    shape.wide = [Int](pages: row.blob(18))
    shape.labels = PageLabels(text: row.text(19))
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
      location = FileLocation(
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

extension BookMetadata {
  /// Reads the columns of a book.
  fileprivate init(_ row: Row) {
    self.init(
      title: row.text(8, limit: TextLimits.title),
      author: row.text(9, limit: TextLimits.title),
      language: row.text(10, limit: TextLimits.language),
      direction: row.optionalText(11).flatMap(Progression.init(name:)),
      stock: row.optionalText(12).flatMap(PaperStock.init(name:)),
      hasSpreads: row.optionalBool(13),
      isShifted: row.optionalBool(47),
      series: row.optionalText(44, limit: TextLimits.title).map {
        Series(
          name: $0,
          volume: row.text(45, limit: TextLimits.label),
          number: row.text(46, limit: TextLimits.label)
        )
      }
    )
  }
}

extension [Int] {
  /// Decodes page numbers of two bytes each, the lower byte first.
  fileprivate init(pages bytes: [UInt8]) {
    self = stride(from: 0, to: bytes.count - 1, by: 2).map {
      Int(bytes[$0]) | Int(bytes[$0 + 1]) << 8
    }
  }

  /// The encoded page numbers.
  fileprivate var pageBytes: [UInt8] {
    flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] }
  }
}
