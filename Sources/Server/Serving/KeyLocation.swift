internal import Glibc

/// Where a key stands, for people who look for it.
package enum KeyLocation: Equatable, Sendable, CustomStringConvertible {
  /// An option of the command, such as `--library-key`.
  case option(String)
  /// The path of a file.
  case file(String)
  /// The name of an environment variable.
  case variable(String)

  package var description: String {
    switch self {
    case .option(let name): "given with \(name)"
    case .file(let path): "in \(path)"
    case .variable(let name): "in $\(name)"
    }
  }

  /// Whether users besides the owner and the group of a file may read it.
  package static func isReadableByOthers(_ path: String) -> Bool {
    var facts = stat()
    return stat(path, &facts) == 0 && facts.st_mode & S_IROTH != 0
  }
}
