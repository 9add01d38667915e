/// What a press says about its confinement when it is started to report that alone.
package enum ConfinementReport: Equatable, Sendable {
  /// The argument that asks a press for it.
  package static let argument = "--confinement"

  /// Everything that there is confines it.
  case whole
  /// The kernel or the container has no Landlock, so it can read what its user may read.
  case withoutFiles
  /// It is not confined, and opens no document; the text is the call that failed.
  case failed(String)

  /// The line that a press prints.
  package var text: String {
    switch self {
    case .whole: "whole\n"
    case .withoutFiles: "without files\n"
    case .failed(let call): "\(call)\n"
    }
  }

  /// Reads what a press printed.
  package init(text: String) {
    switch PressText.line(text, PressText.reason) {
    case "whole": self = .whole
    case "without files": self = .withoutFiles
    case let call: self = .failed(call)
    }
  }
}
