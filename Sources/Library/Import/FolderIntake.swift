internal import Dispatch
internal import Foundation
internal import Telemetry

/// Keeps the shelf in step with a folder: scans and watches it, and imports new books.
///
/// A scan reads names and stamps only, and writes removals and moves in one transaction. New books
/// are imported elsewhere, some at a time, so that imports never delay removals.
final class FolderIntake: @unchecked Sendable {
  // Unchecked Sendable: all variables are accessed on the queue only.
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

  private let watches: Bool
  private var watch: FolderWatch?
  private var writes: FileWrites
  private var locations = FolderLocations()
  private var imports = PendingImports()
  private var noted = FolderNotes()
  /// The file systems of the folder at the last scan; nil before the first.
  private var mounts: Mounts?

  /// How often a folder that cannot be watched is scanned, and how often one is asked whether its
  /// file systems have changed, in seconds.
  private static let interval = 30.0

  /// Creates an idle intake; call ``start()`` to begin.
  ///
  /// A file counts as complete when its last change is `settle` seconds old, or earlier if it was
  /// closed by its writer. The callback for changes runs on any thread.
  init(
    root: String,
    importer: Importer,
    watches: Bool,
    settle: Double = 0.5,
    isStopped: Flag,
    changed: @escaping @Sendable () -> Void
  ) {
    (self.root, self.importer, self.watches, self.isStopped) = (root, importer, watches, isStopped)
    self.changed = changed
    timer = ScanTimer(queue: queue, work: work, isStopped: isStopped)
    writes = FileWrites(settleSeconds: settle)
  }

  /// Starts with an immediate scan.
  func start() throws(DatabaseError) {
    let known = try importer.store.read { try $0.books.allLocations() }
    queue.sync {
      locations = FolderLocations(known)
      if watches { watch = FolderWatch(queue: queue) { [weak self] events in self?.heard(events) } }
    }
    queue.async { self.timer.start { [weak self] in self?.scan() } }
    if watches { lookForMounts() }
  }

  /// Scans when the file systems of the folder have changed, and later looks again.
  private func lookForMounts() {
    queue.asyncAfter(deadline: .now() + Self.interval) { [weak self] in
      guard let self, !isStopped.isSet else { return }
      let mounts = Mounts(of: root)
      if mounts.isRemote || mounts != self.mounts { timer.scanSoon(after: 0) }
      lookForMounts()
    }
  }

  private var log: ImportLog { importer.log }

  /// Schedules a scan because somebody asked for it.
  func scanNow() {
    log.log.info(.scanRequested, "A scan of the folder was requested.", ["folder": .text(root)])
    queue.async { self.timer.scanSoon(after: 0) }
  }

  /// The notes on unusable files, each with its path.
  var notes: [String] { queue.sync { noted.all } }

  /// The number of books that wait to be imported.
  var waiting: Int { queue.sync { imports.count } }

  /// How far the imports are; nil while no book waits to be imported.
  var progress: ImportBatch.Progress? { queue.sync { imports.progress } }

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

  /// Stops and waits for work in progress.
  func stop() {
    queue.sync {
      watch = nil
      timer.cancel()
    }
    reading.sync(flags: .barrier) {}
    queue.sync {}
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
    let mounts = Mounts(of: root)
    guard !isStopped.isSet, FileStamp(root)?.isFolder == true else {
      // A missing disk does not remove books: the shelf stays as it is until the folder is back.
      note(["\(root): the folder is missing; its books stay on the shelf."], of: FolderNotes.ofScan)
      return timer.scanLater(after: Self.interval)
    }
    let scan = FolderScan(root: root) { [watch] in watch?.watch($0) }
    var notes = scan.notes
    let changes = differences(from: scan)
    let seconds = Self.now() - began
    let new = changes.new.count { !noted.isFailing($0.path) }
    log.report(
      changes,
      new: new,
      of: scan.books.count,
      in: root,
      seconds: seconds,
      isFirst: self.mounts == nil
    )
    self.mounts = mounts
    if !changes.isEmpty {
      do throws(DatabaseError) {
        try carryOut(changes)
        changed()
      } catch {
        notes.append("\(error)")
        timer.scanLater(after: Self.interval)
      }
    }
    for book in changes.new {
      imports.add(book, isRetry: noted.isFailing(book.path), at: began)
    }
    readNext()
    if watches, watch == nil || watch?.isIncomplete == true {
      notes.append(
        "\(root): not all of its folders can be watched; it is scanned every "
          + "\(Int(Self.interval)) s. Raise fs.inotify.max_user_watches."
      )
      timer.scanLater(after: Self.interval)
    }
    note(notes, of: FolderNotes.ofScan)
  }

  /// Stores and logs the notes on a book or a scan, replacing the earlier ones.
  private func note(_ notes: [String], of path: String) {
    for note in noted.replace(notes, of: path) { log.log.warning(.libraryNote, note) }
  }

  private func differences(from scan: FolderScan) -> FolderChanges {
    let isWatched = mounts != nil && watch != nil
    let (changes, wait) = locations.differences(
      from: scan,
      besides: imports,
      wasWritten: { writes.wasWritten($0) }
    ) { book in
      writes.secondsLeft(
        for: book,
        at: Self.now(),
        unixTime: Date().timeIntervalSince1970,
        isWatched: isWatched
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
      noted.forget(path)
    }
    for location in put { locations.put(location) }
  }

  // MARK: Importing

  /// Starts as many imports as may run at a time.
  private func readNext() {
    while let book = imports.next() {
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
    let batch = imports.end(book, isFailed: note(outcome, of: book))
    if let batch { log.report(batch, in: root, at: Self.now()) }
    if let progress = imports.report(at: Self.now()) { log.report(progress, in: root) }
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
      noted.succeed(book.path)
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
      if noted.fail(book.path, "\(book.path): \(fault)") { log.report(fault, file: book.path) }
      timer.scanLater(after: Self.interval)
      return true
    }
  }

  /// The time in seconds of a monotonic clock.
  private static func now() -> Double { ProcessInfo.processInfo.systemUptime }
}
