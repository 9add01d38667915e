internal import Rooms
internal import Synchronization

/// Frees libraries that are no longer shown, on a separate thread.
///
/// Freeing a library of ten thousand books takes as long as some hundred frames.
final class LibraryReleaser: Sendable {
  private let libraries = Mutex<[ShownLibrary]>([])
  private let worker = WorkerPool(width: 1)

  /// Takes libraries out of an array and frees them; the caller keeps no other reference to them.
  func release(_ released: inout [ShownLibrary]) {
    guard !released.isEmpty else { return }
    libraries.withLock { $0 += released }
    released = []
    worker.run { [self] in
      // The array is freed here, outside the lock.
      _ = libraries.withLock { libraries in
        defer { libraries = [] }
        return libraries
      }
    }
  }
}
