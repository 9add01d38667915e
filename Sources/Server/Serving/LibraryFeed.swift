internal import Clustering
internal import Library
internal import Rooms
internal import Scene
internal import Synchronization

/// Follows the library on its own threads and sends its changes to the room hosts.
final class LibraryFeed: Sendable {
  private struct State {
    var tracker: LibraryTracker?
    var catalogue: (@Sendable () -> Catalogue)?
  }

  private let state = Mutex(State())
  private let hosts = Mutex<(threads: ServiceThreads, cluster: ClusterNode?)?>(nil)

  /// Creates a feed without hosts.
  init() {}

  /// Sends the changes that are found from now on to the hosts of threads, and what the store has
  /// of them to the other nodes.
  func attach(_ threads: ServiceThreads, _ cluster: ClusterNode?) {
    hosts.withLock { $0 = (threads, cluster) }
  }

  /// Begins to follow a library, on the thread that opens it.
  /// - Returns: The library as it is now; later changes are sent as updates of this one.
  func begin(_ library: BookLibrary, numbers: ElementNumbers) -> ShownLibrary {
    state.withLock { state in
      let tracker = LibraryTracker(ShownLibrary(library.catalogue(), numbers: numbers))
      state.catalogue = { library.catalogue() }
      state.tracker = tracker
      return tracker.library
    }
  }

  /// Tells the other nodes of a cluster which records of the shared store have changed.
  func announce(_ keys: [String]) { hosts.withLock { $0 }?.cluster?.announceStoreChange(keys) }

  /// Finds what a change of the catalogue means for rooms and sends it to the hosts; any thread may
  /// call this.
  func libraryChanged(_ change: CatalogueChange) {
    // The lock is held until the update is sent, so that updates are sent in the order in which
    // they are found.
    state.withLock { state in
      guard let catalogue = state.catalogue,
        let update = state.tracker?.update(change, of: catalogue)
      else { return }
      hosts.withLock { $0 }?.threads.performOnAll { $0.libraryChanged(update) }
    }
  }
}
