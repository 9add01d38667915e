package import Scene
package import SharedStore

extension BookLibrary {
  /// The folders and limits of a library.
  package struct Options: Sendable {
    /// The data folder; `nil` for a temporary one.
    package var data: String?
    /// The folder to scan; `nil` for none.
    ///
    /// Without a folder, the books of a previously scanned folder stay unchanged.
    package var directory: String?
    /// The path of `lectern-press`.
    package var press: String
    /// The maximum size of stored pictures, in bytes.
    package var cacheBytes: Int
    /// Whether the folder is watched, or scanned only once.
    package var watches: Bool
    /// How often the folder is scanned even if nothing is known to have changed, in seconds; nil
    /// for every 30 seconds if other machines can change it, and never if they cannot.
    package var scanSeconds: Double?
    /// Whether texts are indexed and small pictures rendered in idle time.
    package var worksAhead: Bool
    /// The maximum number of concurrent presses; one per core is a good number.
    package var cores: Int
    /// How long an unused room is kept, in seconds.
    package var keepRooms: Double
    /// Whether this server must be the only one that uses the data folder.
    ///
    /// If false, a second process is a guest, which may only import.
    package var ownsData: Bool
    /// Whether a deleted book may take its file in the library's folder with it.
    package var mayDeleteFiles = false
    /// The store that other processes share; `nil` for a library of this process alone.
    package var sharing: Sharing?

    /// Creates options with defaults for everything except the press.
    package init(
      data: String? = nil,
      directory: String? = nil,
      press: String,
      cacheBytes: Int = 2 << 30,
      watches: Bool = true,
      worksAhead: Bool = true,
      cores: Int = 2,
      keepRooms: Double = 30 * 86_400,
      ownsData: Bool = false
    ) {
      (self.data, self.directory, self.press) = (data, directory, press)
      (self.cacheBytes, self.watches, self.worksAhead) = (cacheBytes, watches, worksAhead)
      (self.cores, self.keepRooms, self.ownsData) = (cores, keepRooms, ownsData)
    }
  }

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
    /// Called on any thread with readers whose bookmarks another process has stored.
    package var onReaders: @Sendable ([ReaderID]) -> Void = { _ in }

    /// Creates the options of a store.
    package init(store: any BlobStore) { self.store = store }
  }
}
