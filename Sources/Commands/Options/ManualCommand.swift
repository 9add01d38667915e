internal import Server

/// `lectern manual`: prints the manual page.
enum ManualCommand {
  static let definition = Command(
    "manual",
    "[options]",
    summary: "print the manual page, for packages",
    text: "Prints the manual page of all commands in the format of man(7).",
    groups: [
      OptionGroup([
        Option(
          flag: "--configuration",
          "print a configuration file with all options instead, as a package installs it",
          isSetting: false
        ), .help,
      ])
    ]
  ) { words throws(CommandError) in try run(words) }

  static func run(_ words: [String]) throws(CommandError) {
    if Arguments.askForHelp(words) { return try Console.write(definition.help) }
    var arguments = Arguments(words)
    let isConfiguration = try arguments.flag("--configuration")
    try arguments.finish()
    try Console.write(isConfiguration ? configuration : page)
  }

  /// The data folder of a service that a package has installed.
  private static let serviceData = "/var/lib/lectern"

  /// The configuration file of a package: all options, of which only the data folder is set.
  static var configuration: String {
    var text = """
      # The configuration of lectern.service; see lectern(1). Each line is the name of an option of
      # `lectern serve` without its dashes, and its value; a flag is yes or no. A line that begins
      # with # does nothing. After a change: systemctl restart lectern

      """
    for group in ServeCommand.definition.groups {
      let options = group.options.filter(\.isSetting)
      if !options.isEmpty { text += "\n# \(group.title)\n" }
      for option in options {
        text += "\n" + Command.wrapped(option.text, 96).map { "# \($0)\n" }.joined()
        let isData = option.name == "--data"
        let value = isData ? serviceData : option.placeholder ?? "yes"
        text += "\(isData ? "" : "#")\(option.settingName) = \(value)\n"
      }
    }
    return text
  }

  /// The manual page.
  static var page: String {
    var page = """
      .TH LECTERN 1 "" "Lectern \(Version.number)"
      .SH NAME
      lectern \\- open a book in the browser and turn its pages together
      .SH SYNOPSIS

      """
    for command in LecternCommand.commands {
      page += ".br\n\\fBlectern \(escaped(command.name))\\fR \(escaped(command.usage))\n"
    }
    page += ".SH COMMANDS\n"
    for command in LecternCommand.commands { page += section(command) }
    page += """
      .SH CONFIGURATION
      Each option of \\fBlectern serve\\fR can be given by a line of the configuration file: the
      name of the option without its dashes, an equals sign and its value: \\fBport = 8080\\fR.
      A flag is \\fByes\\fR or \\fBno\\fR. Options that may be repeated take a list. Lines that
      begin with # are comments.
      .SH ENVIRONMENT
      Each option can be given by a variable as well, such as \\fBLECTERN_PORT\\fR for
      \\fB\\-\\-port\\fR. The command line counts first, then the environment, then the file.
      .SH FILES
      .TP
      \\fI/etc/lectern/lectern.conf\\fR
      The configuration file of an installed program.
      .TP
      \\fI/var/lib/lectern\\fR
      The data folder of the service.
      .SH EXIT STATUS
      0 for success, 1 for a failure at runtime, 2 for invalid arguments.

      """
    return page
  }

  private static func section(_ command: Command) -> String {
    var text = ".SS lectern \(escaped(command.name))\n"
    for paragraph in command.text.split(separator: "\n\n") {
      text += ".PP\n" + lines(String(paragraph))
    }
    for group in command.groups {
      if !group.title.isEmpty { text += ".PP\n" + lines(group.title + ":") }
      for option in group.options {
        let value = option.placeholder.map { " \\fI\(escaped($0))\\fR" } ?? ""
        text += ".TP\n\\fB\(escaped(option.name))\\fR\(value)\n" + lines(option.text)
      }
    }
    guard !command.notes.isEmpty else { return text }
    return text + ".PP\n.nf\n" + lines(command.notes) + ".fi\n"
  }

  /// Returns lines of text of which none is a request of the formatter.
  private static func lines(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      let text = escaped(String(line))
      return text.hasPrefix(".") || text.hasPrefix("'") ? "\\&" + text : text
    }.joined(separator: "\n") + "\n"
  }

  private static func escaped(_ text: String) -> String {
    text.replacing("\\", with: "\\e").replacing("-", with: "\\-")
  }
}
