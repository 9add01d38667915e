internal import Foundation
internal import SharedStore
internal import Telemetry

/// The storage of a library: its open data folder, with the files and the catalogue in it.
struct LibraryStorage: Sendable {
  let folder: DataFolder
  let files: StoredFiles
  let store: Store
  let secret: FolderSecret
  /// The key that a client must send to see the library from another machine.
  let key: String
  /// The note on the restoration of the catalogue from a backup; nil if it was not restored.
  let note: String?

  /// Opens the files and the catalogue of a data folder; its owner restores a damaged catalogue.
  ///
  /// With a store, the folder takes over the identity of the cluster, and a lost catalogue without
  /// a backup begins empty.
  /// - Throws: ``StoreError``, ``DatabaseError`` or ``FileFault`` if one of them cannot be used;
  ///   ``JoiningFault`` if the store does not answer the first time.
  init(in folder: DataFolder, sharing: BookLibrary.Sharing? = nil, log: Log) throws {
    self.folder = folder
    files = try StoredFiles(folder: folder.path)
    if let sharing, folder.isOwner {
      try ClusterIdentity.join(sharing.store, files, atMost: sharing.joinSeconds)
    }
    (store, note) =
      folder.isOwner
      ? try Store.opened(
        in: folder,
        now: Date().timeIntervalSince1970,
        isShared: sharing != nil,
        log: log
      )
      : (try Store(path: folder.database, log: log), nil)
    secret = try FolderSecret(in: files)
    key = try files.libraryKey()
    try store.keyIDs(with: secret)
  }

  /// Removes the files to which no row of the catalogue refers.
  ///
  /// Imported books stay if the catalogue has none, because it may have been lost.
  func clean() throws(DatabaseError) {
    let needed = try store.read { (rows) throws(DatabaseError) in try rows.neededFiles() }
    files.clean { kind, name in
      needed[kind]?.contains(name) == true
        || kind == .originals && needed[.originals]?.isEmpty == true
    }
  }
}

extension Store {
  /// Replaces book ids that earlier versions assigned and that can be guessed from the files.
  func keyIDs(with secret: FolderSecret) throws(DatabaseError) {
    try write { (rows) throws(DatabaseError) in
      for book in try rows.booksWithoutKeyedID() {
        try rows.setID(secret.bookID(of: book.hash), of: book.key)
      }
    }
  }
}
