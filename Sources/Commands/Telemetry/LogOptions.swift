package import Telemetry

/// The options of a server's log: what it contains, where and in which format.
package struct LogOptions: Equatable, Sendable {
  /// The format of the lines.
  package var format = LogFormat.text
  /// The lowest level that is written.
  package var level = LogLevel.info
  /// The file for the audit, which lists the actions of hosts and rejected requests; nil for one in
  /// the data folder, if there is one; `-` for the log only.
  package var audit: String?

  /// Creates options for readable lines of the level `info` and above.
  package init() {}

  /// Removes `--log-format`, `--log-level` and `--audit` from the arguments and stores their
  /// values.
  init(_ arguments: inout Arguments) throws(CommandError) {
    format = try arguments.choice("--log-format", default: format)
    level = try arguments.choice("--log-level", default: level)
    audit = try arguments.value("--audit")
  }
}

extension Arguments {
  /// Removes an option whose value is one of several choices and returns the value.
  fileprivate mutating func choice<Choice: RawRepresentable<String> & CaseIterable>(
    _ name: String,
    default value: Choice
  ) throws(CommandError) -> Choice {
    guard let text = try self.value(name) else { return value }
    guard let choice = Choice(rawValue: text) else {
      let choices = Choice.allCases.map(\.rawValue).joined(separator: ", ")
      throw .usage("\(name) is \"\(text)\", but must be one of \(choices)")
    }
    return choice
  }
}
