/// An error in a line of a log that cannot be decoded, with the reason.
public struct RecordingError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The number of the line, from 1.
  public let line: Int
  /// What is wrong, with the value, and what is expected.
  public let reason: String

  /// Creates an error.
  public init(line: Int, reason: String) {
    self.line = line
    self.reason = reason
  }

  /// The line's number and the reason.
  public var description: String { "line \(line): \(reason)" }
}
