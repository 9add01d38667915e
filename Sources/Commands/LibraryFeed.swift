internal import Library
internal import Rooms
internal import Scene
internal import Synchronization
internal import WebServer

/// Follows the library on its own threads, and hands what changed to the service thread.
final class LibraryFeed: Sendable {
  private struct State {
    var tracker: LibraryTracker?
    var catalogue: (@Sendable () -> Catalogue)?
    var listener: (mailbox: Mailbox, application: OnServiceThread<ReadingApplication>)?
    /// What changed before anybody listened.
    var updates: [LibraryUpdate] = []
  }

  private let state = Mutex(State())

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
      guard let listener = state.listener else { return state.updates.append(update) }
      Self.hand([update], to: listener)
    }
  }

  /// Tells an application of every update from now on, and of those before.
  func follow(_ mailbox: Mailbox, _ application: ReadingApplication) {
    let listener = (mailbox: mailbox, application: OnServiceThread(application))
    state.withLock { state in
      state.listener = listener
      Self.hand(state.updates, to: listener)
      state.updates = []
    }
  }

  private static func hand(
    _ updates: [LibraryUpdate],
    to listener: (mailbox: Mailbox, application: OnServiceThread<ReadingApplication>)
  ) {
    guard !updates.isEmpty else { return }
    let application = listener.application
    listener.mailbox.perform { _ in
      for update in updates { application.value?.libraryChanged(update) }
    }
  }
}

/// A reference that any thread may hold and only the service thread follows.
struct OnServiceThread<Value: AnyObject>: @unchecked Sendable {
  private(set) weak var value: Value?

  init(_ value: Value) { self.value = value }
}
