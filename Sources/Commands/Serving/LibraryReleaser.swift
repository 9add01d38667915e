internal import Rooms
internal import Synchronization

/// Frees libraries that are shown no more, on a thread of its own.
///
/// To free a library of ten thousand books takes as long as some hundred frames.
final class LibraryReleaser: Sendable {
  private let libraries = Mutex<[ShownLibrary]>([])
  private let worker = WorkerPool(width: 1)

  /// Takes libraries to free; the caller keeps no reference to them.
  func release(_ released: inout [ShownLibrary]) {
    guard !released.isEmpty else { return }
    libraries.withLock { $0 += released }
    released = []
    worker.run { [self] in
      // The array is freed here, outside of the lock.
      _ = libraries.withLock { libraries in
        defer { libraries = [] }
        return libraries
      }
    }
  }
}
