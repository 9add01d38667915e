internal import Dispatch
internal import Foundation
internal import Synchronization
internal import Telemetry

/// Deletes rooms and readers that are long unused, erases books after 30 days in the bin, and backs
/// up the catalogue.
///
/// Unused data is deleted at the start and then once a day. If anything has changed, a backup is
/// written a minute after the start, every hour and at the end.
final class Housekeeper: @unchecked Sendable {
  // Unchecked Sendable: the timers are only ever cancelled.
  private let timer: any DispatchSourceTimer
  private let copying: any DispatchSourceTimer
  private let queue = DispatchQueue(label: "lectern.housekeeping")
  private let keeper: BackupKeeper?

  /// Why there is no backup of the current catalogue; nil if there is one.
  var note: String? { keeper?.note }

  init(_ store: Store, _ folder: DataFolder, _ bin: Bin, keepRooms: Double, log: Log) {
    let forget = { @Sendable in
      let time = Date().timeIntervalSince1970 - keepRooms
      // After a failure, the run on the next day tries again.
      _ = try? store.write { (rows) throws(DatabaseError) in
        _ = try rows.forgetRooms(unusedSince: time)
        try rows.forgetReaders(
          unseenSince: time + keepRooms - BookLibrary.keepReaders,
          most: BookLibrary.readersMax,
          places: BookLibrary.readerPlacesMax
        )
      }
      _ = try? bin.erase(putThereBy: Date().timeIntervalSince1970 - Bin.keepSeconds)
    }
    forget()
    timer = DispatchSource.makeTimerSource(queue: queue)
    timer.setEventHandler(handler: forget)
    timer.schedule(deadline: .now() + 86_400, repeating: 86_400, leeway: .seconds(600))
    timer.activate()
    keeper = folder.isTemporary ? nil : BackupKeeper(folder, log)
    copying = DispatchSource.makeTimerSource(queue: queue)
    copying.setEventHandler { [keeper] in keeper?.keep() }
    copying.schedule(deadline: .now() + 60, repeating: 3600, leeway: .seconds(10))
    copying.activate()
  }

  deinit { stop() }

  /// Stops after a last backup; may be called more than once.
  func stop() {
    timer.cancel()
    copying.cancel()
    queue.sync { keeper?.keep() }
  }
}

/// Backs up the catalogue if it has changed since the last backup.
private final class BackupKeeper: Sendable {
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

  func keep() {
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
