internal import Foundation
internal import PressProtocol
internal import Telemetry

/// What became of a book of the folder.
struct Shelved: Sendable {
  var place: Place
  /// What could not be used of it.
  var notes: [String] = []
  /// Why it cannot be read, if so: then it stands on the shelf with nothing but the reason.
  var fault: PressFault?
}

// How an import tells that something went wrong: to who asked for it, and to the log.
extension Importer {
  /// Takes one book in, or tries it again, and reports how that went.
  func reporting(
    _ file: String,
    _ work: () throws(ImportFault) -> BookRow
  ) throws(ImportFault) -> BookRow {
    let began = ProcessInfo.processInfo.systemUptime
    log.info(.importStarted, "A book begins to be read.", ["file": .text(file)])
    do throws(ImportFault) {
      let book = try work()
      guard book.state != .locked else {
        report(.encrypted, file: file)
        return book
      }
      log.info(
        .importFinished,
        "A book was read.",
        [
          "file": .text(file), "format": .text(book.format), "pages": .count(book.pageCount),
          "seconds": .seconds(ProcessInfo.processInfo.systemUptime - began),
        ]
      )
      return book
    } catch {
      report(error, file: file)
      throw error
    }
  }

  /// Reports that a book is on the shelf with nothing but the reason that it cannot be read.
  func report(_ fault: PressFault, file: String) {
    if fault.isLock {
      log.info(.importLocked, "A book waits for its password.", ["file": .text(file)])
    } else {
      report(.press(fault), file: file)
    }
  }

  /// Reports that a book did not come in.
  func report(_ fault: ImportFault, file: String) {
    switch fault {
    case .press(.wrongPassword): report(.wrongPassword as PressFault, file: file)
    case .noRoom(let reason):
      log.error(
        .diskFull,
        "The disk has no room for a book.",
        ["file": .text(file), "reason": .text(reason)]
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
      case ENOSPC, EDQUOT: throw .noRoom(error.description)
      default: throw .file(error.description)
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
