internal import Telemetry

// What a library reports.
extension LogEvent {
  /// The folder was looked through, and something was new or gone.
  static let libraryScanned = LogEvent("library.scanned")
  /// Something in the folder could not be used.
  static let libraryNote = LogEvent("library.note")

  /// Books begin to be read.
  static let importStarted = LogEvent("import.started")
  /// Books were read.
  static let importFinished = LogEvent("import.finished")
  /// A book could not be read.
  static let importFailed = LogEvent("import.failed")
  /// A book waits for its password.
  static let importLocked = LogEvent("import.locked")

  /// A press ended by itself, over its document.
  static let pressCrashed = LogEvent("press.crashed")
  /// A press was ended because it took too much, or said what no press says.
  static let pressKilled = LogEvent("press.killed")
  /// No press can be started.
  static let pressFailed = LogEvent("press.failed")
  /// A press could not confine itself, and opens nothing.
  static let pressUnconfined = LogEvent("press.unconfined")

  /// The database was brought to this program's version.
  static let catalogueMigrated = LogEvent("catalogue.migrated")
  /// The database was damaged or gone, and is there again from a copy.
  static let catalogueRestored = LogEvent("catalogue.restored")
  /// A copy of the database was made.
  static let catalogueCopied = LogEvent("catalogue.copied")
  /// The database failed, or no copy of it could be made.
  static let catalogueFailed = LogEvent("catalogue.failed")
  /// The text of a book cannot be read.
  static let indexFailed = LogEvent("index.failed")
  /// A picture of a page could not be kept.
  static let cacheFailed = LogEvent("cache.failed")
  /// The disk has no room.
  static let diskFull = LogEvent("disk.full")
}
