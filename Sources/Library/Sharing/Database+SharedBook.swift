internal import Notices
internal import PressProtocol
internal import Scene

// Facts about books from a store as rows.
extension Database {
  /// The result of comparing a record with the catalogue.
  struct Applied: Equatable {
    /// Whether the catalogue has changed.
    var isChanged: Bool
    /// Whether the texts of the book are still missing.
    var needsTexts: Bool
  }

  /// Puts the facts about a book from a store into the catalogue.
  ///
  /// A change here that waits to be published is kept: of the corrections, the fields that were
  /// changed here. A deletion takes the book off the shelf, unless this process has its file.
  /// - Parameters:
  ///   - shared: The record.
  ///   - hash: The digest of the book's file.
  ///   - tag: The tag of the record in the store's list, if it is known.
  ///   - base: What was agreed before.
  ///   - agreed: What is agreed afterwards, as it is stored.
  ///   - now: The time in Unix seconds.
  /// - Returns: What has changed.
  /// - Throws: An error of the database.
  func apply(
    _ shared: SharedBook,
    of hash: [UInt8],
    tag: String?,
    base: SharedBase?,
    agreed: String,
    at now: Double
  ) throws(DatabaseError) -> Applied {
    let name = Hexadecimal.text(hash)
    if let base {
      if shared.version == base.version, shared.writer == base.writer {
        if let tag { try setTag(tag, .meta, name) }
        return Applied(isChanged: false, needsTexts: try lacksTexts(shared, hash))
      }
      if shared.version < base.version {
        // An older state was restored in the store.
        if let tag { try setTag(tag, .meta, name) }
        try enqueue(.meta, name, at: now)
        return Applied(isChanged: false, needsTexts: false)
      }
    }
    let wasOutgoing = try isOutgoing(.meta, name)
    let isOverwritten = base?.isOverwritten(by: shared) ?? false
    var isOutgoing = wasOutgoing
    if isOverwritten, base?.isDeleted == true, shared.book != nil {
      // The deletion by this process is published again.
      isOutgoing = true
    } else if let facts = shared.book {
      let before = (isOverwritten ? base?.previous : nil) ?? base?.correction
      let isChanged = wasOutgoing || isOverwritten
      let differs = try take(facts, of: hash, before: before, isChanged: isChanged)
      isOutgoing = differs || wasOutgoing
    } else if try drop(hash) {
      isOutgoing = true
    }
    try setBase(agreed, tag: tag, .meta, name)
    // The triggers have recorded what was just read.
    if isOutgoing { try enqueue(.meta, name, at: now) } else { try dequeue(.meta, name) }
    return Applied(isChanged: true, needsTexts: try lacksTexts(shared, hash))
  }

  /// Returns whether the store has texts of a book that the catalogue has not.
  private func lacksTexts(_ shared: SharedBook, _ hash: [UInt8]) throws(DatabaseError) -> Bool {
    guard let facts = shared.book, !facts.texts.isEmpty, let row = try book(source: hash) else {
      return false
    }
    return row.pages.count == facts.pages.count && row.progress.indexed < row.pages.count
  }

  /// Takes a deleted book off the shelf.
  /// - Returns: Whether this process has a file of the book, which keeps it on the shelf.
  private func drop(_ hash: [UInt8]) throws(DatabaseError) -> Bool {
    guard let row = try book(source: hash) else { return false }
    let places = try places(of: row.key)
    if row.times.deleted != nil, places.allSatisfy(\.isStored) {
      // Another process has emptied the bin.
      try erase(row.key)
      return false
    }
    for place in places where place.isShared { try removePlace(place.path) }
    return places.contains { !$0.isShared }
  }

  /// Puts a book into the bin, or takes it out, as another process did.
  private func setDeleted(_ time: Double?, of key: Int) throws(DatabaseError) {
    guard let time else { return try takeFromBin(key) }
    try putIntoBin(key, deletesFile: false, at: time)
  }

  /// Takes over the facts about a book.
  /// - Returns: Whether the catalogue now differs from them.
  private func take(
    _ facts: SharedBook.Facts,
    of hash: [UInt8],
    before: SharedBook.Edits?,
    isChanged: Bool
  ) throws(DatabaseError) -> Bool {
    let old = try known(facts, hash)
    let edits = old.map { SharedBook.Edits($0) } ?? SharedBook.Edits()
    let merged =
      isChanged
      ? edits.merged(base: before ?? SharedBook.Edits(), other: facts.correction)
      : facts.correction
    // A book that can be read here replaces one that another process could not read.
    let isOurs = old?.isReadable == true && facts.status.state != BookState.ready.rawValue
    var row = isOurs ? old ?? BookRow() : facts.row(over: old, hash: hash)
    if old != nil, row.publicID != facts.id, try book(publicID: facts.id) == nil {
      try run(
        "UPDATE book SET public_id = ? WHERE id = ?",
        .text(facts.id),
        .integer(row.key)
      )
    }
    if !isOurs {
      let pages = facts.pages.map(\.row)
      let isSame = old == nil ? false : try hasPages(row.key, pages)
      if !isSame { (row.progress.indexed, row.progress.thumbed) = (0, 0) }
      if facts.status.isIndexed, facts.texts.isEmpty { row.progress.indexed = row.pages.count }
      row.key = try save(row)
      if !isSame {
        try replacePages(of: row.key, with: pages, outline: facts.outline.map(\.entry))
      }
      try run(
        "UPDATE book SET added_at = ?, last_read = nullif(max(coalesce(last_read, 0), ?), 0) "
          + "WHERE id = ?",
        .real(old == nil ? facts.added : min(facts.added, row.times.added)),
        .real(facts.lastRead ?? 0),
        .integer(row.key)
      )
    }
    if merged != edits {
      try save(merged.row, of: row.key)
      try setDeleted(merged.deleted, of: row.key)
    }
    try shelve(row, facts, hash)
    return isOurs || merged != facts.correction
  }

  /// Returns the row of a book; also that of a folder whose images have changed, which has the same
  /// id and another digest.
  private func known(
    _ facts: SharedBook.Facts,
    _ hash: [UInt8]
  ) throws(DatabaseError) -> BookRow? {
    if let row = try book(source: hash) { return row }
    guard let row = try book(publicID: facts.id) else { return nil }
    let places = try places(of: row.key)
    // An own file decides what the book is.
    guard places.allSatisfy(\.isShared) else { return nil }
    for place in places { try run("DELETE FROM place WHERE path = ?", .text(place.path)) }
    return row
  }

  /// Puts a book of the store on its shelf, unless this process has its file.
  private func shelve(
    _ row: BookRow,
    _ facts: SharedBook.Facts,
    _ hash: [UInt8]
  ) throws(DatabaseError) {
    let places = try places(of: row.key)
    let shelf = Shelf.isKey(facts.shelf) ? facts.shelf : Shelf.imported
    if let title = facts.shelfTitle {
      try setShelfTitle(TextLimits.cut(title, to: TextLimits.collection), of: shelf)
    }
    if places.contains(where: { !$0.isStored }) { return }
    let path = FilePlace.storedPath(hash, format: row.file.format)
    var place =
      places.first { $0.path == path }
      ?? FilePlace(path: path, book: row.key, shelf: shelf, isStored: true, stamp: FilePlace.shared)
    place.shelf = shelf
    try put(place)
  }

  /// Returns whether a book has these pages, whatever the location of its images is.
  private func hasPages(_ key: Int, _ pages: [PageRow]) throws(DatabaseError) -> Bool {
    let known = try self.pages(of: key)
    return known.count == pages.count
      && zip(known, pages).allSatisfy { one, other in
        one.width == other.width && one.height == other.height && one.label == other.label
          && one.format == other.format && one.fault == other.fault
          && (one.asset == other.asset || one.asset == nil && one.file != nil)
      }
  }

  /// Stores the text of pages that follow those with known text.
  /// - Returns: Whether they did.
  func saveTexts(
    _ contents: [PageContent],
    from start: Int,
    of hash: [UInt8]
  ) throws(DatabaseError) -> Bool {
    guard let row = try book(source: hash), row.progress.indexed == start,
      start + contents.count <= row.pages.count
    else { return false }
    for (index, content) in contents.enumerated() {
      try save(content, page: start + index, of: row.key)
    }
    try run(
      "UPDATE book SET indexed = ? WHERE id = ?",
      .integer(start + contents.count),
      .integer(row.key)
    )
    return true
  }
}

extension FilePlace {
  /// The stamp of a copy that belongs to the store and is not on this machine yet.
  static let shared = 1
  /// The stamp of a copy that belongs to the store and was fetched.
  static let fetched = 2

  /// Whether the copy belongs to the store, and not to this process.
  var isShared: Bool { isStored && stamp > 0 }

  /// Returns the path of a stored copy in the data folder.
  static func storedPath(_ hash: [UInt8], format: String) -> String {
    format == "folder"
      ? "images/" + Hexadecimal.text(hash) : StoredFiles.name(.originals, hash)
  }
}

extension SharedBook.Page {
  /// The page as a row, within the limits of the catalogue.
  fileprivate var row: PageRow {
    PageRow(
      width: w,
      height: h,
      label: label ?? "",
      asset: asset.flatMap(Hexadecimal.digest),
      format: format,
      fault: fault.map(Notice.init(stored:))
    ).bounded
  }
}

extension SharedBook.Entry {
  init(_ entry: OutlineEntry) {
    self.init(depth: entry.depth, title: entry.title, page: entry.page)
  }

  fileprivate var entry: OutlineEntry { OutlineEntry(depth: depth, title: title, page: page) }
}

extension Hexadecimal {
  /// Returns the 32 bytes of a digest; nil for any other text.
  static func digest(_ text: String) -> [UInt8]? {
    let digits = Array(text.utf8)
    guard digits.count == 64 else { return nil }
    var bytes: [UInt8] = []
    for index in stride(from: 0, to: 64, by: 2) {
      guard let high = value(digits[index]), let low = value(digits[index + 1]) else { return nil }
      bytes.append(high << 4 | low)
    }
    return bytes
  }

  private static func value(_ digit: UInt8) -> UInt8? {
    switch digit {
    case 0x30...0x39: digit - 0x30
    case 0x61...0x66: digit - 0x61 + 10
    default: nil
    }
  }
}
