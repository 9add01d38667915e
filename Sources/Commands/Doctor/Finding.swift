/// The result of one check: a line for the user.
struct Finding: Equatable, Sendable {
  /// How good the result is.
  enum Verdict: String, Sendable {
    case ok
    /// The server works, but not as well as it could.
    case warning
    /// The server does not work.
    case problem
  }

  /// What was checked, in a word or two.
  let check: String
  let verdict: Verdict
  /// The value that the check found, followed by a remedy unless the verdict is ``Verdict/ok``.
  let text: String

  init(_ check: String, _ verdict: Verdict, _ text: String) {
    (self.check, self.verdict, self.text) = (check, verdict, text)
  }

  /// The line.
  var line: String {
    func padded(_ text: String, _ width: Int) -> String {
      text + String(repeating: " ", count: max(1, width - text.count))
    }
    return padded(verdict.rawValue, 9) + padded(check, 16) + text
  }
}
