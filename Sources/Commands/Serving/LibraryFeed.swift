internal import Library
internal import Rooms
internal import Scene
internal import Synchronization

/// Follows the library on its own threads, and hands what changed to the room host.
final class LibraryFeed: Sendable {
  private struct State {
    var tracker: LibraryTracker?
    var catalogue: (@Sendable () -> Catalogue)?
  }

  private let state = Mutex(State())
  private let thread: HostThread

  /// Tells the host of a thread.
  init(thread: HostThread) { self.thread = thread }

  /// Begins to follow a library, on the thread that opens it.
  /// - Returns: The library as it is now; what changes later comes as updates of this one.
  func begin(_ library: BookLibrary, numbers: ElementNumbers) -> ShownLibrary {
    state.withLock { state in
      let tracker = LibraryTracker(ShownLibrary(library.catalogue(), numbers: numbers))
      state.catalogue = { library.catalogue() }
      state.tracker = tracker
      return tracker.library
    }
  }

  /// The library may have changed, as any of its threads may say; finds what did.
  func libraryChanged() {
    // Updates leave in the order in which they were found: the lock is held until they have left.
    state.withLock { state in
      guard let catalogue = state.catalogue?(),
        let update = state.tracker?.update(to: catalogue)
      else { return }
      thread.perform { $0.libraryChanged(update) }
    }
  }
}
