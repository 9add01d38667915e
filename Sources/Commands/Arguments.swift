internal import Server

/// The arguments of a subcommand: options with a value, flags and operands.
///
/// Reading an argument removes it; ``finish()`` rejects the arguments that are left.
struct Arguments {
  private var words: [String]
  /// The operands behind `--`, which may begin with `-`.
  private var operands: [String]
  /// The options that were read.
  private var known: Set<String> = []
  /// The values of options that the command line does not give.
  private let settings: Settings
  /// The options that the command line gave.
  private var given: Set<String> = []

  init(_ words: [String], _ settings: Settings = .none) {
    self.settings = settings
    let end = words.firstIndex(of: "--") ?? words.count
    self.words = Array(words[..<end])
    operands = Array(words[end...].dropFirst())
  }

  /// Whether arguments ask for the help text of their command.
  static func askForHelp(_ words: [String]) -> Bool {
    words.prefix { $0 != "--" }.contains { $0 == "--help" || $0 == "-h" }
  }

  /// Creates the arguments of a command with its settings.
  /// - Parameters:
  ///   - words: The arguments.
  ///   - command: The command.
  ///   - environment: The environment.
  /// - Throws: ``CommandError`` if the configuration file cannot be used.
  init(
    _ words: [String],
    of command: Command,
    environment: [String: String]
  ) throws(CommandError) {
    var plain = Arguments(words)
    let option = Option.configuration
    let file = try plain.value(option.name) ?? environment[option.variable]
    self.init(
      words,
      try Settings(
        of: command.options,
        known: ServeCommand.definition.options,
        file: file.map { $0.isEmpty ? nil : $0 } ?? InstalledFolders.configuration,
        environment: environment
      )
    )
    _ = try value(option.name)
  }

  /// Where the value of an option that was read is from.
  func origin(of name: String) -> Settings.Origin {
    given.contains(name) ? .commandLine : settings[name]?.origin ?? .commandLine
  }

  /// How errors name an option that was read.
  func label(_ name: String) -> String { origin(of: name).label(name) }

  /// Removes a flag and returns whether it was given.
  mutating func flag(_ name: String) throws(CommandError) -> Bool {
    known.insert(name)
    guard let index = words.firstIndex(of: name) else {
      guard let text = settings[name]?.values.last else { return false }
      switch text.lowercased() {
      case "yes", "true", "on", "1": return true
      case "no", "false", "off", "0": return false
      default: throw .usage("\(label(name)) is \"\(text)\", but must be yes or no")
      }
    }
    given.insert(name)
    words.remove(at: index)
    return true
  }

  /// Removes an option and returns its value; nil if it has none.
  mutating func value(_ name: String) throws(CommandError) -> String? {
    try givenValue(name) ?? settings[name]?.values.last
  }

  /// Removes an option of the command line and returns its value; nil if it is not there.
  private mutating func givenValue(_ name: String) throws(CommandError) -> String? {
    known.insert(name)
    let found = words.firstIndex { $0 == name || $0.hasPrefix(name + "=") }
    guard let index = found else { return nil }
    given.insert(name)
    let word = words.remove(at: index)
    if word != name { return try Self.checked(word.dropFirst(name.count + 1), name) }
    guard index < words.count, !words[index].hasPrefix("--") else {
      throw .usage("\(name) needs a value after it; see --help")
    }
    return try Self.checked(words.remove(at: index)[...], name)
  }

  private static func checked(_ value: Substring, _ name: String) throws(CommandError) -> String {
    guard !value.isEmpty else {
      throw .usage("\(name) has an empty value; give it one, or leave the option out")
    }
    return String(value)
  }

  /// Removes an option that can have a list as its value, and returns the parts of the list.
  /// - Parameters:
  ///   - name: The option.
  ///   - alone: What the option means without a value.
  /// - Returns: The parts, which commas or spaces part; nil if the option is absent, or is `no`.
  /// - Throws: ``CommandError/usage(_:)`` for an empty value.
  mutating func list(_ name: String, alone: String) throws(CommandError) -> [String]? {
    if let index = words.firstIndex(of: name) {
      let next = words.index(after: index)
      if next == words.count || words[next].hasPrefix("-") {
        known.insert(name)
        given.insert(name)
        words.remove(at: index)
        return [alone]
      }
    }
    guard let text = try value(name) else { return nil }
    switch text.lowercased() {
    case "yes", "true", "on", "1": return [alone]
    case "no", "false", "off", "0": return nil
    default: return Settings.list(text)
    }
  }

  /// Removes every occurrence of an option and returns their values in order.
  mutating func values(_ name: String) throws(CommandError) -> [String] {
    var values: [String] = []
    while let value = try givenValue(name) { values.append(value) }
    return values.isEmpty ? settings[name]?.values ?? [] : values
  }

  /// Removes an option and returns its value, a whole number in a range.
  mutating func integer(
    _ name: String,
    default value: Int,
    in range: ClosedRange<Int>
  ) throws(CommandError) -> Int {
    guard let text = try self.value(name) else { return value }
    guard let number = Int(text), range.contains(number) else {
      throw .usage(
        "\(label(name)) is \"\(text)\", but must be a whole number from \(range.lowerBound) to "
          + "\(range.upperBound)"
      )
    }
    return number
  }

  /// Removes an option and returns its value, a number in a range; nil without the option.
  mutating func number(
    _ name: String,
    in range: ClosedRange<Double>
  ) throws(CommandError) -> Double? {
    guard let text = try self.value(name) else { return nil }
    guard let number = Double(text), range.contains(number) else {
      throw .usage(
        "\(label(name)) is \"\(text)\", but must be a number from \(range.lowerBound) to "
          + "\(range.upperBound)"
      )
    }
    return number
  }

  /// Whether an argument is left that is not an option.
  var hasOperand: Bool { !operands.isEmpty || words.contains(where: Self.isOperand) }

  /// Whether a word is no option; a single dash means the standard input or output.
  private static func isOperand(_ word: String) -> Bool { word == "-" || !word.hasPrefix("-") }

  /// Removes and returns the first argument that is not an option.
  mutating func operand(_ what: String) throws(CommandError) -> String {
    if let index = words.firstIndex(where: Self.isOperand) {
      return words.remove(at: index)
    }
    guard !operands.isEmpty else { throw .usage("\(what) is missing; see --help") }
    return operands.removeFirst()
  }

  /// Rejects any argument that is left.
  func finish() throws(CommandError) {
    if let word = words.first, word.hasPrefix("-") {
      let name = String(word.prefix { $0 != "=" })
      if known.contains(name) { throw .usage("\(name) is given more than once; give it once") }
      throw .usage("\"\(name)\" is not an option here; see --help")
    }
    guard let word = (words + operands).first else { return }
    throw .usage("\"\(word)\" is not expected here; see --help")
  }
}

/// The reason why a command ends without doing its work.
package enum CommandError: Error, Equatable, CustomStringConvertible {
  /// The arguments or the input are invalid: exit code 2.
  case usage(String)
  /// A failure at runtime: exit code 1.
  case failed(String)
  /// A failure at runtime that was already reported to the user: exit code 1.
  case reported

  /// The message for the user; empty if the failure was already reported.
  package var description: String {
    switch self {
    case .usage(let text), .failed(let text): text
    case .reported: ""
    }
  }

  /// Runs work that a server shares with its commands.
  static func wrap<Value>(_ work: () throws(StartError) -> Value) throws(CommandError) -> Value {
    do throws(StartError) { return try work() } catch { throw .failed(error.description) }
  }

  var exitCode: Int32 {
    switch self {
    case .usage: 2
    case .failed, .reported: 1
    }
  }
}
