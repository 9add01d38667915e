/// The files in a folder that are being written, and so are not imported yet.
///
/// All times are in seconds of a monotonic clock, unless they are in Unix seconds.
struct FileWrites {
  /// How long a file can be silent while it is written before it is imported as it is, in seconds.
  static let patience = 10.0

  /// How old the last change of a complete file is, unless its writer closed it, in seconds.
  private let settleSeconds: Double
  /// Files that are being written, with the time of the last write.
  private var writing: [String: Double] = [:]
  /// Files that were reported as complete since the last scan.
  private var complete: Set<String> = []

  /// Creates the state of a folder in which nothing is being written.
  init(settleSeconds: Double) { self.settleSeconds = settleSeconds }

  /// Whether nothing is being written.
  var isEmpty: Bool { writing.isEmpty }

  /// Takes note of events.
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
  ///   - isWatched: Whether events report all writes since a scan. A file that was complete before
  ///     is not being written; if somebody writes to one now, an event reports it.
  /// - Returns: How many seconds to wait for the book; nil if it is complete.
  mutating func secondsLeft(
    for book: FoundBook,
    at now: Double,
    unixTime: Double,
    isWatched: Bool
  ) -> Double? {
    let inside = book.path + "/"
    for (path, time) in writing
    where path == book.path || (book.images != nil && path.hasPrefix(inside)) {
      if now - time < Self.patience { return Self.patience - (now - time) }
      writing[path] = nil
    }
    guard isWatched else { return nil }
    if book.images == nil, complete.contains(book.path) { return nil }
    let age = unixTime - book.changed
    return age >= 0 && age < settleSeconds ? settleSeconds - age + 0.01 : nil
  }

  /// Forgets which files were reported as complete, because a scan has found them.
  mutating func endScan() { complete = [] }
}
