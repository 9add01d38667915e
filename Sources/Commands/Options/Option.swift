/// An option of a command: how it is written, and what it means.
///
/// The help texts, the manual page, the completions of shells, the variables of the environment and
/// the lines of the configuration file are all derived from these.
struct Option: Sendable {
  /// What completes a value in a shell.
  enum Value: Equatable, Sendable {
    case file
    case folder
    case oneOf([String])
    case other
  }

  /// The name with its dashes, such as `--port`.
  let name: String
  /// What stands for the value in the help, such as `N`; nil for a flag.
  let placeholder: String?
  /// The kind of the value.
  let value: Value
  /// What it means, on one line; the help wraps it.
  let text: String
  /// Whether it may be given several times.
  let isRepeated: Bool
  /// Whether the environment and the configuration file can give it as well.
  var isSetting: Bool

  /// Creates an option with a value.
  init(
    _ name: String,
    _ placeholder: String,
    _ text: String,
    value: Value = .other,
    isRepeated: Bool = false,
    isSetting: Bool = true
  ) {
    (self.name, self.placeholder, self.text) = (name, placeholder, text)
    (self.value, self.isRepeated, self.isSetting) = (value, isRepeated, isSetting)
  }

  /// Creates a flag.
  init(flag name: String, _ text: String, isSetting: Bool = true) {
    (self.name, placeholder, self.text) = (name, nil, text)
    (value, isRepeated, self.isSetting) = (.other, false, isSetting)
  }

  /// The name in the configuration file, such as `max-connections`.
  var settingName: String { String(name.drop { $0 == "-" }) }

  /// The name of the environment's variable, such as `LECTERN_MAX_CONNECTIONS`.
  var variable: String { "LECTERN_" + settingName.uppercased().replacing("-", with: "_") }

  /// The name with the placeholder of its value.
  var usage: String { placeholder.map { "\(name) \($0)" } ?? name }

  /// The option of all commands.
  static let help = Option(flag: "--help", "print this text", isSetting: false)

  /// Returns the option for the data folder.
  static func data(_ text: String) -> Option {
    Option(
      "--data",
      "DIR",
      "\(text) ($XDG_DATA_HOME/lectern or ~/.local/share/lectern)",
      value: .folder
    )
  }

  /// The configuration file.
  static let configuration = Option(
    "--config",
    "FILE",
    "the configuration file: lines such as \"port = 8080\", each the name of an option without its"
      + " dashes; $LECTERN_CONFIG also names it (/etc/lectern/lectern.conf where a package has"
      + " installed the program, otherwise none)",
    value: .file,
    isSetting: false
  )
}

/// Options that belong together.
struct OptionGroup: Sendable {
  /// The title; empty for the first group.
  let title: String
  let options: [Option]

  init(_ title: String, _ options: [Option]) { (self.title, self.options) = (title, options) }

  init(_ options: [Option]) { self.init("", options) }
}
