/// A failure of a store: the operation, the key, the location, the reason and what to do.
package struct BlobStoreError: Error, Equatable, CustomStringConvertible {
  /// What was attempted.
  package enum Operation: String, Sendable {
    /// Storing a blob.
    case put = "store"
    /// Reading a blob or its size.
    case get = "read"
    /// Listing blobs.
    case list
    /// Deleting a blob.
    case delete
  }

  /// Why it failed.
  package enum Reason: Equatable, Sendable {
    /// The store does not answer.
    case unreachable(String)
    /// The store rejects the credentials or the permissions.
    case denied(String)
    /// The store has no room.
    case full(String)
    /// The content is not the one that the key names, or is incomplete.
    case damaged(String)
    /// The content is larger than the limit in bytes, or the list longer than the limit.
    case tooLarge(limit: Int)
    /// A file of this machine cannot be read or written.
    case localFile(String)
    /// Any other answer.
    case failed(String)
  }

  /// What was attempted.
  package var operation: Operation
  /// The key, or the group of a list.
  package var key: String
  /// The location of the store.
  package var location: String
  /// Why it failed.
  package var reason: Reason

  /// Creates a failure.
  package init(_ operation: Operation, _ key: String, _ location: String, _ reason: Reason) {
    (self.operation, self.key, self.location, self.reason) = (operation, key, location, reason)
  }

  /// Whether the store as a whole is out of reach, so that other requests would fail too.
  package var isOutage: Bool {
    switch reason {
    case .unreachable, .denied, .full: true
    case .damaged, .tooLarge, .localFile, .failed: false
    }
  }

  /// What is wrong and what to do.
  package var description: String {
    "The store \(location) could not \(operation.rawValue) \(key): \(detail)"
  }

  private var detail: String {
    switch reason {
    case .unreachable(let text): "\(text). Check that it runs and that this machine reaches it."
    case .denied(let text): "\(text). Check its permissions and the credentials."
    case .full(let text): "\(text). Free some space there."
    case .damaged(let text):
      "\(text). Restore it from a backup, or delete it and add the book again."
    case .tooLarge(let limit): "it is larger than the limit of \(limit)."
    case .localFile(let text): "\(text). Check the data folder of this machine."
    case .failed(let text): "\(text)."
    }
  }
}
