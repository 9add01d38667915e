/// The books of a folder that wait to be imported, and the batch of imports to which they belong.
///
/// Several books are imported at a time, but only one that has to be laid out, because that takes
/// hundreds of megabytes, and never two versions of one book.
struct PendingImports {
  /// The number of books that are imported at a time.
  private let atOnce: Int
  /// The books that wait, by their paths.
  private var waiting: [String: FoundBook] = [:]
  /// The paths of the books that wait, in order: those that have to be laid out, and the others.
  private var flowing: ArraySlice<String> = []
  private var fixed: ArraySlice<String> = []
  /// The books that are being imported, by their paths.
  private var running: [String: FoundBook] = [:]
  private var batch: ImportBatch?

  /// Creates an empty list.
  /// - Parameter atOnce: The number of books that are imported at a time.
  init(atOnce: Int = 2) { self.atOnce = max(1, atOnce) }

  /// The number of books that wait, or are being imported.
  var count: Int { waiting.count + running.count }

  /// The progress of the batch; nil if there is none.
  var progress: ImportBatch.Progress? {
    batch.map { ImportBatch.Progress(done: $0.books, total: $0.books + count) }
  }

  /// Notes a report of the progress for the log, which is due every ten seconds.
  /// - Parameter now: The present time, in seconds of a monotonic clock.
  /// - Returns: The progress of the batch; nil if no report is due.
  mutating func report(at now: Double) -> ImportBatch.Progress? {
    batch?.isReportDue(at: now) == true ? progress : nil
  }

  /// Returns whether this version of a book is already waiting.
  func contains(_ book: FoundBook) -> Bool {
    (waiting[book.path] ?? running[book.path])?.stamp == book.stamp
  }

  /// Adds a book; one whose last import failed begins no batch.
  /// - Parameters:
  ///   - book: The book; it replaces another version of it that waits.
  ///   - isRetry: Whether its last import failed.
  ///   - now: The present time, in seconds of a monotonic clock.
  mutating func add(_ book: FoundBook, isRetry: Bool, at now: Double) {
    let isNew = waiting.updateValue(book, forKey: book.path) == nil
    if isNew, book.flows { flowing.append(book.path) }
    if isNew, !book.flows { fixed.append(book.path) }
    if !isRetry, batch == nil { batch = ImportBatch(began: now) }
  }

  /// Takes the next book to import; nil if none can be imported now.
  /// - Complexity: O(1) in the number of books, except for one that is being imported already.
  mutating func next() -> FoundBook? {
    guard running.count < atOnce else { return nil }
    let isLayingOut = running.values.contains(where: \.flows)
    guard let path = (isLayingOut ? nil : take(from: \.flowing)) ?? take(from: \.fixed),
      let book = waiting.removeValue(forKey: path)
    else { return nil }
    running[path] = book
    return book
  }

  /// Takes the first path of which no other version is being imported.
  private mutating func take(
    from list: WritableKeyPath<PendingImports, ArraySlice<String>>
  ) -> String? {
    // So few books are being imported that the first one that is not is always near.
    let first = self[keyPath: list].firstIndex { running[$0] == nil }
    return first.map { self[keyPath: list].remove(at: $0) }
  }

  /// Ends the import of a book that ``next()`` has returned.
  /// - Parameters:
  ///   - book: The book.
  ///   - isFailed: Whether it cannot be read; nil if it does not count, because it is tried again.
  /// - Returns: The batch that has ended with it, if there were books in it.
  mutating func end(_ book: FoundBook, isFailed: Bool?) -> ImportBatch? {
    running[book.path] = nil
    if let isFailed { batch?.add(isFailed: isFailed) }
    guard count == 0, let done = batch else { return nil }
    batch = nil
    return done.books > 0 ? done : nil
  }
}

/// A series of imports, from the first book to the last one found in the meantime.
struct ImportBatch: Sendable {
  /// How far a series of imports is.
  struct Progress: Equatable, Sendable {
    /// The number of books that were imported, or tried.
    var done: Int
    /// The number of those books and of all that wait.
    var total: Int
  }

  /// When the first book was found, in seconds of a monotonic clock.
  let began: Double
  /// The number of books that were imported, or tried.
  private(set) var books = 0
  /// The number of those that cannot be read.
  private(set) var failed = 0

  /// When its progress was reported last.
  private var reported: Double

  /// How often the progress of a batch is reported, in seconds.
  private static let reportSeconds = 10.0

  /// Creates an empty batch.
  init(began: Double) { (self.began, reported) = (began, began) }

  /// Returns whether its progress is to be reported now.
  fileprivate mutating func isReportDue(at now: Double) -> Bool {
    guard now - reported >= Self.reportSeconds else { return false }
    reported = now
    return true
  }

  /// Counts a book.
  mutating func add(isFailed: Bool) {
    books += 1
    failed += isFailed ? 1 : 0
  }
}
