/// A message to a person: a code, and the values that its sentence needs.
///
/// A page has a sentence for each code in each of its languages. ``message`` is the English one,
/// for logs, for the command line and for programs without sentences of their own.
package struct Notice: Error, Equatable, Sendable {
  /// A value of a sentence.
  package enum Value: Equatable, Sendable {
    /// A number, such as that of a page, or a size in bytes.
    case number(Int)
    /// A name or a reason, or one of the ``Notice/words``.
    case text(String)
  }

  /// What the message says.
  package let code: Code
  /// The values by the names that they have in the sentence.
  package let values: [String: Value]

  /// The maximum length of a text, in scalars.
  private static let textMax = 300

  /// Creates a message; texts lose control characters and what is beyond 300 scalars.
  package init(_ code: Code, _ values: [String: Value] = [:]) {
    self.code = code
    self.values = values.mapValues {
      if case .text(let text) = $0 { .text(Self.shown(text)) } else { $0 }
    }
  }

  /// The values in a stable order.
  package var ordered: [(name: String, value: Value)] {
    values.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  private static func shown(_ text: String) -> String {
    let clean = text.unicodeScalars.lazy.map { scalar -> Unicode.Scalar in
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse: "\u{FFFD}"
      default: scalar
      }
    }
    let kept = Array(clean.prefix(textMax + 1))
    let text = String(String.UnicodeScalarView(kept.prefix(textMax)))
    return kept.count > textMax ? text + "..." : text
  }
}

extension Notice: CustomStringConvertible {
  /// The English sentence: what is wrong, with the values, and what to do.
  package var message: String {
    var text = ""
    var rest = code.sentence[...]
    while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
      text += rest[..<open]
      let field = rest[rest.index(after: open)..<close].split(separator: ":")
      if let name = field.first, let value = values[String(name)] {
        text += Self.text(of: value, as: field.dropFirst().first)
      }
      rest = rest[rest.index(after: close)...]
    }
    return text + rest
  }

  /// The same text as ``message``.
  package var description: String { message }

  private static func text(of value: Value, as kind: Substring?) -> String {
    switch (value, kind) {
    case (.number(let number), "number"): grouped(number)
    case (.number(let number), "size"): size(number)
    case (.number(let number), _): String(number)
    case (.text(let text), "word"): english(text)
    case (.text(let text), _): text
    }
  }

  /// Returns the English of one of the ``words``; any other text stays as it is.
  package static func english(_ word: String) -> String { words[word] ?? word }

  /// Returns a number with commas between thousands.
  private static func grouped(_ number: Int) -> String {
    let digits = String(number.magnitude)
    var text = number < 0 ? "-" : ""
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index) % 3 == 0 { text += "," }
      text.append(digit)
    }
    return text
  }

  /// Returns a number of bytes, such as "1.5 GiB".
  private static func size(_ bytes: Int) -> String {
    let units = [(1 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB")]
    for (unit, name) in units where bytes >= unit {
      let tenths = Int((Double(bytes) * 10 / Double(unit)).rounded())
      let whole = grouped(tenths / 10)
      return tenths % 10 == 0 ? "\(whole) \(name)" : "\(whole).\(tenths % 10) \(name)"
    }
    return "\(bytes) bytes"
  }
}

extension Notice: Codable {
  private enum CodingKeys: CodingKey { case code, values }

  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      try container.decode(Code.self, forKey: .code),
      try container.decodeIfPresent([String: Value].self, forKey: .values) ?? [:]
    )
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(code, forKey: .code)
    try container.encode(values, forKey: .values)
  }
}

extension Notice.Value: Codable {
  package init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    self =
      if let number = try? container.decode(Int.self) { .number(number) } else {
        .text(try container.decode(String.self))
      }
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .number(let number): try container.encode(number)
    case .text(let text): try container.encode(text)
    }
  }
}
