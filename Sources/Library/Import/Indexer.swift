internal import Dispatch
internal import Foundation
internal import PressProtocol
internal import Synchronization

/// Reads the texts of books page by page, then makes their small pictures: work nobody waits for.
///
/// How far a book has come is written with each batch of pages, so it goes on where it was.
final class Indexer: Sendable {
  private let store: Store
  private let press: any Printing
  private let isStopped: Flag
  private let changed: @Sendable () -> Void
  private let thumb: @Sendable (BookRow, Int) -> Bool
  /// How many small pictures may be made ahead: more would push what is read out of the cache.
  private let thumbsMax: Int
  private let root: String
  private let queue = DispatchQueue(label: "lectern.index", qos: .background)
  private let isDue = Mutex(false)
  private let given = Mutex<Set<Int>>([])
  private let work = WorkCount()

  /// Creates it.
  ///
  /// Stored copies lie below the root. The thumb makes one small picture and tells whether
  /// that could be done now; `changed` hears when a book has become searchable.
  init(
    store: Store,
    press: any Printing,
    root: String,
    thumbsMax: Int,
    isStopped: Flag,
    thumb: @escaping @Sendable (BookRow, Int) -> Bool,
    changed: @escaping @Sendable () -> Void
  ) {
    self.store = store
    self.press = press
    self.root = root
    self.thumbsMax = thumbsMax
    self.isStopped = isStopped
    self.thumb = thumb
    self.changed = changed
  }

  /// Looks for work, soon.
  func kick() {
    let isFirst = isDue.withLock { isDue in
      defer { isDue = true }
      return !isDue
    }
    guard isFirst, !isStopped.isSet else { return }
    work.begin()
    queue.async {
      self.isDue.withLock { $0 = false }
      self.run()
      self.work.end()
    }
  }

  /// Waits until there is nothing left to do.
  func waitUntilIdle(seconds: Double) -> Bool { work.wait(seconds: seconds) }

  /// Waits for what is under way; ``Flag/set()`` before.
  func stop() { queue.sync {} }

  private static let batch = 16

  private func run() {
    while !isStopped.isSet, let book = next("has_text = 1 AND indexed < page_count") {
      if !index(book) { given.withLock { _ = $0.insert(book.key) } }
      changed()
    }
    while !isStopped.isSet, hasRoom(), let book = next("thumbed < page_count") {
      if !makeThumbs(book) { given.withLock { _ = $0.insert(book.key) } }
      // Texts of what came meanwhile are wanted first.
      if isDue.withLock({ $0 }) { return }
    }
  }

  /// The first book for which something is left to do, but for those that were given up.
  private func next(_ condition: String) -> BookRow? {
    let given = given.withLock { $0 }
    let keys = try? store.read { (rows) throws(DatabaseError) in
      try rows.rows(
        "SELECT id FROM book WHERE removed_at IS NULL AND state = 'ready' AND \(condition) "
          + "ORDER BY added_at, id LIMIT ?",
        .integer(given.count + 1)
      ) { $0.int(0) }
    }
    guard let key = keys?.first(where: { !given.contains($0) }) else { return nil }
    return try? store.read { (rows) throws(DatabaseError) in try rows.book(key: key) }
  }

  private func path(of book: BookRow) -> String? {
    let places = try? store.read { (rows) throws(DatabaseError) in try rows.places(of: book.key) }
    guard let place = places?.min(by: { !$0.isStored && $1.isStored }) else { return nil }
    return place.isStored ? root + "/" + place.path : place.path
  }

  /// Indexes the rest of a book.
  /// - Returns: Whether it was done; not when the file is gone or somebody else indexes it too.
  private func index(_ book: BookRow) -> Bool {
    guard let path = path(of: book) else { return false }
    var start = book.indexed
    while start < book.pageCount {
      let end = min(start + Self.batch, book.pageCount)
      var contents: [PageContent] = []
      for page in start..<end {
        guard !isStopped.isSet else { return false }
        do throws(PressFault) {
          contents.append(
            try press.content(of: path, password: book.password, page: page)
          )
        } catch {
          // A page that cannot be read has no text; a book that cannot be opened is left alone.
          guard error.isOfPage else { return false }
          contents.append(PageContent())
        }
      }
      guard save(contents, from: start, of: book) else { return false }
      start = end
    }
    return true
  }

  private func save(_ contents: [PageContent], from start: Int, of book: BookRow) -> Bool {
    let isSaved = try? store.write { (rows) throws(DatabaseError) in
      let now = try rows.first(
        "SELECT indexed FROM book WHERE id = ? AND render_rev = ?",
        .integer(book.key),
        .integer(book.revision)
      ) { $0.int(0) }
      guard now == start else { return false }
      for (index, content) in contents.enumerated() {
        try rows.save(content, page: start + index, of: book.key)
      }
      try rows.run(
        "UPDATE book SET indexed = ? WHERE id = ?",
        .integer(start + contents.count),
        .integer(book.key)
      )
      return true
    }
    return isSaved ?? false
  }

  private func hasRoom() -> Bool {
    let made = try? store.read { (rows) throws(DatabaseError) in
      try rows.first("SELECT COALESCE(SUM(thumbed), 0) FROM book") { $0.int(0) }
    }
    return (made.flatMap { $0 } ?? .max) < thumbsMax
  }

  private func makeThumbs(_ book: BookRow) -> Bool {
    var isMade = true
    var made = book.thumbed
    while made < book.pageCount, isMade, !isStopped.isSet, !isDue.withLock({ $0 }) {
      isMade = thumb(book, made)
      if isMade { made += 1 }
    }
    let reached = made
    let isSaved = try? store.write { (rows) throws(DatabaseError) in
      try rows.run(
        "UPDATE book SET thumbed = ? WHERE id = ? AND render_rev = ?",
        .integer(reached),
        .integer(book.key),
        .integer(book.revision)
      )
      return true
    }
    return isMade && isSaved == true
  }
}

extension PressFault {
  /// Whether only one page is at fault and the others can be read.
  fileprivate var isOfPage: Bool {
    switch self {
    case .pageTooLarge, .pageDamaged, .noSuchPage, .tookTooLong(.some), .stopped(.some),
      .neededTooMuchMemory(.some):
      true
    default: false
    }
  }
}
