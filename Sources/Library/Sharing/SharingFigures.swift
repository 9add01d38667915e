internal import Synchronization

/// How much a library has exchanged with its store since it was opened.
package struct SharingFigures: Equatable, Sendable {
  /// Records and files that were published.
  package var published = 0
  /// Records and files that were fetched.
  package var fetched = 0
  /// Requests that failed.
  package var failures = 0
  /// Changes that wait to be published.
  package var waiting = 0
  /// Whether the store is out of reach.
  package var isUnreachable = false
}

/// A queue of pictures that are offered to the store; drops them when it is full.
final class PictureOffers: Sendable {
  private let offers = Mutex<[(key: String, bytes: [UInt8])]>([])
  private static let countMax = 64

  /// Adds a picture.
  /// - Returns: Whether it was added.
  func add(_ key: String, _ bytes: [UInt8]) -> Bool {
    offers.withLock { offers in
      guard offers.count < Self.countMax else { return false }
      offers.append((key, bytes))
      return true
    }
  }

  /// Removes and returns the next picture.
  func next() -> (key: String, bytes: [UInt8])? {
    offers.withLock { $0.isEmpty ? nil : $0.removeFirst() }
  }
}
