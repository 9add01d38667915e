internal import Foundation

/// Threads for work that may block: the database and the disk.
struct WorkerPool: Sendable {
  private let queue: OperationQueue

  /// Creates a pool.
  /// - Parameter width: How many jobs run at a time.
  init(width: Int) {
    queue = OperationQueue()
    queue.maxConcurrentOperationCount = width
    queue.qualityOfService = .userInitiated
  }

  /// Runs a job when a thread is free.
  func run(_ job: @escaping @Sendable () -> Void) { queue.addOperation(job) }
}
