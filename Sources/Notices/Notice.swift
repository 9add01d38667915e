/// A message to a person: a code, and the values that its sentence needs.
///
/// A page has a sentence for each code in each of its languages. ``message`` is the English one,
/// for logs, for the command line and for programs without sentences of their own.
package struct Notice: Error, Encodable, Equatable, Sendable {
  /// What the message says.
  package let code: Code
  /// The values by the names that they have in the sentence: names, reasons, decimal numbers, or
  /// keys of ``words``.
  package let values: [String: String]

  /// The maximum length of a value, in scalars.
  private static let valueMax = 300

  /// Creates a message; values lose control characters and what is beyond 300 scalars.
  package init(_ code: Code, _ values: [String: String] = [:]) {
    self.code = code
    self.values = values.mapValues(Self.shown)
  }

  /// Creates a message whose sentence is known in one language only.
  package init(other reason: String) { self.init(.other, ["reason": reason]) }

  private static func shown(_ text: String) -> String {
    let clean = text.unicodeScalars.lazy.map { scalar -> Unicode.Scalar in
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse: "\u{FFFD}"
      default: scalar
      }
    }
    let kept = Array(clean.prefix(valueMax + 1))
    let text = String(String.UnicodeScalarView(kept.prefix(valueMax)))
    return kept.count > valueMax ? text + "..." : text
  }
}

extension Notice: Decodable {
  /// The maximum number of values that are read; no sentence has as many.
  private static let valuesMax = 8

  /// Reads what another process wrote, within the same bounds as a message of this one.
  package init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: CodingKeys.self)
    let code = try fields.decode(Code.self, forKey: .code)
    let values = try fields.decodeIfPresent([String: String].self, forKey: .values) ?? [:]
    guard values.count <= Self.valuesMax, values.keys.allSatisfy({ $0.utf8.count <= 32 }) else {
      throw DecodingError.dataCorruptedError(
        forKey: .values,
        in: fields,
        debugDescription: "\(values.count) values, or a long name of one"
      )
    }
    self.init(code, values)
  }
}

extension Notice: CustomStringConvertible {
  /// The English sentence: what is wrong, with the values, and what to do.
  package var message: String {
    var text = ""
    var rest = code.rawValue[...]
    while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
      text += rest[..<open]
      let field = rest[rest.index(after: open)..<close].split(separator: ":")
      if let value = field.first.flatMap({ values[String($0)] }) {
        text += Self.text(of: value, as: field.count > 1 ? field[1] : nil)
      }
      rest = rest[rest.index(after: close)...]
    }
    return text + rest
  }

  /// The same text as ``message``.
  package var description: String { message }

  private static func text(of value: String, as kind: Substring?) -> String {
    switch kind {
    case "number": Int(value).map(grouped) ?? value
    case "size": Int(value).map(size) ?? value
    case "word": english(value)
    default: value
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

/// An error with a message to readers, whose English text is its description.
package protocol NoticeError: Error, CustomStringConvertible {
  /// What is wrong and what to do.
  var notice: Notice { get }
}

extension NoticeError {
  package var description: String { notice.message }
}
