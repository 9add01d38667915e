internal import Telemetry

// Log events of a folder.
extension FolderIntake {
  /// Logs the result of a scan if it was the first or found a change.
  func report(_ changes: FolderChanges, new: Int, of books: Int, seconds: Double, isFirst: Bool) {
    guard isFirst || !changes.isEmpty || new > 0 else { return }
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
}
