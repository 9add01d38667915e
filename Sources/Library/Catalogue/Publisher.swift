internal import Dispatch
internal import Foundation
internal import Synchronization

/// Keeps the published view in step with the database and reports when it has changed.
final class Publisher: Sendable {
  private let store: Store
  private let files: StoredFiles
  private let root: String?
  private let onChange: @Sendable () -> Void
  private let queue = DispatchQueue(label: "lectern.shelf")
  private let current: Mutex<ShelfView>
  private let state = Mutex(State())

  private struct State {
    var isDue = false
    var isStopped = false
    var lastSeconds = 0.0
  }

  init(
    store: Store,
    files: StoredFiles,
    root: String?,
    onChange: @escaping @Sendable () -> Void
  ) throws(DatabaseError) {
    self.store = store
    self.files = files
    self.root = root
    self.onChange = onChange
    current = Mutex(try Self.read(store, files, root))
  }

  /// The current view.
  var view: ShelfView { current.withLock { $0 } }

  /// Reads the database again soon, with pauses while many books are added.
  func publish() {
    let delay = state.withLock { state -> Double? in
      guard !state.isDue, !state.isStopped else { return nil }
      state.isDue = true
      return 0.01 + 4 * state.lastSeconds
    }
    guard let delay else { return }
    queue.asyncAfter(deadline: .now() + delay) { self.refresh() }
  }

  /// Reads the database again and waits; must not be called from `onChange`.
  func publishNow() { queue.sync { refresh() } }

  func stop() {
    state.withLock { $0.isStopped = true }
    queue.sync {}
  }

  private func refresh() {
    state.withLock { $0.isDue = false }
    let began = ProcessInfo.processInfo.systemUptime
    // If the catalogue cannot be read now, the shelf stays as it is.
    guard let fresh = try? Self.read(store, files, root) else { return }
    let isOther = current.withLock { view in
      defer { view = fresh }
      return view.catalogue != fresh.catalogue
    }
    let isStopped = state.withLock { state in
      state.lastSeconds = ProcessInfo.processInfo.systemUptime - began
      return state.isStopped
    }
    if isOther, !isStopped { onChange() }
  }

  private static func read(
    _ store: Store,
    _ files: StoredFiles,
    _ root: String?
  ) throws(DatabaseError) -> ShelfView {
    let (rows, places, titles) = try store.read { (rows) throws(DatabaseError) in
      (try rows.allBooks(), try rows.allPlaces(), try rows.shelfTitles())
    }
    return ShelfView(
      rows: MissingOriginals.marked(rows, places, in: files),
      places: places,
      root: root,
      titles: titles
    )
  }
}
