/// `lectern completions`: prints the completions for a shell.
enum CompletionsCommand {
  static let definition = Command(
    "completions",
    "SHELL",
    summary: "print the completions for a shell, for packages",
    text: "Prints a script that completes commands and options in bash, zsh or fish.",
    groups: []
  ) { words throws(CommandError) in try run(words) }

  static func run(_ words: [String]) throws(CommandError) {
    if Arguments.askForHelp(words) { return try Console.write(definition.help) }
    var arguments = Arguments(words)
    let shell = try arguments.operand("the SHELL: bash, zsh or fish")
    try arguments.finish()
    switch shell {
    case "bash": try Console.write(bash)
    case "zsh":
      try Console.write("#compdef lectern\nautoload -U bashcompinit\nbashcompinit\n" + bash)
    case "fish": try Console.write(fish)
    default: throw .usage("\"\(shell)\" is not a shell here; use bash, zsh or fish")
    }
  }

  /// The options of a command; those of `lectern doctor` are those of `lectern serve`.
  private static func options(_ command: Command) -> [Option] {
    command.name == DoctorCommand.definition.name
      ? ServeCommand.definition.options : command.options
  }

  // MARK: Bash

  static var bash: String {
    let names = LecternCommand.commands.map(\.name).joined(separator: " ")
    return """
      _lectern() {
        local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}
        COMPREPLY=()
        if (( COMP_CWORD == 1 )); then
          COMPREPLY=($(compgen -W "\(names) --help --version" -- "$word"))
          return
        fi
        case ${COMP_WORDS[1]} in
      \(LecternCommand.commands.map(bash).joined(separator: "\n"))
        esac
      }
      complete -o filenames -F _lectern lectern

      """
  }

  private static func bash(_ command: Command) -> String {
    let options = options(command)
    var cases: [String] = []
    func add(_ answer: String, _ isWanted: (Option.Value) -> Bool) {
      let names = options.filter { $0.placeholder != nil && isWanted($0.value) }.map(\.name)
      if !names.isEmpty {
        cases.append("        \(names.joined(separator: "|"))) \(answer); return;;")
      }
    }
    add("COMPREPLY=($(compgen -f -- \"$word\"))") { $0 == .file }
    add("COMPREPLY=($(compgen -d -- \"$word\"))") { $0 == .folder }
    var choices: [[String]] = []
    for case .oneOf(let words) in options.map(\.value) where !choices.contains(words) {
      choices.append(words)
    }
    for words in choices {
      add("COMPREPLY=($(compgen -W \"\(words.joined(separator: " "))\" -- \"$word\"))") {
        $0 == .oneOf(words)
      }
    }
    add("return") { $0 == .other }
    let words = options.map(\.name).joined(separator: " ")
    let files = command.takesFiles ? "; COMPREPLY+=($(compgen -f -- \"$word\"))" : ""
    return """
          \(command.name))
            case $before in
      \(cases.joined(separator: "\n"))
            esac
            COMPREPLY=($(compgen -W "\(words)" -- "$word"))\(files);;
      """
  }

  // MARK: Fish

  static var fish: String {
    var lines = ["complete -c lectern -f"]
    for command in LecternCommand.commands {
      lines.append(
        "complete -c lectern -n __fish_use_subcommand -a \(command.name)"
          + " -d \(quoted(command.summary))"
      )
      let seen = "-n '__fish_seen_subcommand_from \(command.name)'"
      if command.takesFiles { lines.append("complete -c lectern \(seen) -F") }
      for option in options(command) {
        let value =
          switch option.value {
          case .file, .folder: " -r -F"
          case .oneOf(let words): " -x -a \(quoted(words.joined(separator: " ")))"
          case .other: option.placeholder == nil ? "" : " -x"
          }
        let name = option.settingName
        lines.append("complete -c lectern \(seen) -l \(name)\(value) -d \(quoted(option.text))")
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func quoted(_ text: String) -> String {
    "'" + text.replacing("\\", with: "\\\\").replacing("'", with: "\\'") + "'"
  }
}
