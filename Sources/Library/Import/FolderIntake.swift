internal import Dispatch
internal import Foundation
internal import Synchronization
internal import Telemetry

/// Keeps the shelf as a folder is: scans it, watches it, and has books taken in as they come.
///
/// A scan looks at names and stamps alone and writes what went or moved in one transaction; what
/// is new is read elsewhere, one book after the other, so that going is never held up by coming.
final class FolderIntake: @unchecked Sendable {
  // Sendable by hand: all that varies is touched on the queue alone, but for the count of what is
  // under way, which has its own lock.
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
  /// Files that are being written, and when the last bytes came.
  private var writing: [String: Double] = [:]
  /// Files that were said to be whole since the last scan.
  private var complete: Set<String> = []
  private var watch: FolderWatch?
  private var watches: Bool
  private var isScanDue = false
  private var hasScanned = false
  private var lastScan = 0.0
  private let seconds = Mutex<Double?>(nil)
  /// What could not be used, by the book's path, and of the scan itself by a path that no book has:
  /// the folder may be a book, too.
  private var noted: [String: [String]] = [:]
  private static let ofScan = ""
  /// Books whose last try failed: that they are tried again and again is not worth a line.
  private var failing: Set<String> = []
  private var batch: ImportBatch?

  /// How long a file that is being written may say nothing before it is taken as it is: seconds.
  private static let patience = 10.0
  /// How often a folder that cannot be watched is looked at: seconds.
  private static let interval = 30.0

  /// Creates it; nothing is done before ``start()``.
  ///
  /// A file whose last change is `settle` seconds old is taken for whole where nobody has said
  /// so. That the shelf is another is told on any thread.
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

  /// Begins: a first scan at once.
  func start() throws(DatabaseError) {
    let known = try importer.store.read { (rows) throws(DatabaseError) in try rows.allPlaces() }
    queue.sync {
      for place in known where !place.isStored { places[place.path] = place }
      if watches {
        watch = FolderWatch(queue: queue) { [weak self] news in self?.heard(news) }
      }
    }
    queue.async { self.scanSoon(after: 0) }
  }

  /// What could not be used, each with its path.
  var notes: [String] { queue.sync { noted.keys.sorted().flatMap { noted[$0] ?? [] } } }

  /// How many books wait to be read.
  var waiting: Int { queue.sync { inFlight.count } }

  /// Waits until nothing is under way, but for files that somebody is writing.
  /// - Returns: Whether that came to be in time.
  func waitUntilIdle(seconds: Double) -> Bool {
    queue.sync {}
    return work.wait(seconds: seconds)
  }

  /// Ends it; waits for what is under way.
  func stop() {
    queue.sync {
      watch = nil
      isScanDue = false
    }
    reading.sync {}
    queue.sync {}
  }

  // MARK: News

  private func heard(_ news: [FolderEvent]) {
    var isDue = false
    for item in news {
      switch item {
      case .writing(let path): writing[path] = Self.now()
      case .complete(let path):
        writing[path] = nil
        complete.insert(path)
        isDue = true
      case .changed, .lost: isDue = true
      }
    }
    // A copy of a long file must not keep the scans going: its last word comes.
    if isDue { scanSoon(after: 0.1) }
    if !writing.isEmpty { scanLater(after: Self.patience) }
  }

  /// Scans soon, but never so often that it takes more than a part of the time.
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

  /// Looks again at a time when something may have become due.
  private func scanLater(after seconds: Double) {
    guard !isLookDue else { return }
    isLookDue = true
    queue.asyncAfter(deadline: .now() + seconds) { [weak self] in
      self?.isLookDue = false
      self?.scanSoon(after: 0)
    }
  }

  /// How long the last scan took, in seconds, on any thread; nil before the first.
  var scanSeconds: Double? { seconds.withLock { $0 } }

  // MARK: Scanning

  private func scan() {
    let began = Self.now()
    defer {
      lastScan = Self.now() - began
      seconds.withLock { $0 = lastScan }
    }
    guard !isStopped.isSet, FileStamp(root)?.isFolder == true else {
      // A disk that is not there has lost no book: the shelf stays until the folder is back.
      note(["\(root): the folder is not there; its books stay on the shelf."], of: Self.ofScan)
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
        "\(root): not all of its folders can be watched; it is looked at every "
          + "\(Int(Self.interval)) s. Raise fs.inotify.max_user_watches."
      )
      scanLater(after: Self.interval)
    }
    note(notes, of: Self.ofScan)
  }

  /// Keeps what could not be used of a book or a scan, in place of what was noted before.
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
    // The stamp holds the number of the file's node: the same one under another name has moved.
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

  /// How many seconds a book must still be waited for, if it is being written.
  private func unsettled(_ book: FoundBook) -> Double? {
    let now = Self.now()
    let inside = book.path + "/"
    for (path, time) in writing
    where path == book.path || (book.images != nil && path.hasPrefix(inside)) {
      if now - time < Self.patience { return Self.patience - (now - time) }
      writing[path] = nil
    }
    // In what was there before the watch nobody was heard to write, and if somebody does write he
    // will be heard.
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

  // MARK: Reading

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
      // It may have gone while it was read, and then nobody tells of it again.
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

  /// Seconds of a clock that is never set.
  private static func now() -> Double { ProcessInfo.processInfo.systemUptime }
}

/// Counts what is under way, and lets one wait until nothing is.
final class WorkCount: @unchecked Sendable {
  // Sendable by hand: the count is touched under the condition's lock alone.
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
