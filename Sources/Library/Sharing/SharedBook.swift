internal import PressProtocol
internal import Scene

/// The record of a book in a store.
struct SharedBook: Codable, Sendable {
  /// Grows by one with every change; of two changes, the one that was stored last holds.
  var version: Int
  /// The process that wrote it, to tell two writers of one version apart.
  var writer: String
  /// The writer of the version before, which tells whether a writer knew that version; empty for
  /// the first.
  var after = ""
  /// When it was written, in Unix seconds.
  var written: Double
  /// The book; nil if it was deleted.
  ///
  /// A deleted book keeps its record, so that it does not return.
  var book: Contents?

  /// A book with all that another process needs to show it.
  struct Contents: Sendable {
    /// The row; its fields stand beside the others in the record.
    var row: Book
    /// The key of the shelf, and its title if that does not follow from the key.
    var shelf: String
    var shelfTitle: String?
    /// The pages; each page with an image has the digest of the image.
    var pages: [PageRow]
    var outline: [OutlineEntry]
    /// The blobs with the text of the pages; empty while it is not indexed.
    var texts: [Text] = []
  }

  struct Text: Codable, Equatable, Sendable {
    /// The first page, and the number of pages.
    var page: Int
    var count: Int
    /// The digest of the blob, in hexadecimal.
    var digest: String
  }

  /// The maximum size of a record in bytes.
  static let bytesMax = 32 << 20
}

extension SharedBook {
  /// The greatest version, which no book reaches by its changes.
  static let versionMax = 1 << 53

  init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: CodingKeys.self)
    version = try fields.decode(Int.self, forKey: .version)
    guard 0...Self.versionMax ~= version else {
      let text = "the version \(version) is not one of 0 to \(Self.versionMax)"
      throw DecodingError.dataCorruptedError(forKey: .version, in: fields, debugDescription: text)
    }
    writer = try fields.decode(String.self, forKey: .writer)
    after = try fields.decode(String.self, forKey: .after)
    written = try fields.decode(Double.self, forKey: .written)
    book = try fields.decodeIfPresent(Contents.self, forKey: .book)
  }
}

extension SharedBook.Contents: Codable {
  private enum CodingKeys: CodingKey { case shelf, shelfTitle, pages, outline, texts }

  init(from decoder: any Decoder) throws {
    row = try Book(from: decoder)
    let fields = try decoder.container(keyedBy: CodingKeys.self)
    shelf = try fields.decode(String.self, forKey: .shelf)
    shelfTitle = try fields.decodeIfPresent(String.self, forKey: .shelfTitle)
    pages = try fields.decode([PageRow].self, forKey: .pages)
    outline = try fields.decode([OutlineEntry].self, forKey: .outline)
    texts = try fields.decode([SharedBook.Text].self, forKey: .texts)
  }

  func encode(to encoder: any Encoder) throws {
    try row.encode(to: encoder)
    var fields = encoder.container(keyedBy: CodingKeys.self)
    try fields.encode(shelf, forKey: .shelf)
    try fields.encodeIfPresent(shelfTitle, forKey: .shelfTitle)
    try fields.encode(pages, forKey: .pages)
    try fields.encode(outline, forKey: .outline)
    try fields.encode(texts, forKey: .texts)
  }

  /// Returns the row for this machine, within the limits of the catalogue; parts that a store does
  /// not know come from the row that is already there.
  func row(over old: Book?, hash: [UInt8]) -> Book {
    var row = row
    row.file.hash = hash
    row.file.byteSize = max(0, row.file.byteSize)
    row.shape.count = pages.count
    if let old {
      (row.key, row.id, row.added, row.lastRead) = (old.key, old.id, old.added, old.lastRead)
      (row.progress, row.correction, row.location) = (old.progress, old.correction, old.location)
      row.shape.revision = max(row.shape.revision, old.shape.revision)
    }
    return row.bounded
  }
}

/// What this process last agreed with the store about a book.
struct SharedBase: Codable, Equatable, Sendable {
  var version = 0
  var writer = ""
  var isDeleted = false
  var correction = Correction()
  var revision = 0
  var texts: [SharedBook.Text] = []
  /// The corrections before this process wrote this version; nil if another process wrote it.
  var previous: Correction?

  /// Records what was written or read.
  /// - Parameters:
  ///   - shared: The record.
  ///   - previous: The corrections before, if this process wrote the record.
  init(_ shared: SharedBook, previous: Correction? = nil) {
    self.previous = previous
    version = shared.version
    writer = shared.writer
    isDeleted = shared.book == nil
    correction = shared.book?.row.correction ?? Correction()
    revision = shared.book?.row.shape.revision ?? 0
    texts = shared.book?.texts ?? []
  }

  /// Whether another process has replaced what this process wrote, without having read it.
  func isOverwritten(by shared: SharedBook) -> Bool {
    guard previous != nil else { return false }
    return shared.version == version && shared.writer != writer
      || shared.version == version + 1 && shared.after != writer
  }
}
