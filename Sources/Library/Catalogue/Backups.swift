internal import Foundation
internal import Glibc
internal import Telemetry

/// Backups of the catalogue, in case its file is damaged or missing.
///
/// There are two: the latest one, and one that is at least a day older. A backup contains what
/// people did, and omits data that can be read from the books again, mainly their texts.
struct Backups: Sendable {
  /// The path of the catalogue.
  let database: String
  /// The folder of the backups.
  let folder: String

  var recent: String { folder + "/catalogue-recent.sqlite" }
  var earlier: String { folder + "/catalogue-earlier.sqlite" }

  /// The minimum age at which a backup replaces the older one, in seconds.
  private static let day = 86_400.0

  /// Backs up the catalogue and replaces the latest backup once the new one is complete.
  ///
  /// Creates nothing if the catalogue is missing.
  func make() throws(StoreError) {
    // SQLite would create an empty catalogue, and the folder might have been deleted on purpose.
    guard access(database, F_OK) == 0 else {
      throw .unwritable(path: database, reason: String(cString: strerror(errno)))
    }
    let new = folder + "/new.sqlite"
    do {
      try FileManager.default.createDirectory(
        atPath: folder,
        withIntermediateDirectories: true,
        attributes: [.posixPermissions: 0o700]
      )
    } catch { throw .unwritable(path: folder, reason: error.localizedDescription) }
    Self.remove(new)
    do throws(DatabaseError) {
      try copy(to: new)
    } catch {
      Self.remove(new)
      throw .failed(error)
    }
    if access(recent, F_OK) == 0, isDayOld(earlier) { rename(recent, earlier) }
    guard rename(new, recent) == 0 else {
      throw .unwritable(path: recent, reason: String(cString: strerror(errno)))
    }
  }

  private func copy(to path: String) throws(DatabaseError) {
    close(open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600))
    let copy = try Database(path: path, isReader: false)
    try copy.fill(from: database)
    try copy.check()
  }

  private func isDayOld(_ path: String) -> Bool {
    guard let stamp = FileStamp(path) else { return true }
    return Date().timeIntervalSince1970 - stamp.changedSeconds >= Self.day
  }

  // MARK: Restoring

  /// Returns whether there is a backup that contains books.
  ///
  /// Books that could never be read do not count: they are deleted together with their files.
  var isWorthwhile: Bool { [recent, earlier].contains { Self.isIntact($0, hasBooks: true) } }

  /// Replaces the catalogue with the newest intact backup and moves the old catalogue aside.
  ///
  /// Without a backup, the catalogue of a library with a store begins empty.
  /// - Returns: The note for the log, or `nil` if there is no such backup.
  func restore(
    because reason: String,
    now: Double,
    isShared: Bool = false
  ) throws(StoreError) -> String? {
    for path in [recent, earlier] where Self.isIntact(path) {
      let aside = try setAside(now: now)
      do {
        try FileManager.default.copyItem(atPath: path, toPath: database)
      } catch { throw .unwritable(path: database, reason: error.localizedDescription) }
      chmod(database, 0o600)
      let date = Date(timeIntervalSince1970: FileStamp(path)?.changedSeconds ?? 0)
      return "The catalogue \(database) \(reason). It was restored from the backup of "
        + "\(ISO8601DateFormatter().string(from: date)), \(path); later changes are "
        + "lost.\(aside.map { " The old file is now \($0)." } ?? "")"
    }
    guard isShared else { return nil }
    let aside = try setAside(now: now)
    return "The catalogue \(database) \(reason). It is rebuilt from the store."
      + (aside.map { " The old file is now \($0)." } ?? "")
  }

  /// Moves the catalogue and its accompanying files aside.
  private func setAside(now: Double) throws(StoreError) -> String? {
    guard access(database, F_OK) == 0 else { return nil }
    let aside = "\(folder)/catalogue-damaged-\(Int(now)).sqlite"
    for ending in ["-wal", "-shm", ""] where access(database + ending, F_OK) == 0 {
      guard rename(database + ending, aside + ending) == 0 else {
        throw .unwritable(path: aside, reason: String(cString: strerror(errno)))
      }
    }
    return aside
  }

  /// Returns whether a backup is intact, has a known version, and if asked, has readable books.
  private static func isIntact(_ path: String, hasBooks: Bool = false) -> Bool {
    guard access(path, R_OK) == 0 else { return false }
    do throws(DatabaseError) {
      let rows = try Database(path: path, isReader: true)
      try rows.check()
      guard try rows.version() <= Schema.steps.count else { return false }
      return hasBooks ? try rows.hasBooks(beside: .failed) : true
    } catch { return false }
  }

  private static func remove(_ path: String) {
    for ending in ["", "-wal", "-shm", "-journal"] { unlink(path + ending) }
  }
}

extension Store {
  /// The maximum size of a catalogue that is checked at the start, in bytes; a larger one would
  /// take seconds.
  private static let checkedMax = 128 << 20

  /// Opens the catalogue of a folder that this process owns.
  ///
  /// A damaged, empty or missing catalogue is restored from a backup. Without a backup it is
  /// rejected if opening it would lose data; one without books beside imported ones is logged.
  /// - Returns: The store, and a note for the log.
  static func opened(
    in folder: DataFolder,
    now: Double,
    isShared: Bool = false,
    log: Log = .disabled
  ) throws(StoreError) -> (store: Store, note: String?) {
    let path = folder.database
    let backups = Backups(database: path, folder: folder.backups)
    let size = FileStamp(path)?.size
    var trouble: String?
    if let size, size > 0 {
      do throws(StoreError) {
        let store = try Store(path: path, log: log)
        let isEmpty = try store.isEmpty(isChecked: size <= checkedMax)
        guard isEmpty, backups.isWorthwhile else {
          if isEmpty, folder.hasOriginals {
            // A first import that was killed also leaves a copy, so the start is not refused.
            log.warning(.catalogueEmpty, Self.withoutBooks, ["file": .text(path)])
          }
          return (store, nil)
        }
        trouble = "contained no books"
      } catch {
        guard case .failed(let fault) = error, fault.isDamage else { throw error }
        trouble = "was damaged (\(fault.message))"
      }
    } else if backups.isWorthwhile || folder.hasOriginals {
      trouble = size == nil ? "was missing" : "was empty"
    }
    guard let trouble else {
      // The secret is written after the first catalogue. With a store, that fills a new catalogue.
      if !isShared, access(folder.path + "/secret", F_OK) == 0 {
        log.warning(.catalogueMissing, Self.isNew, ["file": .text(path)])
      }
      return (try Store(path: path, log: log), nil)
    }
    guard let note = try backups.restore(because: trouble, now: now, isShared: isShared) else {
      throw .lost(path: path, reason: trouble)
    }
    log.warning(.catalogueRestored, note)
    return (try Store(path: path, log: log), note)
  }

  private static let isNew =
    "The catalogue is new, but its data folder was used before. Corrections and bookmarks "
    + "are lost, unless you stop the server and put a copy of the former catalogue there."
  private static let withoutBooks =
    "The catalogue has no books, but the data folder has copies of imported ones. If you restored "
    + "it from a backup, stop the server and copy catalogue.sqlite-wal, too, before you add a book."

  private func isEmpty(isChecked: Bool) throws(StoreError) -> Bool {
    do throws(DatabaseError) {
      return try read { rows in
        if isChecked { try rows.check() }
        return try !rows.hasBooks()
      }
    } catch { throw .failed(error) }
  }
}

extension DataFolder {
  /// Whether there are copies of books, whose names only the catalogue knows.
  fileprivate var hasOriginals: Bool {
    StoredFiles.names(in: path + "/originals").contains { prefix in
      !StoredFiles.names(in: path + "/originals/" + prefix).isEmpty
    }
  }
}
