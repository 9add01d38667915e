/// A place that several processes share: named blobs, in a shared folder or behind an S3 API.
///
/// Readers see a whole blob or none. A blob whose key contains the digest of its content never
/// changes, so storing it again is free. Every call blocks until the store has answered: call it on
/// worker threads only. All methods are safe on any number of threads.
package protocol BlobStore: Sendable {
  /// The location, without secrets, for messages.
  var location: String { get }

  /// Stores bytes under a key.
  ///
  /// Replaces an older content; a content that is named by its digest is stored only once.
  func put(_ bytes: [UInt8], at key: BlobKey) throws(BlobStoreError)

  /// Stores a copy of a file under a key, like ``put(_:at:)``.
  func put(file path: String, at key: BlobKey) throws(BlobStoreError)

  /// Returns a blob; nil if there is none.
  /// - Throws: ``BlobStoreError`` also if the blob is larger than the limit or is not the content
  ///   that its key names.
  func get(_ key: BlobKey, limit: Int) throws(BlobStoreError) -> [UInt8]?

  /// Writes a blob to a new file.
  ///
  /// The file exists afterwards only if the blob arrived completely and is the content that its key
  /// names.
  /// - Returns: Whether there is such a blob.
  func get(_ key: BlobKey, to path: String, limit: Int) throws(BlobStoreError) -> Bool

  /// Returns the size of a blob in bytes; nil if there is none.
  func size(of key: BlobKey) throws(BlobStoreError) -> Int?

  /// Returns the next blobs of a group in the order of their keys, at most ``BlobListing/max``.
  /// - Parameters:
  ///   - group: The group.
  ///   - key: The key after which the list begins; nil for the first.
  /// - Returns: The blobs; fewer than the maximum at the end.
  /// - Throws: The reason why the store did not answer.
  func list(_ group: BlobKey.Group, after key: BlobKey?) throws(BlobStoreError) -> [BlobListing]

  /// Deletes a blob, if there is one.
  func delete(_ key: BlobKey) throws(BlobStoreError)
}

extension BlobStore {
  /// Returns all blobs of a group.
  /// - Throws: ``BlobStoreError``; also if there are more than a million.
  package func listAll(_ group: BlobKey.Group) throws(BlobStoreError) -> [BlobListing] {
    var all: [BlobListing] = []
    while true {
      let page = try list(group, after: all.last?.key)
      all += page
      // A page without progress would repeat without end.
      guard page.count == BlobListing.max else { return all }
      guard all.count <= 1_000_000 else {
        throw BlobStoreError(.list, group.rawValue, location, .tooLarge(limit: 1_000_000))
      }
    }
  }
}

/// An entry in the list of a store.
package struct BlobListing: Equatable, Sendable {
  /// The maximum number of entries in one answer.
  package static let max = 1000

  /// The key.
  package var key: BlobKey
  /// The size in bytes.
  package var size: Int
  /// A text that changes with the content.
  package var tag: String
}
