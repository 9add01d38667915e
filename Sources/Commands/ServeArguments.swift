internal import Server
internal import Telemetry

extension LogOptions {
  /// Removes `--log-format`, `--log-level` and `--audit` from the arguments and stores their
  /// values.
  init(_ arguments: inout Arguments) throws(CommandError) {
    self.init()
    format = try arguments.choice("--log-format", default: format)
    level = try arguments.choice("--log-level", default: level)
    audit = try arguments.value("--audit")
  }
}

extension ReadingServer.Options.Connections {
  /// Reads the arguments of a command.
  init(_ arguments: inout Arguments) throws(CommandError) {
    self.init()
    total = try arguments.integer("--max-connections", default: total, in: 16...1_000_000)
    // A share, so that one address cannot keep out all others.
    let share = min(perAddress, total * 3 / 4)
    perAddress = try arguments.integer("--max-per-address", default: share, in: 1...1_000_000)
    guard perAddress <= total else {
      throw .usage(
        "\(arguments.label("--max-per-address")) is \(perAddress), but --max-connections is only "
          + "\(total); no address can have more connections than all together"
      )
    }
    backlog = try arguments.integer("--backlog", default: backlog, in: 1...65_535)
    usesRing = !(try arguments.flag("--no-io-uring"))
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
      throw .usage("\(label(name)) is \"\(text)\", but must be one of \(choices)")
    }
    return choice
  }
}
