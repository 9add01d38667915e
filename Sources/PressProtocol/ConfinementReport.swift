/// How a press is confined.
package enum ConfinementReport: Equatable, Sendable {
  /// The argument with which a press only prints its report.
  package static let argument = "--confinement"

  /// Landlock, seccomp and limits confine it.
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
