/// A reason that a folder cannot be opened as a library.
package enum LibraryError: Error, Equatable, CustomStringConvertible {
  /// There is nothing at the path, or it is not a folder.
  case notAFolder(path: String)
  /// The data folder or its catalogue cannot be used; the text is written for readers.
  case data(String)

  /// What is wrong and what to do.
  package var description: String {
    switch self {
    case .notAFolder(let path):
      "There is no folder at \(path). Choose a folder that contains books."
    case .data(let text): text
    }
  }
}
