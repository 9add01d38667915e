internal import Dispatch
internal import Foundation
internal import PressProtocol
internal import Synchronization
internal import Telemetry

/// Indexes the text of books page by page, then renders their small pictures, in idle time.
///
/// The progress of a book is stored with each batch of pages, so that the indexer continues where
/// it stopped.
final class Indexer: Sendable {
  private let store: Store
  private let press: any Printing
  private let log: Log
  private let isStopped: Flag
  private let changed: @Sendable (Int) -> Void
  private let thumb: @Sendable (Book, Int) -> Bool
  /// The maximum number of small pictures rendered in advance; more would evict pages that are
  /// being read.
  private let thumbsMax: Int
  private let root: String
  private let queue = DispatchQueue(label: "lectern.index", qos: .background)
  private let isDue = Mutex(false)
  private let retrySeconds: Double
  private let state = Mutex(State())
  private let work = WorkCount()

  private struct State {
    /// Books whose text cannot be read.
    var unreadable: Set<Int> = []
    /// Books whose text, and books whose small pictures, failed for now.
    ///
    /// The sets are separate, because a failure of one kind says nothing about the other kind.
    var unread: Set<Int> = []
    var unpictured: Set<Int> = []
    var isRetryDue = false
    /// The number of consecutive retries.
    var retries = 0
  }

  /// Creates an indexer.
  ///
  /// Stored copies are in the root folder. The thumb closure renders one small picture and returns
  /// whether no further try is needed; `changed` is called with the key of a book that becomes
  /// searchable. Work
  /// that failed for now is tried again after `retrySeconds`.
  init(
    store: Store,
    press: any Printing,
    root: String,
    thumbsMax: Int,
    log: Log,
    isStopped: Flag,
    retrySeconds: Double = 60,
    thumb: @escaping @Sendable (Book, Int) -> Bool,
    changed: @escaping @Sendable (Int) -> Void
  ) {
    (self.store, self.press, self.root, self.thumbsMax) = (store, press, root, thumbsMax)
    (self.log, self.isStopped, self.retrySeconds) = (log, isStopped, retrySeconds)
    (self.thumb, self.changed) = (thumb, changed)
  }

  /// Schedules a search for work.
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

  /// Waits until there is no work left.
  func waitUntilIdle(seconds: Double) -> Bool { work.wait(seconds: seconds) }

  /// Waits for work in progress; call ``Flag/set()`` first.
  func stop() { queue.sync {} }

  private static let batch = 16

  private func run() {
    readTexts()
    makePictures()
    planRetry()
  }

  private func readTexts() {
    while !isStopped.isSet,
      let book = next(.texts, besides: state.withLock { $0.unreadable.union($0.unread) })
    {
      switch index(book) {
      case .done: break
      case .later: state.withLock { _ = $0.unread.insert(book.key) }
      case .never: state.withLock { _ = $0.unreadable.insert(book.key) }
      }
      changed(book.key)
    }
  }

  private func makePictures() {
    while !isStopped.isSet, hasRoom(),
      let book = next(.pictures, besides: state.withLock { $0.unpictured })
    {
      if !makeThumbs(book) { state.withLock { _ = $0.unpictured.insert(book.key) } }
      // The text of books that were added in the meantime has priority.
      if isDue.withLock({ $0 }) { return }
    }
  }

  /// Schedules a retry of the work that failed for now, even if nothing changes.
  ///
  /// The delay doubles up to 64 times, so that a document that always crashes its press does not
  /// keep presses busy.
  private func planRetry() {
    let seconds = state.withLock { state -> Double? in
      let isAllDone = state.unread.isEmpty && state.unpictured.isEmpty
      if isAllDone { state.retries = 0 }
      guard !isAllDone, !state.isRetryDue else { return nil }
      state.isRetryDue = true
      defer { state.retries += 1 }
      return retrySeconds * Double(1 << min(state.retries, 6))
    }
    guard let seconds else { return }
    queue.asyncAfter(deadline: .now() + seconds) { [weak self] in
      self?.state.withLock { state in
        state.isRetryDue = false
        (state.unread, state.unpictured) = ([], [])
      }
      self?.kick()
    }
  }

  /// Returns the first book with remaining work, except the given books.
  private func next(_ work: PageTable.Work, besides some: Set<Int>) -> Book? {
    try? store.read { (rows) -> Book? in
      let keys = try rows.pages.unfinished(work, limit: some.count + 1)
      guard let key = keys.first(where: { !some.contains($0) }) else { return nil }
      return try rows.books.book(key: key)
    }
  }

  private func location(of book: Book) -> FileLocation? {
    let locations = try? store.read { try $0.books.locations(of: book.key) }
    return locations?.min(by: { !$0.isStored && $1.isStored })
  }

  /// Returns the path of the document with the pages; nil if the catalogue fails.
  private func path(of book: Book, at location: FileLocation) -> String? {
    guard book.file.isLaidOut else {
      return location.isStored ? root + "/" + location.path : location.path
    }
    let layout = (try? store.read { try $0.pages.asset(of: book.key, page: 0) }) ?? nil
    return layout.map { root + "/" + StoredFiles.name(.assets, $0) }
  }

  private enum Indexing {
    case done
    /// The file is missing or changed, the press was killed, or another process indexes the book
    /// too.
    case later
    /// The document cannot be read.
    case never
  }

  /// Indexes the remaining pages of a book.
  private func index(_ book: Book) -> Indexing {
    guard let location = location(of: book), let path = path(of: book, at: location) else {
      return .later
    }
    var start = book.progress.indexed
    while start < book.pages {
      let end = min(start + Self.batch, book.pages)
      var contents: [PageContent] = []
      for page in start..<end {
        guard !isStopped.isSet else { return .later }
        do throws(PressFault) {
          contents.append(try press.content(of: path, password: book.file.password, page: page))
        } catch {
          // The presses of a library that stops say nothing about the book.
          guard !isStopped.isSet else { return .later }
          // A page that cannot be read has no text; a book that cannot be opened is skipped.
          guard error.isOfPage else {
            log.warning(
              .indexFailed,
              "The text of a book cannot be read, so search does not find it.",
              ["file": .text(path), "page": .count(page + 1), "reason": .text("\(error)")],
              collapsing: "index \(book.key)"
            )
            return error.isLasting ? .never : .later
          }
          contents.append(PageContent())
        }
      }
      // If another file has replaced the book's file in the meantime, the words belong to another
      // book.
      guard location.isUnchanged, save(contents, from: start, of: book) else { return .later }
      start = end
    }
    return .done
  }

  private func save(_ contents: [PageContent], from start: Int, of book: Book) -> Bool {
    let isSaved = try? store.write { rows in
      guard try rows.pages.indexed(book.key, revision: book.shape.revision) == start else {
        return false
      }
      try rows.pages.save(contents, from: start, of: book.key)
      return true
    }
    return isSaved ?? false
  }

  private func hasRoom() -> Bool {
    let made = try? store.read { try $0.pages.thumbCount() }
    return made ?? .max < thumbsMax
  }

  private func makeThumbs(_ book: Book) -> Bool {
    var isMade = true
    var made = book.progress.thumbed
    while made < book.pages, isMade, !isStopped.isSet, !isDue.withLock({ $0 }) {
      isMade = thumb(book, made)
      if isMade { made += 1 }
    }
    let reached = made
    let isSaved = try? store.write { rows in
      try rows.pages.setThumbed(reached, of: book.key, revision: book.shape.revision)
      return true
    }
    return isMade && isSaved == true
  }
}

extension PressFault {
  /// Whether only this page failed and other pages can be read.
  fileprivate var isOfPage: Bool {
    switch self {
    case .pageTooLarge, .pageDamaged, .noSuchPage, .fontMissing: true
    case .tookTooLong(let page), .stopped(let page), .neededTooMuchMemory(let page): page != nil
    case .encrypted, .wrongPassword, .encryptedArchive, .damaged, .unsupported, .unsupportedArchive,
      .engineMissing, .engineFailed, .protected, .dynamicForm, .fileTooLarge, .tooManyPages,
      .noPages,
      .imageTooLarge, .unknownImage, .imageDamaged, .entryTooLarge, .archiveTooLarge,
      .tooManyEntries, .ratio, .nestedArchive, .unconfined, .badRequest, .busy, .unreadable,
      .closing:
      false
    }
  }
}
