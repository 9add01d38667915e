import Foundation

/// A new folder, deleted together with the value.
package final class TemporaryFolder: Sendable {
  package let path: String

  package init() {
    path = FileManager.default.temporaryDirectory.path + "/lectern-\(UUID().uuidString)"
    try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { remove() }

  package func remove() { try? FileManager.default.removeItem(atPath: path) }

  /// Writes a file and returns its path.
  package func write(_ name: String, _ text: String) throws -> String {
    let file = path + "/" + name
    try Data(text.utf8).write(to: URL(fileURLWithPath: file))
    return file
  }

  /// Returns the paths of all files in the folder at any depth, sorted.
  package func files() -> [String] {
    let all = FileManager.default.enumerator(atPath: path)?.compactMap { $0 as? String } ?? []
    return all.map { path + "/" + $0 }.filter { file in
      var isFolder: ObjCBool = false
      return FileManager.default.fileExists(atPath: file, isDirectory: &isFolder)
        && !isFolder.boolValue
    }
    .sorted()
  }
}
