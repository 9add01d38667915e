package import Telemetry

/// What is logged, and how it looks.
package struct LogOptions: Equatable, Sendable {
  /// How the lines look.
  package var format = LogFormat.text
  /// The least level that is written.
  package var level = LogLevel.info

  /// Lines for people, from `info` on.
  package init() {}

  /// Takes `--log-format` and `--log-level` out of the arguments.
  init(_ arguments: inout Arguments) throws(CommandError) {
    format = try arguments.choice("--log-format", default: format)
    level = try arguments.choice("--log-level", default: level)
  }
}

extension Arguments {
  /// Takes an option whose value is one of a few words.
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
