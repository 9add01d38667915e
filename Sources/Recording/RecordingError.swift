/// An error in a line of a log that cannot be decoded, with the reason.
package struct RecordingError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The number of the line, from 1.
  package let line: Int
  /// What is wrong, with the value, and what is expected.
  package let reason: String

  /// Creates an error.
  package init(line: Int, reason: String) { (self.line, self.reason) = (line, reason) }

  /// The line's number and the reason.
  package var description: String { "line \(line): \(reason)" }
}
