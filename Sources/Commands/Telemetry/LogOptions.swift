package import Telemetry

/// What a server logs, where and in which format.
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

  /// Takes `--log-format`, `--log-level` and `--audit` out of the arguments.
  init(_ arguments: inout Arguments) throws(CommandError) {
    format = try arguments.choice("--log-format", default: format)
    level = try arguments.choice("--log-level", default: level)
    audit = try arguments.value("--audit")
  }
}

extension Arguments {
  /// Takes an option whose value is one of several choices.
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
