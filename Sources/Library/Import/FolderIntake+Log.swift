internal import Telemetry

/// Books that are read one after the other, from the first to the last that was found meanwhile.
struct ImportBatch: Sendable {
  /// When the first was found, in seconds of a clock that is never set.
  let began: Double
  /// How many were read, or tried.
  private(set) var books = 0
  /// How many of them cannot be read.
  private(set) var failed = 0

  /// Counts a book.
  mutating func add(isFailed: Bool) {
    books += 1
    failed += isFailed ? 1 : 0
  }
}

// What is logged of a folder.
extension FolderIntake {
  /// Reports what a scan found, if it was the first or anything is another.
  func report(_ changes: Changes, new: Int, of books: Int, seconds: Double, isFirst: Bool) {
    guard isFirst || !changes.isNothing || new > 0 else { return }
    log.info(
      .libraryScanned,
      "The folder was looked through.",
      [
        "folder": .text(root), "books": .count(books), "new": .count(new),
        "moved": .count(changes.moved.count + changes.reshelved.count),
        "gone": .count(changes.gone.count), "seconds": .seconds(seconds),
      ]
    )
    guard new > 0 else { return }
    log.info(
      .importStarted,
      "Books begin to be read.",
      ["folder": .text(root), "books": .count(new)]
    )
  }

  /// Reports that nothing waits to be read any more.
  func report(_ batch: ImportBatch, at now: Double) {
    log.info(
      .importFinished,
      "Books were read.",
      [
        "folder": .text(root), "books": .count(batch.books), "failed": .count(batch.failed),
        "seconds": .seconds(now - batch.began),
      ]
    )
  }

  /// Reports what could not be used and was not said before.
  func report(_ notes: [String], besides old: [String]) {
    let old = Set(old)
    for note in notes where !old.contains(note) { log.warning(.libraryNote, note) }
  }
}
