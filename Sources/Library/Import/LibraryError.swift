/// A reason a folder cannot be opened as a library.
public enum LibraryError: Error, Equatable, CustomStringConvertible {
  /// Nothing is at the path, or it is not a folder.
  case notAFolder(path: String)
  /// The folder's list of files cannot be read; the system's own words.
  case unreadable(path: String, reason: String)
  /// The folder holds no page that can be shown; what was found instead.
  case empty(path: String, notes: [String])

  /// The data folder or the catalogue in it cannot be used; in words for people.
  case data(String)

  /// What was wrong and what to do, for a person.
  public var description: String {
    switch self {
    case .notAFolder(let path):
      "There is no folder at \(path). Name a folder that holds books: folders of images."
    case .unreadable(let path, let reason):
      "The folder \(path) cannot be read: \(reason). Check who may read it."
    case .data(let text): text
    case .empty(let path, let notes):
      (["No book was found in \(path). Put a folder of SVG, PNG, JPEG or WebP images there."]
        + notes).joined(separator: "\n")
    }
  }
}
