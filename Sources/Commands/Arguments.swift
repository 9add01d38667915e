/// The words after a subcommand: options with a value, flags, and what is left.
///
/// Taking an option removes it; whatever is left at the end was not understood.
struct Arguments {
  private var words: [String]

  init(_ words: [String]) { self.words = words }

  /// Takes a flag.
  mutating func flag(_ name: String) -> Bool {
    guard let index = words.firstIndex(of: name) else { return false }
    words.remove(at: index)
    return true
  }

  /// Takes an option's value; nil if the option is absent.
  mutating func value(_ name: String) throws(CommandError) -> String? {
    if let index = words.firstIndex(where: { $0.hasPrefix(name + "=") }) {
      return String(words.remove(at: index).dropFirst(name.count + 1))
    }
    guard let index = words.firstIndex(of: name) else { return nil }
    guard index + 1 < words.count else {
      throw .usage("\(name) needs a value after it; see --help")
    }
    let value = words[index + 1]
    words.removeSubrange(index...index + 1)
    return value
  }

  /// Takes an option's values, as often as it is there.
  mutating func values(_ name: String) throws(CommandError) -> [String] {
    var values: [String] = []
    while let value = try value(name) { values.append(value) }
    return values
  }

  /// Takes a whole number.
  mutating func integer(
    _ name: String,
    default value: Int,
    in range: ClosedRange<Int>
  ) throws(CommandError) -> Int {
    guard let text = try self.value(name) else { return value }
    guard let number = Int(text), range.contains(number) else {
      throw .usage(
        "\(name) is \"\(text)\", but must be a whole number from \(range.lowerBound) to "
          + "\(range.upperBound)"
      )
    }
    return number
  }

  /// Takes a number.
  mutating func number(
    _ name: String,
    default value: Double,
    in range: ClosedRange<Double>
  ) throws(CommandError) -> Double {
    guard let text = try self.value(name) else { return value }
    guard let number = Double(text), range.contains(number) else {
      throw .usage(
        "\(name) is \"\(text)\", but must be a number from \(range.lowerBound) to "
          + "\(range.upperBound)"
      )
    }
    return number
  }

  /// Whether a word is left that is not an option.
  var hasOperand: Bool { words.contains { !$0.hasPrefix("-") } }

  /// Takes the first word that is not an option.
  mutating func operand(_ what: String) throws(CommandError) -> String {
    guard let index = words.firstIndex(where: { !$0.hasPrefix("-") }) else {
      throw .usage("\(what) is missing; see --help")
    }
    return words.remove(at: index)
  }

  /// Says that nothing may be left.
  func finish() throws(CommandError) {
    guard let word = words.first else { return }
    throw .usage("\"\(word)\" is not an option here; see --help")
  }
}

/// Why a command ends without doing its work.
package enum CommandError: Error, Equatable, CustomStringConvertible {
  /// The words or the input were not right: exit code 2.
  case usage(String)
  /// The world was not right: exit code 1.
  case failed(String)
  /// The world was not right, and who runs the command knows already: exit code 1.
  case told

  /// The reason.
  package var description: String {
    switch self {
    case .usage(let text), .failed(let text): text
    case .told: ""
    }
  }

  var exitCode: Int32 {
    switch self {
    case .usage: 2
    case .failed, .told: 1
    }
  }
}
