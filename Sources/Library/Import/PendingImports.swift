/// The books of a folder that wait to be imported, and the batch of imports to which they belong.
struct PendingImports {
  /// The stamps of the books by their paths.
  private var stamps: [String: Int] = [:]
  private var batch: ImportBatch?

  /// The number of books that wait, or are being imported.
  var count: Int { stamps.count }

  /// Returns whether this version of a book is already waiting.
  func contains(_ book: FoundBook) -> Bool { stamps[book.path] == book.stamp }

  /// Adds a book; one whose last import failed begins no batch.
  /// - Parameters:
  ///   - book: The book.
  ///   - isRetry: Whether its last import failed.
  ///   - now: The present time, in seconds of a monotonic clock.
  mutating func add(_ book: FoundBook, isRetry: Bool, at now: Double) {
    stamps[book.path] = book.stamp
    if !isRetry, batch == nil { batch = ImportBatch(began: now) }
  }

  /// Removes a book that was imported or tried, unless a newer version of it waits.
  mutating func remove(_ book: FoundBook) {
    if contains(book) { stamps[book.path] = nil }
  }

  /// Counts a book in the batch.
  mutating func count(isFailed: Bool) { batch?.add(isFailed: isFailed) }

  /// Ends the batch if no book waits.
  /// - Returns: The batch that has ended, if there were books in it.
  mutating func endBatch() -> ImportBatch? {
    guard stamps.isEmpty, let done = batch else { return nil }
    batch = nil
    return done.books > 0 ? done : nil
  }
}

/// A series of imports, from the first book to the last one found in the meantime.
struct ImportBatch: Sendable {
  /// When the first book was found, in seconds of a monotonic clock.
  let began: Double
  /// The number of books that were imported, or tried.
  private(set) var books = 0
  /// The number of those that cannot be read.
  private(set) var failed = 0

  /// Creates an empty batch.
  init(began: Double) { self.began = began }

  /// Counts a book.
  mutating func add(isFailed: Bool) {
    books += 1
    failed += isFailed ? 1 : 0
  }
}
