internal import Glibc

/// Writes events to a log: a value that is handed to whatever has something to report.
///
/// A call never blocks and may come from any thread. It costs nothing but a comparison if no output
/// takes the level, and otherwise a short lock; the text is rendered and written by the thread of
/// the ``LogWriter``. Nothing secret belongs in a message or a field: no key, no pass, no secret of
/// a link or a reader, no query string.
///
/// ```swift
/// log.warning(.importFailed, "The book cannot be read.", ["file": .text(path)])
/// ```
public struct Log: Sendable {
  private let queue: LogQueue?

  /// A log that discards everything.
  public static let disabled = Log(queue: nil)

  init(queue: LogQueue?) { self.queue = queue }

  /// Writes what only somebody who looks for a fault wants to know.
  public func debug(
    _ event: LogEvent,
    _ message: @autoclosure () -> String,
    _ fields: @autoclosure () -> LogFields = [:]
  ) {
    write(.debug, event, message(), fields())
  }

  /// Writes what happens in the ordinary course of things.
  public func info(
    _ event: LogEvent,
    _ message: @autoclosure () -> String,
    _ fields: @autoclosure () -> LogFields = [:]
  ) {
    write(.info, event, message(), fields())
  }

  /// Writes what went wrong for one reader, one book or one file, while the server goes on.
  public func warning(
    _ event: LogEvent,
    _ message: @autoclosure () -> String,
    _ fields: @autoclosure () -> LogFields = [:],
    collapsing key: String? = nil
  ) {
    write(.warning, event, message(), fields(), collapsing: key)
  }

  /// Writes what somebody who runs the server has to put right.
  public func error(
    _ event: LogEvent,
    _ message: @autoclosure () -> String,
    _ fields: @autoclosure () -> LogFields = [:],
    collapsing key: String? = nil
  ) {
    write(.error, event, message(), fields(), collapsing: key)
  }

  /// Whether an output takes a level.
  public func takes(_ level: LogLevel) -> Bool { queue?.takes(level, isAudited: false) ?? false }

  /// Writes an event.
  /// - Parameters:
  ///   - level: How much it matters.
  ///   - event: What happened, by its name.
  ///   - message: The same in a sentence.
  ///   - fields: The values, in the order in which they are written.
  ///   - key: What two entries have in common of which the second is not worth a line: see
  ///     ``LogRepeats``.
  public func write(
    _ level: LogLevel,
    _ event: LogEvent,
    _ message: @autoclosure () -> String,
    _ fields: @autoclosure () -> LogFields = [:],
    collapsing key: String? = nil
  ) {
    guard let queue, queue.takes(level, isAudited: event.isAudited) else { return }
    let entry = LogEntry(
      time: Self.now(),
      level: level,
      event: event,
      message: message(),
      fields: fields().compactMap { field in field.value.map { (field.key, $0) } },
      key: key
    )
    queue.put(entry)
  }

  /// The time in seconds since 1970, in UTC.
  static func now() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}

/// How much an event matters.
public enum LogLevel: String, CaseIterable, Comparable, Sendable {
  case debug
  case info
  case warning
  case error

  /// Whether an event of one level matters less than one of another.
  public static func < (one: LogLevel, other: LogLevel) -> Bool { one.rank < other.rank }

  private var rank: Int {
    switch self {
    case .debug: 0
    case .info: 1
    case .warning: 2
    case .error: 3
    }
  }
}

/// The name of something that happens, such as `import.failed`.
///
/// Each target declares its own in an extension; the article *Operations* lists all of them.
public struct LogEvent: Equatable, Sendable {
  /// Words in lower case with points between them, from the general to the special.
  public let name: String
  /// Whether it belongs in the audit, whatever level the log takes.
  public let isAudited: Bool

  /// Names an event.
  public init(_ name: String, isAudited: Bool = false) {
    self.name = name
    self.isAudited = isAudited
  }
}

extension LogEvent {
  static let linesDropped = LogEvent("log.dropped")
}
