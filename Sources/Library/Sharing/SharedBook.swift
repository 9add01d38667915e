/// The facts about a book in a store: all that another process needs to show it.
struct SharedBook: Codable, Equatable, Sendable {
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
  var book: Facts?

  /// The facts.
  struct Facts: Codable, Equatable, Sendable {
    /// The id, which is the same on all processes.
    var id: String
    var file: File
    var metadata: Metadata
    var shape: Shape
    var status: Status
    var correction: Edits
    /// The key of the shelf, and its title if that does not follow from the key.
    var shelf: String
    var shelfTitle: String?
    var added: Double
    var lastRead: Double?
    var pages: [Page]
    var outline: [Entry]
    /// The blobs with the text of the pages; empty while it is not indexed.
    var texts: [Text]
  }

  struct File: Codable, Equatable, Sendable {
    var name: String
    var byteSize: Int
    var format: String
    var isImages: Bool
    var password: String
  }

  struct Metadata: Codable, Equatable, Sendable {
    var title: String
    var author: String
    var language: String
    var direction: String?
    var stock: String?
    var hasSpreads: Bool?
  }

  /// What a shelf shows of the pages.
  struct Shape: Codable, Equatable, Sendable {
    var width: Double
    var height: Double
    var blank: [Int]
    var wide: [Int]
    var labels: String
    var cloth: Int?
    var lettering: Int?
    var revision: Int
  }

  struct Status: Codable, Equatable, Sendable {
    var state: String
    var failure: String?
    var mayRetry: Bool
    var hasText: Bool
    /// Whether all text is known; a book without text blobs then has no text.
    var isIndexed: Bool
  }

  /// What readers have changed: the corrections, and whether the book is in the bin.
  struct Edits: Codable, Equatable, Sendable {
    var title: String?
    var author: String?
    var direction: String?
    var stock: String?
    var cover: Int?
    var hasSpreads: Bool?
    var isShifted: Bool?
    /// When it was put into the bin; nil if it is not there.
    var deleted: Double?
  }

  struct Page: Codable, Equatable, Sendable {
    var w: Double
    var h: Double
    var label: String?
    /// The digest of its image, in hexadecimal.
    var asset: String?
    var format: String?
    /// Why its image cannot be shown.
    var fault: String?
  }

  struct Entry: Codable, Equatable, Sendable {
    var depth: Int
    var title: String
    var page: Int?
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

extension SharedBook.Edits {
  /// Combines changes on two sides: a field that this side changed holds, all others come from the
  /// other side.
  func merged(base: Self, other: Self) -> Self {
    func pick<T: Equatable>(_ field: KeyPath<Self, T?>) -> T? {
      self[keyPath: field] != base[keyPath: field] ? self[keyPath: field] : other[keyPath: field]
    }
    return Self(
      title: pick(\.title),
      author: pick(\.author),
      direction: pick(\.direction),
      stock: pick(\.stock),
      cover: pick(\.cover),
      hasSpreads: pick(\.hasSpreads),
      isShifted: pick(\.isShifted),
      deleted: pick(\.deleted)
    )
  }
}

extension SharedBase {
  /// Whether another process has replaced what this process wrote, without having read it.
  func isOverwritten(by shared: SharedBook) -> Bool {
    guard previous != nil else { return false }
    return shared.version == version && shared.writer != writer
      || shared.version == version + 1 && shared.after != writer
  }
}

/// What this process last agreed with the store about a book.
struct SharedBase: Codable, Equatable, Sendable {
  var version = 0
  var writer = ""
  var isDeleted = false
  var correction = SharedBook.Edits()
  var revision = 0
  var texts: [SharedBook.Text] = []
  /// The corrections before this process wrote this version; nil if another process wrote it.
  var previous: SharedBook.Edits?

  /// Records what was written or read.
  /// - Parameters:
  ///   - shared: The record.
  ///   - previous: The corrections before, if this process wrote the record.
  init(_ shared: SharedBook, previous: SharedBook.Edits? = nil) {
    self.previous = previous
    version = shared.version
    writer = shared.writer
    isDeleted = shared.book == nil
    correction = shared.book?.correction ?? SharedBook.Edits()
    revision = shared.book?.shape.revision ?? 0
    texts = shared.book?.texts ?? []
  }
}
