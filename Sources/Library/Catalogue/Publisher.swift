internal import Dispatch
internal import Foundation
internal import Scene
internal import Synchronization

/// Keeps the published view in step with the database and reports what has changed in it.
///
/// A change of a known book costs as much as that book; only what changes the order of the shelves
/// reads the whole catalogue.
final class Publisher: Sendable {
  private let store: Store
  private let files: StoredFiles
  private let root: String?
  private let onChange: @Sendable (CatalogueChange) -> Void
  private let queue = DispatchQueue(label: "lectern.shelf")
  private let current: Mutex<ShelfView>
  private let state = Mutex(State())

  /// The books that changed at once from which the whole catalogue is read.
  private static let booksMax = 64

  private struct State {
    /// What is to be read; nil if nothing is.
    var due: Due?
    var isStopped = false
    var lastSeconds = 0.0
  }

  /// What is to be read from the database.
  private struct Due {
    /// The keys of the books that have changed; nil if anything may have changed.
    var books: Set<Int>? = []

    mutating func add(_ book: Int?) {
      if let book { books?.insert(book) } else { books = nil }
      if books?.count ?? 0 > Publisher.booksMax { books = nil }
    }
  }

  init(
    store: Store,
    files: StoredFiles,
    root: String?,
    onChange: @escaping @Sendable (CatalogueChange) -> Void
  ) throws(DatabaseError) {
    (self.store, self.files, self.root, self.onChange) = (store, files, root, onChange)
    current = Mutex(try Self.read(store, files, root))
  }

  /// The current view.
  var view: ShelfView { current.withLock { $0 } }

  /// Returns a book by its id; nil if there is no such book.
  func book(_ id: String) -> Book? { current.withLock { $0.books[id] } }

  /// Reads the database again soon, with pauses while many books are added.
  /// - Parameter book: The key of the only book that has changed; nil if anything may have changed.
  func publish(_ book: Int? = nil) {
    let delay = state.withLock { state -> Double? in
      guard !state.isStopped else { return nil }
      let isFirst = state.due == nil
      state.due = state.due ?? Due()
      state.due?.add(book)
      return isFirst ? 0.01 + 4 * state.lastSeconds : nil
    }
    guard let delay else { return }
    queue.asyncAfter(deadline: .now() + delay) { self.refresh() }
  }

  /// Reads the database again and waits; must not be called from `onChange`.
  /// - Parameter book: The key of the only book that has changed; nil if anything may have changed.
  func publishNow(_ book: Int? = nil) {
    queue.sync {
      state.withLock { state in
        state.due = state.due ?? Due()
        state.due?.add(book)
      }
      refresh()
    }
  }

  func stop() {
    state.withLock { $0.isStopped = true }
    queue.sync {}
  }

  private func refresh() {
    let due = state.withLock { state in
      defer { state.due = nil }
      return state.due
    }
    guard let due else { return }
    let began = ProcessInfo.processInfo.systemUptime
    let change = due.books.flatMap(refresh) ?? refreshAll()
    let isStopped = state.withLock { state in
      state.lastSeconds = ProcessInfo.processInfo.systemUptime - began
      return state.isStopped
    }
    if let change, change != .books([]), !isStopped { onChange(change) }
  }

  /// Reads some books again.
  /// - Returns: What has changed; nil if the whole catalogue has to be read.
  private func refresh(_ keys: Set<Int>) -> CatalogueChange? {
    let books = try? store.read { rows in
      var books: [Book] = []
      for key in keys {
        guard let book = ShelfView.withBestLocations(try rows.books.all(key: key)).first else {
          break
        }
        books.append(book)
      }
      return books
    }
    // A book that is gone leaves a gap in its shelf.
    guard let books, books.count == keys.count else { return nil }
    let checked = books.map { $0.checked(in: files) }
    return current.withLock { view in
      guard checked.allSatisfy(view.hasSameLocation) else { return nil }
      return checked.reduce(into: CatalogueChange.books([])) { $0.add(view.replace($1)) }
    }
  }

  /// Reads the whole catalogue again.
  /// - Returns: What has changed; nil if nothing has. If it cannot be read now, the shelf stays.
  private func refreshAll() -> CatalogueChange? {
    guard let fresh = try? Self.read(store, files, root) else { return nil }
    return current.withLock { view in
      defer { view = fresh }
      return view.catalogue == fresh.catalogue ? nil : .any
    }
  }

  private static func read(
    _ store: Store,
    _ files: StoredFiles,
    _ root: String?
  ) throws(DatabaseError) -> ShelfView {
    let (books, titles) = try store.read { rows in
      (try rows.books.all(), try rows.books.shelfTitles())
    }
    let placed = ShelfView.withBestLocations(books).map { $0.checked(in: files) }
    return ShelfView(placed, root: root, titles: titles)
  }
}
