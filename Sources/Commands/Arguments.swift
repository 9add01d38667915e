/// The arguments of a subcommand: options with a value, flags and operands.
///
/// Reading an argument removes it; ``finish()`` rejects the arguments that are left.
struct Arguments {
  private var words: [String]

  init(_ words: [String]) { self.words = words }

  /// Removes a flag and returns whether it was present.
  mutating func flag(_ name: String) -> Bool {
    guard let index = words.firstIndex(of: name) else { return false }
    words.remove(at: index)
    return true
  }

  /// Removes an option and returns its value; nil if the option is absent.
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

  /// Removes every occurrence of an option and returns their values in order.
  mutating func values(_ name: String) throws(CommandError) -> [String] {
    var values: [String] = []
    while let value = try value(name) { values.append(value) }
    return values
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
        "\(name) is \"\(text)\", but must be a whole number from \(range.lowerBound) to "
          + "\(range.upperBound)"
      )
    }
    return number
  }

  /// Removes an option and returns its value, a number in a range.
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

  /// Whether an argument is left that is not an option.
  var hasOperand: Bool { words.contains { !$0.hasPrefix("-") } }

  /// Removes and returns the first argument that is not an option.
  mutating func operand(_ what: String) throws(CommandError) -> String {
    guard let index = words.firstIndex(where: { !$0.hasPrefix("-") }) else {
      throw .usage("\(what) is missing; see --help")
    }
    return words.remove(at: index)
  }

  /// Rejects any argument that is left.
  func finish() throws(CommandError) {
    guard let word = words.first else { return }
    throw .usage("\"\(word)\" is not an option here; see --help")
  }
}

/// The reason why a command ends without doing its work.
package enum CommandError: Error, Equatable, CustomStringConvertible {
  /// The arguments or the input are invalid: exit code 2.
  case usage(String)
  /// A failure at runtime: exit code 1.
  case failed(String)
  /// A failure at runtime that was already reported to the user: exit code 1.
  case told

  /// The message for the user; empty if the failure was already reported.
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
