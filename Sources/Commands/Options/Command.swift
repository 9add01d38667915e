/// A command of the program: its name, its options and what it does.
struct Command: Sendable {
  /// The name, such as `serve`.
  let name: String
  /// What follows the name, such as `[options] PATH...`.
  let usage: String
  /// What it does, in a few words for the list of commands.
  let summary: String
  /// What it does, in paragraphs with an empty line between them.
  let text: String
  let groups: [OptionGroup]
  /// What follows the options in the help, such as the format of an input; may be empty.
  let notes: String
  /// Whether its operands are files.
  let takesFiles: Bool
  let run: @Sendable ([String]) throws(CommandError) -> Void

  init(
    _ name: String,
    _ usage: String,
    summary: String,
    text: String,
    groups: [OptionGroup],
    notes: String = "",
    takesFiles: Bool = false,
    run: @escaping @Sendable ([String]) throws(CommandError) -> Void
  ) {
    (self.name, self.usage, self.summary, self.text) = (name, usage, summary, text)
    (self.groups, self.notes, self.takesFiles, self.run) = (groups, notes, takesFiles, run)
  }

  /// All its options.
  var options: [Option] { groups.flatMap(\.options) }

  /// The column in which the texts of options begin.
  private static let column = 23
  /// The width of the help.
  private static let width = 100

  /// The help text.
  var help: String {
    var help = "lectern \(name)\(usage.isEmpty ? "" : " ")\(usage)\n\(paragraphs)\n"
    for group in groups {
      if !group.title.isEmpty { help += "\n\(group.title):\n" }
      help += "\n" + group.options.map(Self.entry).joined()
    }
    return notes.isEmpty ? help : help + "\n" + notes + "\n"
  }

  /// The text, each of its paragraphs wrapped.
  private var paragraphs: String {
    text.split(separator: "\n\n").map { paragraph in
      Self.wrapped(paragraph.replacing("\n", with: " "), Self.width).joined(separator: "\n")
    }.joined(separator: "\n\n")
  }

  /// Returns an option with its text, wrapped.
  private static func entry(_ option: Option) -> String {
    let margin = String(repeating: " ", count: column)
    let usage = "  " + option.usage
    let lines = wrapped(option.text, width - column)
    let begin =
      usage.count + 1 < column
      ? usage + margin.dropFirst(usage.count) : usage + "\n" + margin
    return begin + lines.joined(separator: "\n" + margin) + "\n"
  }

  /// Breaks a text into lines.
  static func wrapped(_ text: some StringProtocol, _ width: Int) -> [String] {
    var lines: [String] = []
    for word in text.split(separator: " ") {
      if let last = lines.last, last.count + 1 + word.count <= width {
        lines[lines.count - 1] = last + " " + word
      } else {
        lines.append(String(word))
      }
    }
    return lines
  }
}
