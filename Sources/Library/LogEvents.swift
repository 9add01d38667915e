internal import Telemetry

// The log events of a library.
extension LogEvent {
  /// A scan of the folder found new or missing books.
  static let libraryScanned = LogEvent("library.scanned")
  /// Something in the folder cannot be used.
  static let libraryNote = LogEvent("library.note")

  /// An import begins.
  static let importStarted = LogEvent("import.started")
  /// Somebody asked for a scan of the folder.
  static let scanRequested = LogEvent("scan.requested")
  /// Many books are being imported.
  static let importProgress = LogEvent("import.progress")
  /// An import has finished.
  static let importFinished = LogEvent("import.finished")
  /// A book cannot be read.
  static let importFailed = LogEvent("import.failed")
  /// A book needs a password.
  static let importLocked = LogEvent("import.locked")

  /// A book was put into the bin.
  static let bookDeleted = LogEvent("book.deleted")
  /// A book in the bin was erased.
  static let bookErased = LogEvent("book.erased")

  /// The database was migrated to this version of the program.
  static let catalogueMigrated = LogEvent("catalogue.migrated")
  /// The database was damaged or missing and was restored from a backup.
  static let catalogueRestored = LogEvent("catalogue.restored")
  /// The database has no books, but imported ones are stored.
  static let catalogueEmpty = LogEvent("catalogue.empty")
  /// The database is new, but the data folder was used before.
  static let catalogueMissing = LogEvent("catalogue.missing")
  /// A backup of the database was written.
  static let catalogueCopied = LogEvent("catalogue.copied")
  /// The database or its backup failed.
  static let catalogueFailed = LogEvent("catalogue.failed")
  /// The text of a book cannot be read.
  static let indexFailed = LogEvent("index.failed")
  /// A page image could not be stored.
  static let cacheFailed = LogEvent("cache.failed")
  /// The store that several processes share does not answer.
  static let storeUnreachable = LogEvent("store.unreachable")
  /// The store answers again.
  static let storeRecovered = LogEvent("store.recovered")
  /// A record or a file could not be exchanged with the store.
  static let storeFailed = LogEvent("store.failed")
  /// The disk is full.
  static let diskFull = LogEvent("disk.full")
}
