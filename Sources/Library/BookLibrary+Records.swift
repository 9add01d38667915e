internal import Foundation
package import Scene
internal import SharedStore

// What the catalogue keeps besides books, and the store. All of these methods block, except those
// that say that they return at once.

// MARK: - Rooms and readers

extension BookLibrary {
  /// Returns the stored rooms, sorted by name.
  package func rooms() throws(LibraryFault) -> [RoomRecord] { try reading { try $0.rooms.all() } }

  /// Stores a room and replaces the stored room of the same name.
  /// - Precondition: Its keys are digests of 32 bytes.
  package func saveRoom(_ room: RoomRecord) throws(LibraryFault) {
    precondition(room.keys.allSatisfy { $0.digest.count == 32 }, "A key has 32 bytes")
    precondition(room.owner.digest.count == 32, "An owner has 32 bytes")
    try writing { try $0.rooms.save(room) }
  }

  /// Deletes a room and its keys.
  package func forgetRoom(named name: String) throws(LibraryFault) {
    try writing { try $0.rooms.forget(name) }
  }

  /// The maximum number of readers that are stored; those seen last are kept.
  static let readersMax = 10_000
  /// The maximum number of bookmarks of one reader; those left last are kept.
  static let readerBookmarksMax = 200
  /// How long a reader who does not return is stored, in seconds.
  static let readerRetention = 400.0 * 86_400

  /// Returns the stored readers, each with its bookmarks; the one left last comes last.
  package func readers() throws(LibraryFault) -> [ReaderRecord] {
    try reading { try $0.readers.all() }
  }

  /// Records that a reader was in its own room.
  /// - Precondition: The reader's digest has 32 bytes.
  package func saveReader(_ id: ReaderID, room: String) throws(LibraryFault) {
    precondition(id.digest.count == 32, "A reader's digest has 32 bytes")
    let now = Date().timeIntervalSince1970
    try writing { try $0.readers.save(id, room: room, at: now) }
  }

  /// Stores where readers left books; other bookmarks stay unchanged.
  ///
  /// - Complexity: O(n) in the number of bookmarks passed.
  package func saveBookmarks(_ bookmarks: [ReaderID: [Bookmark]]) throws(LibraryFault) {
    try writing { rows in
      for (id, bookmarks) in bookmarks {
        for bookmark in bookmarks { try rows.readers.save(bookmark, of: id) }
      }
    }
  }

  /// Returns the newest record of a room, from the store if it answers.
  ///
  /// Blocks. A store that is out of reach is not asked.
  package func freshRoom(named name: String) throws(LibraryFault) -> RoomRecord? {
    if let sharing, sharing.isInReach, let key = BlobKey.room(name) {
      sharing.attempt { () throws(SharingFault) in try sharing.read(key, tag: nil) }
    }
    return try reading { try $0.rooms.room(named: name) }
  }

  /// Returns the newest record of a reader, from the store if it answers.
  ///
  /// Blocks. A store that is out of reach is not asked.
  package func freshReader(_ id: ReaderID) throws(LibraryFault) -> ReaderRecord? {
    if let sharing, sharing.isInReach, let key = BlobKey.bookmarks(id.digest) {
      sharing.attempt { () throws(SharingFault) in try sharing.read(key, tag: nil) }
    }
    return try reading { try $0.readers.reader(id) }
  }

  // MARK: The store

  /// Reads what another process has announced; returns at once.
  /// - Parameter keys: The keys of the changed records; anything else is ignored.
  package func storeChanged(keys: [String]) { sharing?.announced(keys) }

  /// Looks for changes by other processes now; returns at once.
  package func pollStore() { sharing?.pollNow() }

  /// How much was exchanged with the store; nil without a store.
  ///
  /// Does not block, so the number of changes that wait can be a moment old.
  package var sharingFigures: SharingFigures? { sharing?.figures }

  /// Publishes all changes without the usual pause and waits for it.
  /// - Returns: Whether nothing is left to publish.
  @discardableResult package func flushStore(atMost seconds: Double) -> Bool {
    guard let sharing else { return true }
    guard sharing.flush(atMost: seconds) else { return false }
    do throws(SharingFault) { return try sharing.countWaiting() == 0 } catch { return false }
  }
}
