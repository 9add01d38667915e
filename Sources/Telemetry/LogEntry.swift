/// The values of an event by name, in the order in which they are written; at most
/// ``LogEntry/fieldsMax``.
///
/// Values of nil are omitted. The names `time`, `level`, `event`, `message` and `repeats` are
/// reserved.
package typealias LogFields = KeyValuePairs<String, LogValue?>

/// A value in a line of the log.
package enum LogValue: Equatable, Sendable {
  /// A text from any source: it is escaped on writing and truncated at ``LogEntry/textMax``.
  case text(String)
  /// A whole number.
  case count(Int)
  /// A number; a number that is not finite is written as `null`.
  case number(Double)
  /// A Boolean.
  case flag(Bool)

  /// A duration in seconds, rounded to milliseconds.
  package static func seconds(_ seconds: Double) -> LogValue {
    .number((seconds * 1000).rounded() / 1000)
  }
}

extension LogValue: ExpressibleByStringLiteral {
  /// Creates a text from a literal.
  package init(stringLiteral text: String) { self = .text(text) }
}

/// One event that waits to be written.
///
/// Its texts are truncated when it is created, so that its size is bounded.
package struct LogEntry: Equatable, Sendable {
  /// The maximum size of a message or of a text in a field, in bytes of UTF-8.
  package static let textMax = 512
  /// The maximum number of fields.
  package static let fieldsMax = 16

  struct Field: Equatable, Sendable {
    var name: String
    var value: LogValue
  }

  /// Seconds since 1970, in UTC.
  let time: Double
  let level: LogLevel
  let event: LogEvent
  let message: String
  private(set) var fields: [Field]
  let key: String?

  init(
    time: Double,
    level: LogLevel,
    event: LogEvent,
    message: String,
    fields: [(String, LogValue)] = [],
    key: String? = nil
  ) {
    self.time = time
    self.level = level
    self.event = event
    self.message = Self.cut(message)
    self.fields = fields.prefix(Self.fieldsMax).map { Field(name: $0.0, value: Self.cut($0.1)) }
    self.key = key.map(Self.cut)
  }

  /// Returns the same entry with the number of similar entries that were not written.
  func standing(for count: Int) -> LogEntry {
    var entry = self
    if count > 0 { entry.fields.append(Field(name: "repeats", value: .count(count))) }
    return entry
  }

  private static func cut(_ value: LogValue) -> LogValue {
    if case .text(let text) = value { .text(cut(text)) } else { value }
  }

  /// Truncates a text to ``textMax`` bytes, including an ellipsis if it was longer.
  private static func cut(_ text: String) -> String {
    guard text.utf8.count > textMax else { return text }
    var kept = String.UnicodeScalarView()
    var bytes = 0
    for scalar in text.unicodeScalars {
      bytes += UTF8.width(scalar)
      guard bytes <= textMax - 3 else { break }
      kept.append(scalar)
    }
    return String(kept) + "\u{2026}"
  }
}
