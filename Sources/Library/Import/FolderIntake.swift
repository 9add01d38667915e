internal import Dispatch
internal import Foundation
internal import Synchronization
internal import Telemetry

/// Keeps the shelf in step with a folder: scans and watches it, and imports new books.
///
/// A scan reads names and stamps only, and writes removals and moves in one transaction. New books
/// are imported elsewhere, one after another, so that imports never delay removals.
final class FolderIntake: @unchecked Sendable {
  // Unchecked Sendable: all variables are accessed on the queue only, except the counter of work in
  // progress, which has its own lock.
  let root: String
  let log: Log
  private let importer: Importer
  private let changed: @Sendable () -> Void
  private let isStopped: Flag
  private let queue = DispatchQueue(label: "lectern.folder")
  private let reading = DispatchQueue(label: "lectern.folder.books", qos: .utility)
  private let work = WorkCount()
  private let settle: Double

  private var places: [String: Place] = [:]
  private var inFlight: [String: Int] = [:]
  /// Files that are being written, with the time of the last write.
  private var writing: [String: Double] = [:]
  /// Files that were reported as complete since the last scan.
  private var complete: Set<String> = []
  private var watch: FolderWatch?
  private var watches: Bool
  private var isScanDue = false
  private var hasScanned = false
  private var lastScan = 0.0
  private let seconds = Mutex<Double?>(nil)
  /// The notes on unusable files by the path of the book.
  ///
  /// The notes on the scan itself have a path that no book has, because the folder itself can be a
  /// book.
  private var noted: [String: [String]] = [:]
  private static let ofScan = ""
  /// Books whose last import failed; repeated failures are not logged.
  private var failing: Set<String> = []
  private var batch: ImportBatch?

  /// How long a file can be silent while it is written before it is imported as it is, in seconds.
  private static let patience = 10.0
  /// How often a folder that cannot be watched is scanned, in seconds.
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
    log: Log,
    isStopped: Flag,
    changed: @escaping @Sendable () -> Void
  ) {
    self.root = root
    self.importer = importer
    self.watches = watches
    self.settle = settle
    self.log = log
    self.isStopped = isStopped
    self.changed = changed
  }

  /// Starts with an immediate scan.
  func start() throws(DatabaseError) {
    let known = try importer.store.read { (rows) throws(DatabaseError) in try rows.allPlaces() }
    queue.sync {
      for place in known where !place.isStored { places[place.path] = place }
      if watches {
        watch = FolderWatch(queue: queue) { [weak self] events in self?.heard(events) }
      }
    }
    queue.async { self.scanSoon(after: 0) }
  }

  /// The notes on unusable files, each with its path.
  var notes: [String] { queue.sync { noted.keys.sorted().flatMap { noted[$0] ?? [] } } }

  /// The number of books that wait to be imported.
  var waiting: Int { queue.sync { inFlight.count } }

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
      isScanDue = false
    }
    reading.sync {}
    queue.sync {}
  }

  // MARK: Events

  private func heard(_ events: [FolderEvent]) {
    var isDue = false
    for item in events {
      switch item {
      case .writing(let path): writing[path] = Self.now()
      case .complete(let path):
        writing[path] = nil
        complete.insert(path)
        isDue = true
      case .changed, .lost: isDue = true
      }
    }
    // Copying a large file must not cause scans all the time; its last event arrives when it is
    // complete.
    if isDue { scanSoon(after: 0.1) }
    if !writing.isEmpty { scanLater(after: Self.patience) }
  }

  /// Scans soon, but spends at most a fraction of the time on scans.
  private func scanSoon(after seconds: Double) {
    guard !isScanDue, !isStopped.isSet else { return }
    isScanDue = true
    work.begin()
    queue.asyncAfter(deadline: .now() + max(seconds, 4 * lastScan)) { [weak self] in
      guard let self else { return }
      if isScanDue {
        isScanDue = false
        scan()
      }
      work.end()
    }
  }

  private var isLookDue = false

  /// Scans at a later time, when something may have become due.
  private func scanLater(after seconds: Double) {
    guard !isLookDue else { return }
    isLookDue = true
    queue.asyncAfter(deadline: .now() + seconds) { [weak self] in
      self?.isLookDue = false
      self?.scanSoon(after: 0)
    }
  }

  /// The duration of the last scan in seconds; nil before the first.
  ///
  /// Can be read on any thread.
  var scanSeconds: Double? { seconds.withLock { $0 } }

  // MARK: Scanning

  private func scan() {
    let began = Self.now()
    defer {
      lastScan = Self.now() - began
      seconds.withLock { $0 = lastScan }
    }
    guard !isStopped.isSet, FileStamp(root)?.isFolder == true else {
      // A missing disk does not remove books: the shelf stays as it is until the folder is back.
      note(["\(root): the folder is missing; its books stay on the shelf."], of: Self.ofScan)
      return scanLater(after: Self.interval)
    }
    let scan = FolderScan(root: root) { [watch] in watch?.watch($0) }
    var notes = scan.notes
    let changes = differences(scan)
    complete = []
    let seconds = Self.now() - began
    let new = changes.new.count { !failing.contains($0.path) }
    report(changes, new: new, of: scan.books.count, seconds: seconds, isFirst: !hasScanned)
    hasScanned = true
    if !changes.isNothing {
      do throws(DatabaseError) {
        try carryOut(changes)
        changed()
      } catch {
        notes.append("\(error)")
        scanLater(after: Self.interval)
      }
    }
    for book in changes.new { read(book) }
    if watches, watch == nil || watch?.isIncomplete == true {
      notes.append(
        "\(root): not all of its folders can be watched; it is scanned every "
          + "\(Int(Self.interval)) s. Raise fs.inotify.max_user_watches."
      )
      scanLater(after: Self.interval)
    }
    note(notes, of: Self.ofScan)
  }

  /// Stores the notes on a book or a scan, replacing the earlier ones.
  private func note(_ notes: [String], of path: String) {
    report(notes, besides: noted[path] ?? [])
    noted[path] = notes.isEmpty ? nil : notes
  }

  struct Changes {
    var gone: [String] = []
    var moved: [(from: String, to: FoundBook)] = []
    var reshelved: [FoundBook] = []
    var new: [FoundBook] = []

    var isNothing: Bool { gone.isEmpty && moved.isEmpty && reshelved.isEmpty }
  }

  private func differences(_ scan: FolderScan) -> Changes {
    var changes = Changes()
    var missing = Set(places.keys)
    var wait = Double.infinity
    for book in scan.books {
      missing.remove(book.path)
      if let place = places[book.path], place.stamp == book.stamp {
        if place.shelf != book.shelf { changes.reshelved.append(book) }
      } else if let seconds = unsettled(book) {
        wait = min(wait, seconds)
      } else if inFlight[book.path] != book.stamp {
        changes.new.append(book)
      }
    }
    if wait.isFinite {
      work.begin()
      queue.asyncAfter(deadline: .now() + wait) { [weak self] in
        self?.scanSoon(after: 0)
        self?.work.end()
      }
    }
    missing = missing.filter { path in
      !scan.unread.contains { path == $0 || path.hasPrefix($0 + "/") }
    }
    // The stamp contains the inode number: the same inode under another name is a moved file.
    var candidates: [Int: String] = [:]
    for path in missing { if let place = places[path] { candidates[place.stamp] = path } }
    changes.new.removeAll { book in
      guard let from = candidates.removeValue(forKey: book.stamp) else { return false }
      missing.remove(from)
      changes.moved.append((from, book))
      return true
    }
    changes.gone = missing.sorted()
    return changes
  }

  /// Returns how many seconds to wait for a book that is still being written.
  private func unsettled(_ book: FoundBook) -> Double? {
    let now = Self.now()
    let inside = book.path + "/"
    for (path, time) in writing
    where path == book.path || (book.images != nil && path.hasPrefix(inside)) {
      if now - time < Self.patience { return Self.patience - (now - time) }
      writing[path] = nil
    }
    // Files that were complete before the watch began are not being written; if somebody writes to
    // one now, the watch reports it.
    guard hasScanned, watch != nil else { return nil }
    if book.images == nil, complete.contains(book.path) { return nil }
    let age = Date().timeIntervalSince1970 - book.changed
    return age >= 0 && age < settle ? settle - age + 0.01 : nil
  }

  private func carryOut(_ changes: Changes) throws(DatabaseError) {
    var fresh: [Place] = []
    for book in changes.reshelved {
      guard var place = places[book.path] else { continue }
      place.shelf = book.shelf
      fresh.append(place)
    }
    for (from, book) in changes.moved {
      guard var place = places[from] else { continue }
      (place.path, place.shelf) = (book.path, book.shelf)
      fresh.append(place)
    }
    let (put, moved) = (fresh, changes.moved)
    let leaving = changes.gone + moved.map(\.from)
    try importer.store.write { (rows) throws(DatabaseError) in
      for place in put { try rows.put(place) }
      for (from, book) in moved {
        let key = try rows.first("SELECT book_id FROM place WHERE path = ?", .text(from)) {
          $0.int(0)
        }
        guard let key, let row = try rows.book(key: key) else { continue }
        try rows.rename(row, to: book.name)
      }
      for path in leaving { try rows.removePlace(path) }
    }
    for path in leaving {
      places[path] = nil
      noted[path] = nil
      failing.remove(path)
    }
    for place in put { places[place.path] = place }
  }

  // MARK: Importing

  private func read(_ book: FoundBook) {
    inFlight[book.path] = book.stamp
    if !failing.contains(book.path), batch == nil { batch = ImportBatch(began: Self.now()) }
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

  private func finished(_ book: FoundBook, _ outcome: Result<Shelved, ImportFault>) {
    defer {
      finishBatch()
      work.end()
    }
    if inFlight[book.path] == book.stamp { inFlight[book.path] = nil }
    switch outcome {
    case .success(let shelved):
      places[shelved.place.path] = shelved.place
      note(shelved.notes, of: book.path)
      failing.remove(book.path)
      if let fault = shelved.fault { importer.report(fault, file: book.path) }
      batch?.add(isFailed: shelved.fault.map { !$0.isLock } ?? false)
      changed()
      // The file may have disappeared during the import, and then no further event reports it.
      if FileStamp(book.path) == nil { scanSoon(after: 0) }
    case .failure(.stopped): break
    case .failure(.changed): scanSoon(after: 0.1)
    case .failure(let fault):
      noted[book.path] = ["\(book.path): \(fault)"]
      if failing.insert(book.path).inserted { importer.report(fault, file: book.path) }
      batch?.add(isFailed: true)
      scanLater(after: Self.interval)
    }
  }

  private func finishBatch() {
    guard inFlight.isEmpty, let done = batch else { return }
    batch = nil
    if done.books > 0 { report(done, at: Self.now()) }
  }

  /// The time in seconds of a monotonic clock.
  private static func now() -> Double { ProcessInfo.processInfo.systemUptime }
}

/// Counts work in progress and lets a thread wait until there is none.
final class WorkCount: @unchecked Sendable {
  // Unchecked Sendable: the count is accessed under the condition's lock only.
  private let condition = NSCondition()
  private var count = 0

  func begin() { condition.withLock { count += 1 } }

  func end() {
    condition.withLock {
      count -= 1
      if count == 0 { condition.broadcast() }
    }
  }

  func wait(seconds: Double) -> Bool {
    let limit = Date(timeIntervalSinceNow: seconds)
    return condition.withLock {
      while count > 0 { guard condition.wait(until: limit) else { return count == 0 } }
      return true
    }
  }
}
