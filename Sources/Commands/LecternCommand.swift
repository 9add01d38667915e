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
    case "serve": try ServeCommand.run(rest)
    case "import": try ImportCommand.run(rest)
    case "list": try ListCommand.run(rest)
    case "remove": try RemoveCommand.run(rest)
    case "bin": try BinCommand.run(rest)
    case "doctor": try DoctorCommand.run(rest)
    case "frames": try FramesCommand.run(rest)
    case "replay": try ReplayCommand.run(rest)
    case "help" where !["--help", "-h", "help", nil].contains(rest.first):
      try dispatch([rest[0], "--help"])
    case "--help", "-h", "help": try Console.write(help)
    case nil: throw .usage("say what to do: \(names); see --help")
    case let word?: throw .usage("\"\(word)\" is not a command; use \(names)")
    }
  }

  private static let names =
    "serve, import, list, remove, bin, doctor, frames or replay"

  /// The help text of each command, in the order of the general one.
  static let helps: [(name: String, text: String)] = [
    ("serve", ServeCommand.help), ("import", ImportCommand.help), ("list", ListCommand.help),
    ("remove", RemoveCommand.help), ("bin", BinCommand.help), ("doctor", DoctorCommand.help),
    ("frames", FramesCommand.help), ("replay", ReplayCommand.help),
  ]

  static let help = """
    lectern: open a book in the browser and turn its pages together

    lectern serve [options]     serve the library to browsers
    lectern import PATH...      import books into the library
    lectern list [options]      print the books of the library
    lectern remove ID...        put books into the bin
    lectern bin [options]       look at the bin, bring books back, or empty it
    lectern doctor [options]    say what would keep a server from working, and how to fix it
    lectern frames [options]    read gestures from standard input, print the frames they make
    lectern replay FILE         print the frames of a recording again

    Each has --help.

    """
}
