import Foundation
package import SharedStore

/// A new folder with a store, deleted together with the object.
package final class StoreFolder: Sendable {
  /// The path of the folder.
  package let path: String

  /// Creates an empty store.
  package init() throws {
    path = FileManager.default.temporaryDirectory.path + "/lectern-store-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit {
    for path in [path, path + ".away"] { try? FileManager.default.removeItem(atPath: path) }
  }

  /// The store.
  package var store: any BlobStore { FolderStore(path: path) }

  /// Makes the folder disappear, like a share that is not mounted.
  package func unmount() throws {
    try FileManager.default.moveItem(atPath: path, toPath: path + ".away")
  }

  /// Makes the folder appear again.
  package func mount() throws {
    try FileManager.default.moveItem(atPath: path + ".away", toPath: path)
  }
}
