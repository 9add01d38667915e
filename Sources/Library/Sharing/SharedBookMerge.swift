internal import Bytes

/// Merges the record of a book in a store with what the catalogue has.
struct SharedBookMerge {
  let rows: Database
  /// The digest of the book's file.
  let hash: [UInt8]
  /// Whether its shelf has another title.
  private var isRetitled = false

  init(rows: Database, hash: [UInt8]) { (self.rows, self.hash) = (rows, hash) }

  /// The result of comparing a record with the catalogue.
  struct Applied: Equatable {
    /// The key of the book; nil if the catalogue has no such book, or if more than the book has
    /// changed.
    var key: Int?
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
  ///   - tag: The tag of the record in the store's list, if it is known.
  ///   - base: What was agreed before.
  ///   - agreed: What is agreed afterwards, as it is stored.
  ///   - now: The time in Unix seconds.
  /// - Returns: What has changed.
  /// - Throws: An error of the database.
  mutating func apply(
    _ shared: SharedBook,
    tag: String?,
    base: SharedBase?,
    agreed: String,
    at now: Double
  ) throws(DatabaseError) -> Applied {
    let name = Hexadecimal.text(hash)
    if let base {
      if shared.version == base.version, shared.writer == base.writer {
        if let tag { try rows.outgoing.setTag(tag, .meta, name) }
        return try applied(shared, isChanged: false)
      }
      if shared.version < base.version {
        // An older state was restored in the store.
        if let tag { try rows.outgoing.setTag(tag, .meta, name) }
        try rows.outgoing.enqueue(.meta, name, at: now)
        return Applied(isChanged: false, needsTexts: false)
      }
    }
    let wasOutgoing = try rows.outgoing.changed(.meta, name) != nil
    let isOverwritten = base?.isOverwritten(by: shared) ?? false
    var isOutgoing = wasOutgoing
    if isOverwritten, base?.isDeleted == true, shared.book != nil {
      // The deletion by this process is published again.
      isOutgoing = true
    } else if let facts = shared.book {
      let before = (isOverwritten ? base?.previous : nil) ?? base?.correction
      let isChanged = wasOutgoing || isOverwritten
      let differs = try adopt(facts, before: before, isChanged: isChanged)
      isOutgoing = differs || wasOutgoing
    } else if try drop() {
      isOutgoing = true
    }
    try rows.outgoing.setBase(agreed, tag: tag, .meta, name)
    // The triggers have recorded what was just read.
    if isOutgoing {
      try rows.outgoing.enqueue(.meta, name, at: now)
    } else {
      try rows.outgoing.dequeue(.meta, name)
    }
    return try applied(shared, isChanged: true)
  }

  private func applied(_ shared: SharedBook, isChanged: Bool) throws(DatabaseError) -> Applied {
    let row = try rows.books.book(source: hash)
    var applied = Applied(key: isRetitled ? nil : row?.key, isChanged: isChanged, needsTexts: false)
    if let row, let facts = shared.book, !facts.texts.isEmpty {
      applied.needsTexts = row.pages == facts.pages.count && row.progress.indexed < row.pages
    }
    return applied
  }

  /// Takes a deleted book off the shelf.
  /// - Returns: Whether this process has a file of the book, which keeps it on the shelf.
  private func drop() throws(DatabaseError) -> Bool {
    guard let row = try rows.books.book(source: hash) else { return false }
    let locations = try rows.books.locations(of: row.key)
    if row.deleted != nil, locations.allSatisfy(\.isStored) {
      // Another process has emptied the bin.
      try rows.books.erase(row.key)
      return false
    }
    for location in locations where location.isShared {
      try rows.books.removeLocation(location.path)
    }
    return locations.contains { !$0.isShared }
  }

  /// Puts a book into the bin, or takes it out, as another process did.
  private func setDeleted(_ time: Double?, of key: Int) throws(DatabaseError) {
    guard let time else { return try rows.books.restoreFromBin(key) }
    try rows.books.putIntoBin(key, deletesFile: false, at: time)
  }

  /// Takes over the facts about a book.
  /// - Returns: Whether the catalogue now differs from them.
  private mutating func adopt(
    _ facts: SharedBook.Contents,
    before: Correction?,
    isChanged: Bool
  ) throws(DatabaseError) -> Bool {
    let old = try known(facts)
    let edits = old?.correction ?? Correction()
    let merged =
      isChanged
      ? edits.merged(base: before ?? Correction(), other: facts.row.correction)
      : facts.row.correction
    // A book that can be read here replaces one that another process could not read.
    let isOurs = old?.isReadable == true && facts.row.state != .ready
    var row = isOurs ? old ?? Book() : facts.row(over: old, hash: hash)
    if old != nil, row.id != facts.row.id, try rows.books.book(id: facts.row.id) == nil {
      try rows.books.setID(facts.row.id, of: row.key)
    }
    if !isOurs {
      let pages = facts.pages.map(\.bounded)
      let isSame = old == nil ? false : try hasPages(row.key, pages)
      if !isSame { (row.progress.indexed, row.progress.thumbed) = (0, 0) }
      if row.status.isIndexed, facts.texts.isEmpty { row.progress.indexed = row.pages }
      row.key = try rows.books.save(row)
      if !isSame { try rows.pages.replace(of: row.key, with: pages, outline: facts.outline) }
      let added = old.map { min(facts.row.added, $0.added) } ?? facts.row.added
      try rows.books.setTimes(of: row.key, added: added, lastRead: facts.row.lastRead)
    }
    if merged != edits {
      try rows.books.save(merged.bounded, of: row.key)
      try setDeleted(merged.deleted, of: row.key)
    }
    try shelve(row, facts)
    return isOurs || merged != facts.row.correction
  }

  /// Returns the row of a book; also that of a folder whose images have changed, which has the same
  /// id and another digest.
  private func known(_ facts: SharedBook.Contents) throws(DatabaseError) -> Book? {
    if let row = try rows.books.book(source: hash) { return row }
    guard let row = try rows.books.book(id: facts.row.id) else { return nil }
    let locations = try rows.books.locations(of: row.key)
    // An own file decides what the book is.
    guard locations.allSatisfy(\.isShared) else { return nil }
    try rows.books.removeLocations(of: row.key)
    return row
  }

  /// Puts a book of the store on its shelf, unless this process has its file.
  private mutating func shelve(_ row: Book, _ facts: SharedBook.Contents) throws(DatabaseError) {
    let locations = try rows.books.locations(of: row.key)
    let shelf = Shelf.isKey(facts.shelf) ? facts.shelf : Shelf.imported
    if let title = facts.shelfTitle {
      let title = TextLimits.cut(title, to: TextLimits.collection)
      isRetitled = try rows.books.setShelfTitle(title, of: shelf)
    }
    if locations.contains(where: { !$0.isStored }) { return }
    let path = FileLocation.storedPath(hash, format: row.file.format)
    var location =
      locations.first { $0.path == path }
      ?? FileLocation(
        path: path,
        book: row.key,
        shelf: shelf,
        isStored: true,
        stamp: FileLocation.shared
      )
    location.shelf = shelf
    try rows.books.put(location)
  }

  /// Returns whether a book has these pages, whatever the location of its images is.
  private func hasPages(_ key: Int, _ pages: [PageRow]) throws(DatabaseError) -> Bool {
    let known = try rows.pages.all(of: key)
    return known.count == pages.count
      && zip(known, pages).allSatisfy { one, other in
        one.width == other.width && one.height == other.height && one.label == other.label
          && one.format == other.format && one.fault == other.fault
          && (one.asset == other.asset || one.asset == nil && one.file != nil)
      }
  }
}

extension FileLocation {
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
