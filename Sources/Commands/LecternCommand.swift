internal import Server

/// The program `lectern`; its first argument names the subcommand.
package enum LecternCommand {
  /// Runs the program.
  /// - Parameter words: The arguments after the program's name.
  /// - Returns: The exit code: 0 for success, 1 for a failure at runtime, 2 for invalid arguments.
  package static func run(_ words: [String]) -> Int32 {
    Console.prepare()
    do {
      try dispatch(words)
      return 0
    } catch {
      if error != .reported { Console.error("lectern: \(error)") }
      return error.exitCode
    }
  }

  private static func dispatch(_ words: [String]) throws(CommandError) {
    let rest = Array(words.dropFirst())
    switch words.first {
    case "help" where !["--help", "-h", "help", nil].contains(rest.first):
      try dispatch([rest[0], "--help"])
    case "--help", "-h", "help": try Console.write(help)
    case "--version", "version": try Console.write("lectern \(Version.number)\n")
    case nil: throw .usage("say what to do: \(names); see --help")
    case let word?:
      guard let command = commands.first(where: { $0.name == word }) else {
        throw .usage("\"\(word)\" is not a command; use \(names)")
      }
      try command.run(rest)
    }
  }

  private static var names: String {
    let names = commands.map(\.name)
    return names.dropLast().joined(separator: ", ") + " or " + (names.last ?? "")
  }

  /// The commands, in the order of the help.
  static let commands = [
    ServeCommand.definition, ImportCommand.definition, ListCommand.definition,
    RemoveCommand.definition, BinCommand.definition, BackupCommand.definition,
    RestoreCommand.definition, DoctorCommand.definition,
    HealthCommand.definition, FramesCommand.definition, ReplayCommand.definition,
    ManualCommand.definition, CompletionsCommand.definition,
  ]

  static var help: String {
    let uses = commands.map { "lectern \($0.name) \($0.usage.prefix { $0 != "<" })" }
      .map { $0.split(separator: " ").joined(separator: " ") }
    let width = (uses.map(\.count).max() ?? 0) + 2
    let lines = zip(uses, commands).map { use, command in
      use + String(repeating: " ", count: width - use.count) + command.summary
    }
    return """
      lectern: open a book in the browser and turn its pages together

      \(lines.joined(separator: "\n"))

      Each has --help. `lectern --version` prints the version.

      """
  }
}
