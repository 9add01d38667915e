/// A reason a folder cannot be opened as a library.
public enum LibraryError: Error, Equatable, CustomStringConvertible {
  /// Nothing is at the path, or it is not a folder.
  case notAFolder(path: String)
  /// The data folder or the catalogue in it cannot be used; in words for people.
  case data(String)

  /// What was wrong and what to do, for a person.
  public var description: String {
    switch self {
    case .notAFolder(let path):
      "There is no folder at \(path). Name a folder that holds books."
    case .data(let text): text
    }
  }
}
