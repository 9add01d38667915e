internal import Telemetry

/// A series of imports, from the first book to the last one found in the meantime.
struct ImportBatch: Sendable {
  /// When the first book was found, in seconds of a monotonic clock.
  let began: Double
  /// The number of books that were imported, or tried.
  private(set) var books = 0
  /// The number of those that cannot be read.
  private(set) var failed = 0

  /// Counts a book.
  mutating func add(isFailed: Bool) {
    books += 1
    failed += isFailed ? 1 : 0
  }
}

// Log events of a folder.
extension FolderIntake {
  /// Logs the result of a scan if it was the first or found a change.
  func report(_ changes: Changes, new: Int, of books: Int, seconds: Double, isFirst: Bool) {
    guard isFirst || !changes.isNothing || new > 0 else { return }
    log.info(
      .libraryScanned,
      "The folder was scanned.",
      [
        "folder": .text(root), "books": .count(books), "new": .count(new),
        "moved": .count(changes.moved.count + changes.reshelved.count),
        "gone": .count(changes.gone.count), "seconds": .seconds(seconds),
      ]
    )
    guard new > 0 else { return }
    log.info(
      .importStarted,
      "The import of books begins.",
      ["folder": .text(root), "books": .count(new)]
    )
  }

  /// Logs that no more books wait to be imported.
  func report(_ batch: ImportBatch, at now: Double) {
    log.info(
      .importFinished,
      "Books were imported.",
      [
        "folder": .text(root), "books": .count(batch.books), "failed": .count(batch.failed),
        "seconds": .seconds(now - batch.began),
      ]
    )
  }

  /// Logs the notes that are not among the old ones.
  func report(_ notes: [String], besides old: [String]) {
    let old = Set(old)
    for note in notes where !old.contains(note) { log.warning(.libraryNote, note) }
  }
}
