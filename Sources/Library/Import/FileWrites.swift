/// The files in a folder that are being written, and so are not imported yet.
///
/// All times are in seconds of a monotonic clock, unless they are in Unix seconds.
struct FileWrites {
  /// The time without a write after which an unclosed file is imported as it is, in seconds.
  static let patience = 10.0

  /// Files that are being written, with the time of the last write.
  private var writing: [String: Double] = [:]
  /// Files that were reported as complete since the last scan.
  private var complete: Set<String> = []

  /// Whether nothing is being written.
  var isEmpty: Bool { writing.isEmpty }

  /// Records events.
  /// - Returns: Whether a scan is due.
  mutating func note(_ events: [FolderEvent], at now: Double) -> Bool {
    var isDue = false
    for event in events {
      switch event {
      case .writing(let path): writing[path] = now
      case .complete(let path):
        writing[path] = nil
        complete.insert(path)
        isDue = true
      case .changed, .lost: isDue = true
      }
    }
    return isDue
  }

  /// Decides whether a book is still being written.
  /// - Parameters:
  ///   - book: The book, a file or a folder of images.
  ///   - now: The present time.
  ///   - unixTime: The present time in Unix seconds.
  ///   - settleSeconds: The age of its last change at which a file that its writer has not closed
  ///     counts as complete. 0 if events report a file that is still being written.
  /// - Returns: How many seconds to wait for the book; nil if it is complete.
  mutating func secondsLeft(
    for book: FoundBook,
    at now: Double,
    unixTime: Double,
    settleSeconds: Double
  ) -> Double? {
    let inside = book.path + "/"
    for (path, time) in writing
    where path == book.path || (book.images != nil && path.hasPrefix(inside)) {
      if now - time < Self.patience { return Self.patience - (now - time) }
      writing[path] = nil
    }
    if book.images == nil, complete.contains(book.path) { return nil }
    let age = unixTime - book.changed
    return age >= 0 && age < settleSeconds ? settleSeconds - age + 0.01 : nil
  }

  /// Returns whether the file of a book was closed by a writer, or moved here, since the last scan.
  ///
  /// Its stamp may be the one that it had: a writer can set the times of a file, and those of two
  /// writes within a few milliseconds can be equal.
  func wasWritten(_ book: FoundBook) -> Bool { book.images == nil && complete.contains(book.path) }

  /// Clears the record of complete files, because a scan has found them.
  mutating func endScan() { complete = [] }
}
