internal import Foundation
internal import Notices
internal import PressProtocol
internal import Telemetry

/// Reports imports to the log.
struct ImportLog: Sendable {
  let log: Log

  /// Imports one book, or tries it again, and logs the result.
  func reporting(
    _ file: String,
    _ work: () throws(ImportFault) -> Book
  ) throws(ImportFault) -> Book {
    let began = ProcessInfo.processInfo.systemUptime
    log.info(.importStarted, "The import of a book begins.", ["file": .text(file)])
    do throws(ImportFault) {
      let book = try work()
      guard book.status.state != .locked else {
        report(.encrypted, file: file)
        return book
      }
      log.info(
        .importFinished,
        "A book was imported.",
        [
          "file": .text(file), "format": .text(book.file.format), "pages": .count(book.pages),
          "seconds": .seconds(ProcessInfo.processInfo.systemUptime - began),
        ]
      )
      return book
    } catch {
      report(error, file: file)
      throw error
    }
  }

  /// Logs that a book is on the shelf but cannot be read.
  func report(_ fault: PressFault, file: String) {
    if fault.isLock {
      log.info(.importLocked, "A book needs its password.", ["file": .text(file)])
    } else {
      report(.press(fault), file: file)
    }
  }

  /// Logs that the import of a book failed.
  func report(_ fault: ImportFault, file: String) {
    switch fault {
    case .press(.wrongPassword): report(.wrongPassword as PressFault, file: file)
    case .noRoom(let reason):
      log.error(
        .diskFull,
        "The disk has no room for a book.",
        ["file": .text(file), "reason": .text(reason.message)],
        // The notes of the library name every book.
        collapsing: LogEvent.diskFull.name
      )
    case .file, .press, .catalogue, .noImages, .changed, .stopped:
      log.warning(
        .importFailed,
        "A book cannot be read.",
        ["file": .text(file), "reason": .text(fault.description)]
      )
    }
  }

  /// Logs the result of a scan of a folder if it was the first or found a change.
  func report(
    _ changes: FolderChanges,
    new: Int,
    of books: Int,
    in folder: String,
    seconds: Double,
    isFirst: Bool
  ) {
    guard isFirst || !changes.isEmpty || new > 0 else { return }
    log.info(
      .libraryScanned,
      "The folder was scanned.",
      [
        "folder": .text(folder), "books": .count(books), "new": .count(new),
        "moved": .count(changes.moved.count + changes.reshelved.count),
        "gone": .count(changes.gone.count), "seconds": .seconds(seconds),
      ]
    )
    guard new > 0 else { return }
    log.info(
      .importStarted,
      "The import of books begins.",
      ["folder": .text(folder), "books": .count(new)]
    )
  }

  /// Logs that no more books of a folder wait to be imported.
  func report(_ batch: ImportBatch, in folder: String, at now: Double) {
    log.info(
      .importFinished,
      "Books were imported.",
      [
        "folder": .text(folder), "books": .count(batch.books), "failed": .count(batch.failed),
        "seconds": .seconds(now - batch.began),
      ]
    )
  }

  /// Logs how many of the books of a folder have been imported.
  func report(_ progress: ImportBatch.Progress, in folder: String) {
    log.info(
      .importProgress,
      "Books are being imported.",
      [
        "folder": .text(folder), "books": .count(progress.done), "total": .count(progress.total),
      ]
    )
  }
}
