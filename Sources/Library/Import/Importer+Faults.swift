internal import Foundation
internal import Notices
internal import PressProtocol
internal import Telemetry

/// The result of importing a book from the folder.
struct Shelved: Sendable {
  var place: FilePlace
  /// The files of the book that cannot be used.
  var notes: [String] = []
  /// Why the book cannot be read; nil if it can.
  ///
  /// The shelf then shows only the reason.
  var fault: PressFault?
}

// Reports of failed imports, to the caller and to the log.
extension Importer {
  /// Imports one book, or tries it again, and logs the result.
  func reporting(
    _ file: String,
    _ work: () throws(ImportFault) -> BookRow
  ) throws(ImportFault) -> BookRow {
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
          "file": .text(file), "format": .text(book.file.format), "pages": .count(book.pages.count),
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
        ["file": .text(file), "reason": .text(reason.message)]
      )
    default:
      log.warning(
        .importFailed,
        "A book cannot be read.",
        ["file": .text(file), "reason": .text(fault.description)]
      )
    }
  }

  func filed<T>(_ work: () throws(FileFault) -> T) throws(ImportFault) -> T {
    do throws(FileFault) { return try work() } catch {
      switch error.code {
      case ECANCELED: throw .stopped
      case ENOSPC, EDQUOT: throw .noRoom(error.notice)
      default: throw .file(error.notice)
      }
    }
  }

  func catalogued<T: Sendable>(
    _ work: (Database) throws(DatabaseError) -> T
  ) throws(ImportFault) -> T {
    do throws(DatabaseError) { return try store.read(work) } catch { throw .catalogue(error) }
  }

  func written<T: Sendable>(
    _ work: (Database) throws(DatabaseError) -> T
  ) throws(ImportFault) -> T {
    do throws(DatabaseError) { return try store.write(work) } catch { throw .catalogue(error) }
  }
}
