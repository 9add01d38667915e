internal import Glibc

/// The format of the lines of a log.
package enum LogFormat: String, CaseIterable, Sendable {
  /// Readable: time, level, event, message, and then the fields as `name=value`.
  case text
  /// Machine-readable: one JSON object per line.
  case json

  /// Returns the line of an entry, with its line end.
  ///
  /// All texts are escaped in both formats: a file name cannot end a line, move the cursor of a
  /// terminal or change the direction of the surrounding text.
  func line(_ entry: LogEntry) -> String {
    switch self {
    case .text: Self.text(entry)
    case .json: Self.json(entry)
    }
  }

  private static func text(_ entry: LogEntry) -> String {
    var line = "\(Timestamp.text(entry.time)) \(entry.level.rawValue) \(entry.event.name): "
    line += LogEscaping.text.escaped(entry.message)
    for field in entry.fields { line += " \(field.name)=\(LogEscaping.text.value(field.value))" }
    return line + "\n"
  }

  private static func json(_ entry: LogEntry) -> String {
    var line = #"{"time":"\#(Timestamp.text(entry.time))","level":"\#(entry.level.rawValue)""#
    line += #","event":"\#(entry.event.name)","message":"#
    line += LogEscaping.json.value(.text(entry.message))
    for field in entry.fields {
      line += #","\#(field.name)":"# + LogEscaping.json.value(field.value)
    }
    return line + "}\n"
  }
}

/// The two forms of escaping.
enum LogEscaping {
  /// As in Swift: `\u{1B}`.
  case text
  /// As in JSON: `\u001b`.
  case json

  func value(_ value: LogValue) -> String {
    switch value {
    case .text(let text): "\"" + escaped(text) + "\""
    case .count(let count): "\(count)"
    case .number(let number):
      Int(exactly: number).map(String.init) ?? (number.isFinite ? "\(number)" : "null")
    case .flag(let flag): "\(flag)"
    }
  }

  func escaped(_ text: String) -> String {
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\", "\"": result.append(contentsOf: ["\\", scalar])
      case "\n": result.append(contentsOf: ["\\", "n"])
      case "\r": result.append(contentsOf: ["\\", "r"])
      case "\t": result.append(contentsOf: ["\\", "t"])
      case "\u{20}"..."\u{7E}": result.append(scalar)
      default:
        if Self.isPlain(scalar) {
          result.append(scalar)
        } else {
          result.append(contentsOf: code(of: scalar).unicodeScalars)
        }
      }
    }
    return String(result)
  }

  /// Whether a character is visible: not a control character, not unassigned, and without effect on
  /// line ends or the direction of text.
  private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse,
      .unassigned:
      false
    default: true
    }
  }

  private func code(of scalar: Unicode.Scalar) -> String {
    switch self {
    case .text: "\\u{" + String(scalar.value, radix: 16, uppercase: true) + "}"
    case .json:
      Character(scalar).utf16.map { unit in
        let digits = String(unit, radix: 16)
        return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      }
      .joined()
    }
  }
}

/// Formats times as ISO 8601 in UTC: `2026-11-22T09:00:00.123Z`.
enum Timestamp {
  static func text(_ seconds: Double) -> String {
    // A clock that is wrong or not set still gives a valid line.
    let milliseconds = Int(max(0, min(seconds, 253_402_300_799)) * 1000)
    var whole = time_t(milliseconds / 1000)
    var parts = tm()
    gmtime_r(&whole, &parts)
    let date = "\(parts.tm_year + 1900)-\(two(parts.tm_mon + 1))-\(two(parts.tm_mday))"
    let time = "\(two(parts.tm_hour)):\(two(parts.tm_min)):\(two(parts.tm_sec))"
    let rest = "\(milliseconds % 1000 + 1000)".dropFirst()
    return "\(date)T\(time).\(rest)Z"
  }

  private static func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
