internal import Dispatch
internal import Foundation
internal import Synchronization
internal import Telemetry

/// Keeps the shelf in step with a folder: scans and watches it, and imports new books.
///
/// A scan reads names and stamps only, and writes removals and moves in one transaction. New books
/// are imported elsewhere, some at a time, so that imports never delay removals.
final class FolderIntake: @unchecked Sendable {
  // Unchecked Sendable: all variables are accessed on the queue only, except those with a lock, so
  // that nobody waits for a scan: a share whose server is gone can hold it for ever.
  let root: String
  private let importer: Importer
  private let changed: @Sendable () -> Void
  private let isStopped: Flag
  private let queue = DispatchQueue(label: "lectern.folder")
  private let reading = DispatchQueue(
    label: "lectern.folder.books",
    qos: .utility,
    attributes: .concurrent
  )
  private let work = WorkCount()
  private let timer: ScanTimer

  private var watch: FolderWatch?
  private let findMounts: @Sendable (String) -> Mounts
  private var polling: FolderPolling
  private var writes = FileWrites()
  private var locations = FolderLocations()
  private let imports = Mutex(PendingImports())
  private let noted = Mutex(FolderNotes())

  /// How long stopping waits for a scan, in seconds.
  private static let stopSeconds = 5.0

  /// Creates an idle intake; call ``start()`` to begin.
  ///
  /// The callbacks run on any thread.
  /// - Parameters:
  ///   - root: The path of the folder.
  ///   - importer: The importer of its books.
  ///   - scanSeconds: See ``BookLibrary/Options/scanSeconds``.
  ///   - settle: The age of a file's last change at which it counts as complete, in seconds, unless
  ///     its writer closed it earlier. On a share, closing is not reported, and it takes longer.
  ///   - isStopped: Ends the work when it is set.
  ///   - findMounts: Returns the file systems of a folder.
  ///   - changed: Called after each change.
  init(
    root: String,
    importer: Importer,
    scanSeconds: Double? = nil,
    settle: Double = 0.5,
    isStopped: Flag,
    findMounts: @escaping @Sendable (String) -> Mounts = { Mounts(of: $0) },
    changed: @escaping @Sendable () -> Void
  ) {
    (self.root, self.importer, self.isStopped) = (root, importer, isStopped)
    (self.findMounts, self.changed) = (findMounts, changed)
    timer = ScanTimer(queue: queue, work: work, isStopped: isStopped)
    polling = FolderPolling(scanSeconds: scanSeconds, settleSeconds: settle, at: Self.now())
  }

  /// Starts with an immediate scan.
  /// - Parameter watches: Whether the folder is watched, or scanned only once.
  /// - Throws: `DatabaseError` if the catalogue cannot be read.
  func start(watches: Bool) throws(DatabaseError) {
    let known = try importer.store.read { try $0.books.allLocations() }
    queue.sync {
      locations = FolderLocations(known)
      if watches { watch = FolderWatch(queue: queue) { [weak self] events in self?.heard(events) } }
    }
    queue.async { self.timer.start { [weak self] in self?.scan() } }
    if watches { queue.async { self.poll() } }
  }

  /// Scans when changes may have been missed, and looks again later.
  private func poll() {
    let seconds = polling.secondsLeft(at: Self.now())
    queue.asyncAfter(deadline: .now() + seconds) { [weak self] in
      guard let self, !isStopped.isSet else { return }
      if polling.isScanDue(on: findMounts(root), at: Self.now()) { timer.scanSoon(after: 0) }
      poll()
    }
  }

  private var log: ImportLog { importer.log }

  /// Schedules a scan because somebody asked for it.
  func scanNow() {
    log.log.info(.scanRequested, "A scan of the folder was requested.", ["folder": .text(root)])
    queue.async { self.timer.scanSoon(after: 0) }
  }

  /// The notes on unusable files, each with its path.
  var notes: [String] { noted.withLock { $0.all } }

  /// The number of books that wait to be imported.
  var waiting: Int { imports.withLock { $0.count } }

  /// How far the imports are; nil while no book waits to be imported.
  var progress: ImportBatch.Progress? { imports.withLock { $0.progress } }

  /// The duration of the last scan in seconds; nil before the first.
  ///
  /// Can be read on any thread.
  var scanSeconds: Double? { timer.scanSeconds }

  /// Waits until no work is in progress, except files that are still being written.
  /// - Returns: Whether this happened in time.
  func waitUntilIdle(seconds: Double) -> Bool {
    queue.sync {}
    return work.wait(seconds: seconds)
  }

  /// Stops and waits for work in progress, but not for a share that does not answer.
  func stop() {
    let ended = DispatchSemaphore(value: 0)
    queue.async { [self] in
      watch = nil
      timer.cancel()
      reading.async(flags: .barrier) { self.queue.async { ended.signal() } }
    }
    if ended.wait(timeout: .now() + Self.stopSeconds) == .timedOut {
      note(["\(root): the folder does not answer, so its scan was abandoned."], of: root)
    }
  }

  private func heard(_ events: [FolderEvent]) {
    // Copying a large file must not cause scans all the time; its last event arrives when it is
    // complete.
    if writes.note(events, at: Self.now()) { timer.scanSoon(after: 0.1) }
    if !writes.isEmpty { timer.scanLater(after: FileWrites.patience) }
  }

  // MARK: Scanning

  private func scan() {
    let began = Self.now()
    let mounts = findMounts(root)
    guard !isStopped.isSet, FileStamp(root)?.isFolder == true else {
      // A missing disk does not remove books: the shelf stays as it is until the folder is back.
      note(["\(root): the folder is missing; its books stay on the shelf."], of: FolderNotes.ofScan)
      return timer.scanLater(after: polling.interval)
    }
    var scan = FolderScan(root: root) { [watch] in watch?.watch($0) }
    if findMounts(root) != mounts {
      scan.markIncomplete()
      timer.scanSoon(after: 0)
    }
    let settleSeconds = polling.settleSeconds(on: mounts, isWatched: watch?.isIncomplete == false)
    let isFirst = polling.isFirst
    polling.note(mounts, empty: scan.empty) { [root] in Mounts.contains($0, in: root) }
    let changes = differences(from: scan, settleSeconds)
    var notes = scan.notes
    notes += changes.kept.sorted { $0.key < $1.key }
      .map { FolderPolling.note(on: $0.key, books: $0.value) }
    let seconds = Self.now() - began
    let new = noted.withLock { noted in changes.new.count { !noted.isFailing($0.path) } }
    log.report(
      changes,
      new: new,
      of: scan.books.count,
      in: root,
      seconds: seconds,
      isFirst: isFirst
    )
    if !changes.isEmpty {
      do throws(DatabaseError) {
        try carryOut(changes)
        changed()
      } catch {
        notes.append("\(error)")
        timer.scanLater(after: polling.interval)
      }
    }
    for book in changes.new {
      let isRetry = noted.withLock { $0.isFailing(book.path) }
      imports.withLock { $0.add(book, isRetry: isRetry, at: began) }
    }
    readNext()
    if watch?.isIncomplete == true {
      notes.append(
        "\(root): not all of its folders can be watched; it is scanned every "
          + "\(Int(polling.interval)) s. Raise fs.inotify.max_user_watches."
      )
      timer.scanLater(after: polling.interval)
    }
    note(notes, of: FolderNotes.ofScan)
  }

  /// Stores and logs the notes on a book or a scan, replacing the earlier ones.
  private func note(_ notes: [String], of path: String) {
    for note in noted.withLock({ $0.replace(notes, of: path) }) {
      log.log.warning(.libraryNote, note)
    }
  }

  private func differences(
    from scan: FolderScan,
    _ settleSeconds: Double
  ) -> FolderChanges {
    let (changes, wait) = locations.differences(
      from: scan,
      doubting: polling.doubted,
      besides: imports.withLock { $0 },
      wasWritten: { writes.wasWritten($0) }
    ) { book in
      writes.secondsLeft(
        for: book,
        at: Self.now(),
        unixTime: Date().timeIntervalSince1970,
        settleSeconds: settleSeconds
      )
    }
    writes.endScan()
    if let wait { timer.scanWhenSettled(after: wait) }
    return changes
  }

  private func carryOut(_ changes: FolderChanges) throws(DatabaseError) {
    let put = locations.locations(after: changes)
    let (moved, leaving) = (changes.moved, changes.leaving)
    try importer.store.write { rows in
      for location in put { try rows.books.put(location) }
      for (from, book) in moved {
        guard let key = try rows.books.key(at: from), let row = try rows.books.book(key: key) else {
          continue
        }
        try rows.books.rename(row, to: book.name)
      }
      for path in leaving { try rows.books.removeLocation(path) }
    }
    for path in leaving {
      locations.remove(path)
      noted.withLock { $0.forget(path) }
    }
    for location in put { locations.put(location) }
  }

  // MARK: Importing

  /// Starts as many imports as may run at a time.
  private func readNext() {
    while let book = imports.withLock({ $0.next() }) {
      work.begin()
      reading.async { [weak self] in
        guard let self else { return }
        let outcome = Result { () throws(ImportFault) in
          guard !isStopped.isSet else { throw .stopped }
          return try importer.shelve(book)
        }
        queue.async { self.finished(book, outcome) }
      }
    }
  }

  private func finished(_ book: FoundBook, _ outcome: Result<Shelved, ImportFault>) {
    let isFailed = note(outcome, of: book)
    let batch = imports.withLock { $0.end(book, isFailed: isFailed) }
    if let batch { log.report(batch, in: root, at: Self.now()) }
    if let progress = imports.withLock({ $0.report(at: Self.now()) }) {
      log.report(progress, in: root)
    }
    readNext()
    work.end()
  }

  /// Takes over the result of an import.
  /// - Returns: Whether the book cannot be read; nil if it is tried again.
  private func note(_ outcome: Result<Shelved, ImportFault>, of book: FoundBook) -> Bool? {
    switch outcome {
    case .success(let shelved):
      locations.put(shelved.location)
      note(shelved.notes, of: book.path)
      noted.withLock { $0.succeed(book.path) }
      if let fault = shelved.fault { log.report(fault, file: book.path) }
      changed()
      // The file may have disappeared or become another one during the import, after the scan that
      // the last event caused.
      let stamp = Sidecar.stamp(of: book.path)
      let isAnother = book.images == nil && stamp != shelved.location.stamp
      if stamp == nil || isAnother { timer.scanSoon(after: 0) }
      return shelved.fault.map { !$0.isLock } ?? false
    case .failure(.stopped): return nil
    case .failure(.changed):
      timer.scanSoon(after: 0.1)
      return nil
    case .failure(let fault):
      let isFirst = noted.withLock { $0.fail(book.path, "\(book.path): \(fault)") }
      if isFirst { log.report(fault, file: book.path) }
      timer.scanLater(after: polling.interval)
      return true
    }
  }

  /// The time in seconds of a monotonic clock.
  private static func now() -> Double { ProcessInfo.processInfo.systemUptime }
}
