internal import Dispatch
internal import Foundation
internal import Synchronization
internal import Telemetry

/// The catalogue's file, opened once for writing, on its own queue, and several times for reading.
///
/// Every call blocks until SQLite has answered, so never call it on a service thread. Readers see
/// the latest committed state and never wait for the writer (WAL).
final class Store: @unchecked Sendable {
  // Unchecked Sendable: the writer is used on its queue only. The condition lends each reader to
  // one thread at a time.
  private let queue = DispatchQueue(label: "lectern.catalogue")
  private let writer: Database
  private let log: Log
  private let condition = NSCondition()
  private var idle: [Database] = []
  private static let readerCount = 3
  /// Called on any thread after each transaction; set once, before the first.
  private let onWrite = Mutex<(@Sendable () -> Void)?>(nil)

  /// Opens the database and migrates it to this program's version.
  ///
  /// Only its owner can read the file, because it contains passwords of books.
  init(path: String, log: Log = .disabled) throws(StoreError) {
    self.log = log
    // Created before SQLite creates it, so that other users can never read it.
    let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw .unwritable(path: path, reason: String(cString: strerror(errno))) }
    close(file)
    chmod(path, 0o600)
    do {
      writer = try Database(path: path, isReader: false)
      let version = try Schema.migrate(writer, path: path)
      if version != Schema.steps.count {
        log.info(
          .catalogueMigrated,
          version == 0 ? "The catalogue was created." : "The catalogue was migrated.",
          ["file": .text(path), "from": .count(version), "to": .count(Schema.steps.count)]
        )
      }
      for _ in 0..<Self.readerCount { idle.append(try Database(path: path, isReader: true)) }
    } catch let error as DatabaseError {
      throw .failed(error)
    } catch let error as StoreError {
      throw error
    } catch {
      throw .unwritable(path: path, reason: "\(error)")
    }
  }

  /// Writes in a transaction, which is rolled back if the closure throws.
  func write<T: Sendable>(_ work: (Database) throws -> T) throws(DatabaseError) -> T {
    let result = queue.sync { Result { try writer.transaction { try work(writer) } } }
    do {
      let value = try result.get()
      onWrite.withLock { $0 }?()
      return value
    } catch { throw reported(DatabaseError(error)) }
  }

  /// Moves everything from the write-ahead log into the catalogue's file, so that a copy of that
  /// file alone is whole.
  func finish() {
    queue.sync {
      do throws(DatabaseError) {
        try writer.checkpoint()
      } catch { _ = reported(error) }
    }
  }

  /// The number of rows that were read so far by readers that are idle now, and by the writer.
  var rowsRead: Int {
    let written = queue.sync { writer.rowsRead }
    return condition.withLock { idle.reduce(written) { $0 + $1.rowsRead } }
  }

  /// Calls a closure after each transaction from now on.
  func afterWrites(_ call: @escaping @Sendable () -> Void) { onWrite.withLock { $0 = call } }

  /// Reads; waits for a free reader.
  func read<T: Sendable>(_ work: (Database) throws -> T) throws(DatabaseError) -> T {
    condition.lock()
    while idle.isEmpty { condition.wait() }
    let reader = idle.removeLast()
    condition.unlock()
    defer {
      condition.lock()
      idle.append(reader)
      condition.signal()
      condition.unlock()
    }
    do { return try work(reader) } catch { throw reported(DatabaseError(error)) }
  }

  /// Logs an error, in addition to throwing it.
  private func reported(_ error: DatabaseError) -> DatabaseError {
    log.error(
      error.isFull ? .diskFull : .catalogueFailed,
      error.isFull ? "The disk has no room for the catalogue." : "The catalogue failed.",
      ["reason": .text("\(error)")],
      collapsing: error.isFull
        ? LogEvent.diskFull.name : "catalogue \(error.code) \(error.subject)"
    )
    return error
  }
}

/// A reason that the catalogue's file cannot be used.
enum StoreError: Error, Equatable, CustomStringConvertible {
  /// The file cannot be created or opened; the reason is the message of the system.
  case unwritable(path: String, reason: String)
  /// A later version of Lectern wrote the file.
  case newer(path: String, version: Int, known: Int)
  /// SQLite reports an error.
  case failed(DatabaseError)
  /// The file is unusable, and there is no backup.
  case lost(path: String, reason: String)

  /// What is wrong and what to do.
  var description: String {
    switch self {
    case .unwritable(let path, let reason):
      "The catalogue \(path) cannot be opened: \(reason). Check the permissions."
    case .newer(let path, let version, let known):
      "The catalogue \(path) has version \(version), but this Lectern supports only "
        + "\(known). Use the newer version of Lectern, or another data folder."
    case .failed(let error): "\(error)"
    case .lost(let path, let reason):
      "The catalogue \(path) \(reason), and there is no backup in the folder \"backups\" "
        + "next to it. Restore one, or move the data folder away to start over: the books of the "
        + "library folder are then imported again, and imported files are in \"originals\"."
    }
  }
}
