internal import Foundation

/// Values for options that the command line does not give: from the environment, or else from the
/// configuration file.
struct Settings {
  /// Where a value is from.
  enum Origin: Equatable {
    case commandLine
    /// The name of a variable of the environment.
    case variable(String)
    /// The path of the configuration file and the number of a line, from 1.
    case file(String, line: Int)

    /// Whether a value from here counts before one from another origin.
    func precedes(_ other: Origin) -> Bool { rank < other.rank }

    private var rank: Int {
      switch self {
      case .commandLine: 0
      case .variable: 1
      case .file: 2
      }
    }

    /// How errors name an option that has a value from here.
    func label(_ option: String) -> String {
      switch self {
      case .commandLine: option
      case .variable(let name): "$\(name)"
      case .file(let path, let line): "\(path):\(line): \(option.drop { $0 == "-" })"
      }
    }
  }

  struct Entry {
    var values: [String]
    var origin: Origin
  }

  /// No values.
  static let none = Settings(entries: [:])

  /// The maximum size of a configuration file, in bytes.
  private static let bytesMax = 1 << 20

  /// The values by the names of their options.
  private let entries: [String: Entry]

  private init(entries: [String: Entry]) { self.entries = entries }

  subscript(option: String) -> Entry? { entries[option] }

  /// Reads the settings of a command.
  /// - Parameters:
  ///   - options: The options of the command.
  ///   - known: All options that a configuration file may have.
  ///   - path: The path of the configuration file; nil for none.
  ///   - environment: The environment.
  /// - Throws: ``CommandError`` if the file cannot be read, or names what is no option.
  init(
    of options: [Option],
    known: [Option],
    file path: String?,
    environment: [String: String]
  ) throws(CommandError) {
    let wanted = options.filter(\.isSetting)
    var entries: [String: Entry] = [:]
    if let path {
      let lines = try Self.lines(of: path, known: known.filter(\.isSetting))
      for option in wanted { entries[option.name] = lines[option.name] }
    }
    for option in wanted {
      guard let text = environment[option.variable], !text.isEmpty else { continue }
      let values = option.isRepeated ? Self.list(text) : [text]
      entries[option.name] = Entry(values: values, origin: .variable(option.variable))
    }
    self.entries = entries
  }

  /// Returns the parts of a list, which commas or spaces part.
  static func list(_ text: String) -> [String] {
    text.split { $0 == "," || $0.isWhitespace }.map(String.init)
  }

  // MARK: The configuration file

  private static func lines(
    of path: String,
    known: [Option]
  ) throws(CommandError) -> [String: Entry] {
    guard let handle = FileHandle(forReadingAtPath: path),
      let data = try? handle.read(upToCount: bytesMax + 1) ?? Data()
    else { throw .failed("the configuration file \(path) cannot be read; name another: --config") }
    guard data.count <= bytesMax, let text = String(validating: data, as: UTF8.self) else {
      throw .failed("\(path) is not a configuration file: up to \(bytesMax >> 20) MiB of text")
    }
    let options = Dictionary(known.map { ($0.settingName, $0) }) { first, _ in first }
    var entries: [String: Entry] = [:]
    for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
      .enumerated()
    {
      guard let (name, value) = try parsed(line, at: "\(path):\(index + 1)") else { continue }
      guard let option = options[name] else {
        throw .usage("\(path):\(index + 1): \"\(name)\" is not an option; see lectern serve --help")
      }
      let origin = Origin.file(path, line: index + 1)
      if entries[option.name] != nil, !option.isRepeated {
        throw .usage("\(origin.label(option.name)) is given more than once; give it once")
      }
      let values = option.isRepeated ? list(value) : [value]
      entries[option.name, default: Entry(values: [], origin: origin)].values += values
    }
    return entries
  }

  /// Returns the name and the value of a line; nil for an empty line and a comment.
  private static func parsed(
    _ line: Substring,
    at place: String
  ) throws(CommandError) -> (name: String, value: String)? {
    let text = line.trimmingCharacters(in: .whitespaces)
    guard !text.isEmpty, !text.hasPrefix("#") else { return nil }
    guard let sign = text.firstIndex(of: "=") else {
      throw .usage("\(place): \"\(text.prefix(80))\" has no \"=\"; write it as NAME = VALUE")
    }
    let name = text[..<sign].trimmingCharacters(in: .whitespaces)
    var value = text[text.index(after: sign)...].trimmingCharacters(in: .whitespaces)
    if value.count > 1, let quote = value.first, "\"'".contains(quote), value.last == quote {
      value = String(value.dropFirst().dropLast())
    }
    guard !value.isEmpty else {
      throw .usage("\(place): \(name) has no value; give it one, or remove the line")
    }
    return (name, value)
  }
}
