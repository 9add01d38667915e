package import Scene
package import SharedStore

// A library that several processes share by a store.
extension BookLibrary {
  /// The store of a library, and what is told about it.
  package struct Sharing: Sendable {
    /// The store.
    package var store: any BlobStore
    /// How often changes by others are looked for, in seconds; an announcement is faster.
    package var pollSeconds = 30.0
    /// How long the first start waits for the store, in seconds.
    package var joinSeconds = 15.0
    /// The pause after the first failure, in seconds; it doubles up to 64 times.
    package var retrySeconds = 1.0
    /// Whether rendered pages are exchanged too.
    package var sharesPages = true
    /// Called on any thread with the keys of records that this process has just stored.
    package var onPublish: @Sendable ([String]) -> Void = { _ in }
    /// Called on any thread with the names of rooms that another process has stored or deleted.
    package var onRooms: @Sendable ([String]) -> Void = { _ in }
    /// Called on any thread with readers whose places another process has stored.
    package var onReaders: @Sendable ([ReaderID]) -> Void = { _ in }

    /// Creates the options of a store.
    package init(store: any BlobStore) { self.store = store }
  }

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

  /// Returns the newest record of a room, from the store if it answers.
  ///
  /// Blocks. A store that is out of reach is not asked.
  package func freshRoom(named name: String) throws(LibraryFault) -> RoomRecord? {
    if let sharing, sharing.isInReach, let key = BlobKey.room(name) {
      sharing.attempt { () throws(SharingFault) in try sharing.read(key, tag: nil) }
    }
    return try reading { (rows) throws(DatabaseError) in try rows.room(named: name) }
  }

  /// Returns the newest record of a reader, from the store if it answers.
  ///
  /// Blocks. A store that is out of reach is not asked.
  package func freshReader(_ id: ReaderID) throws(LibraryFault) -> ReaderRecord? {
    if let sharing, sharing.isInReach, let key = BlobKey.places(id.digest) {
      sharing.attempt { () throws(SharingFault) in try sharing.read(key, tag: nil) }
    }
    return try reading { (rows) throws(DatabaseError) in
      try rows.sharedReader(id).map { shared in
        ReaderRecord(
          id: id,
          room: shared.room,
          places: shared.places.sorted { $0.value.updatedAt < $1.value.updatedAt }.map {
            BookPlace(book: $0.key, spread: $0.value.spread, isFlat: $0.value.isFlat)
          },
          lastSeen: shared.updatedAt
        )
      }
    }
  }
}
