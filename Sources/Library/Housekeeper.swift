internal import Dispatch
internal import Foundation
internal import Synchronization
internal import Telemetry

/// Deletes rooms and readers that are long unused, erases books after 30 days in the bin, and backs
/// up the catalogue.
///
/// Unused data is deleted at the start and then once a day. If anything has changed, a backup is
/// written a minute after the start, every hour and at the end.
final class Housekeeper: Sendable {
  private let timer: TimerBox
  private let copying: TimerBox
  private let queue = DispatchQueue(label: "lectern.housekeeping")
  private let backup: ChangeBackup?

  /// Why there is no backup of the current catalogue; nil if there is one.
  var note: String? { backup?.note }

  init(_ store: Store, _ folder: DataFolder, _ bin: Bin, keepRooms: Double, log: Log) {
    let forget = { @Sendable in
      let time = Date().timeIntervalSince1970 - keepRooms
      // After a failure, the run on the next day tries again.
      _ = try? store.write { rows in
        _ = try rows.rooms.forget(unusedSince: time)
        try rows.readers.forget(
          unseenSince: time + keepRooms - BookLibrary.readerRetention,
          most: BookLibrary.readersMax,
          bookmarks: BookLibrary.readerBookmarksMax
        )
      }
      _ = try? bin.erase(putThereBy: Date().timeIntervalSince1970 - Bin.retentionSeconds)
    }
    forget()
    timer = TimerBox(queue: queue)
    timer.start(every: 86_400, after: 86_400, forget)
    backup = folder.isTemporary ? nil : ChangeBackup(folder, log)
    copying = TimerBox(queue: queue)
    copying.start(every: 3600, after: 60) { [backup] in backup?.write() }
  }

  deinit { stop() }

  /// Stops after a last backup; may be called more than once.
  func stop() {
    timer.cancel()
    copying.cancel()
    queue.sync { backup?.write() }
  }
}

/// Backs up the catalogue if it has changed since the last backup.
private final class ChangeBackup: Sendable {
  private let backups: Backups
  private let log: Log
  private let state: Mutex<(stamp: [FileStamp?], note: String?)>

  init(_ folder: DataFolder, _ log: Log) {
    self.log = log
    backups = Backups(database: folder.database, folder: folder.backups)
    let stamp = access(backups.recent, F_OK) == 0 ? Self.stamp(folder.database) : []
    state = Mutex((stamp, nil))
  }

  var note: String? { state.withLock { $0.note } }

  func write() {
    let stamp = Self.stamp(backups.database)
    guard state.withLock({ $0.stamp != stamp }) else { return }
    let began = ProcessInfo.processInfo.systemUptime
    do throws(StoreError) {
      try backups.make()
      state.withLock { $0 = (stamp, nil) }
      let seconds = ProcessInfo.processInfo.systemUptime - began
      log.info(
        .catalogueCopied,
        "A backup of the catalogue was written.",
        ["file": .text(backups.recent), "seconds": .seconds(seconds)]
      )
    } catch {
      let note = "The catalogue could not be backed up: \(error)"
      state.withLock { $0.note = note }
      log.error(.catalogueFailed, note)
    }
  }

  /// The stamps of the catalogue's file and of its write-ahead log.
  private static func stamp(_ database: String) -> [FileStamp?] {
    [FileStamp(database), FileStamp(database + "-wal")]
  }
}
