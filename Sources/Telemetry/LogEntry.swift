/// The values of an event by their names, in the order in which they are written; at most
/// ``LogEntry/fieldsMax``.
///
/// One that is nil is left out. The names `time`, `level`, `event`, `message` and `repeats` are
/// taken.
public typealias LogFields = KeyValuePairs<String, LogValue?>

/// A value in a line of the log.
public enum LogValue: Equatable, Sendable {
  /// A text from anywhere: it is escaped when it is written, and cut at ``LogEntry/textMax``.
  case text(String)
  /// A whole number.
  case count(Int)
  /// A number; one that is not finite is written as `null`.
  case number(Double)
  /// Yes or no.
  case flag(Bool)

  /// A duration in seconds, rounded to milliseconds.
  public static func seconds(_ seconds: Double) -> LogValue {
    .number((seconds * 1000).rounded() / 1000)
  }
}

extension LogValue: ExpressibleByStringLiteral {
  /// A text that stands in the code.
  public init(stringLiteral text: String) { self = .text(text) }
}

/// One event as it waits to be written.
///
/// Its texts are cut when it is made, so that what waits has a bounded size.
public struct LogEntry: Equatable, Sendable {
  /// The bytes of UTF-8 that are kept of a message or of a text in a field.
  public static let textMax = 512
  /// The fields that are kept.
  public static let fieldsMax = 16

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

  /// The same entry, which stands for others like it that were not written.
  func standing(for count: Int) -> LogEntry {
    var entry = self
    if count > 0 { entry.fields.append(Field(name: "repeats", value: .count(count))) }
    return entry
  }

  private static func cut(_ value: LogValue) -> LogValue {
    if case .text(let text) = value { .text(cut(text)) } else { value }
  }

  /// A text of at most ``textMax`` bytes, the last of which are an ellipsis if it was longer.
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
