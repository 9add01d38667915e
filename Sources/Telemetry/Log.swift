internal import Glibc

/// Writes events to a log; a value that is passed to every component that reports events.
///
/// A call never blocks and can come from any thread. If no output accepts the level, it costs only
/// a comparison, otherwise a short lock; the thread of the ``LogWriter`` formats and writes the
/// text. Messages and fields must not contain secrets: no key, no pass, no secret of a link or a
/// reader, no query string.
///
/// ```swift
/// log.warning(.importFailed, "The book cannot be read.", ["file": .text(path)])
/// ```
package struct Log: Sendable {
  private let queue: LogQueue?

  /// A log that discards everything.
  package static let disabled = Log(queue: nil)

  init(queue: LogQueue?) { self.queue = queue }

  /// Writes a detail that helps to find a fault.
  package func debug(
    _ event: LogEvent,
    _ message: @autoclosure () -> String,
    _ fields: @autoclosure () -> LogFields = [:]
  ) { write(.debug, event, message(), fields()) }

  /// Writes an event of normal operation.
  package func info(
    _ event: LogEvent,
    _ message: @autoclosure () -> String,
    _ fields: @autoclosure () -> LogFields = [:]
  ) { write(.info, event, message(), fields()) }

  /// Writes a failure for one reader, book or file, while the server continues.
  package func warning(
    _ event: LogEvent,
    _ message: @autoclosure () -> String,
    _ fields: @autoclosure () -> LogFields = [:],
    collapsing key: String? = nil
  ) { write(.warning, event, message(), fields(), collapsing: key) }

  /// Writes a failure that needs the operator's attention.
  package func error(
    _ event: LogEvent,
    _ message: @autoclosure () -> String,
    _ fields: @autoclosure () -> LogFields = [:],
    collapsing key: String? = nil
  ) { write(.error, event, message(), fields(), collapsing: key) }

  /// Whether an output accepts a level.
  package func accepts(_ level: LogLevel) -> Bool {
    queue?.accepts(level, isAudited: false) ?? false
  }

  /// Writes an event.
  /// - Parameters:
  ///   - level: The severity.
  ///   - event: The name of the event.
  ///   - message: A sentence that describes it.
  ///   - fields: The values, in the order in which they are written.
  ///   - key: Identifies similar entries, which are not all written; see ``LogRepeats``.
  package func write(
    _ level: LogLevel,
    _ event: LogEvent,
    _ message: @autoclosure () -> String,
    _ fields: @autoclosure () -> LogFields = [:],
    collapsing key: String? = nil
  ) {
    guard let entry = entry(level, event, message(), fields(), collapsing: key) else { return }
    queue?.put(entry)
  }

  /// Returns an event as the outputs get it; nil if none of them accepts it.
  func entry(
    _ level: LogLevel,
    _ event: LogEvent,
    _ message: @autoclosure () -> String,
    _ fields: @autoclosure () -> LogFields = [:],
    collapsing key: String? = nil
  ) -> LogEntry? {
    guard let queue, queue.accepts(level, isAudited: event.isAudited) else { return nil }
    return LogEntry(
      time: Self.now(),
      level: level,
      event: event,
      message: message(),
      fields: fields().compactMap { field in field.value.map { (field.key, $0) } },
      key: key
    )
  }

  /// The time in seconds since 1970, in UTC.
  static func now() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}

/// The severity of an event.
package enum LogLevel: String, CaseIterable, Comparable, Sendable {
  case debug
  case info
  case warning
  case error

  /// Whether one level is less severe than another.
  package static func < (one: LogLevel, other: LogLevel) -> Bool { one.rank < other.rank }

  private var rank: Int {
    switch self {
    case .debug: 0
    case .info: 1
    case .warning: 2
    case .error: 3
    }
  }
}

/// The name of an event, such as `import.failed`.
///
/// Each target declares its own in an extension; the article *Operations* lists all of them.
package struct LogEvent: Equatable, Sendable {
  /// Lower-case words separated by points, from general to specific.
  package let name: String
  /// Whether it belongs in the audit log, at any level.
  package let isAudited: Bool

  /// Creates an event.
  package init(_ name: String, isAudited: Bool = false) {
    (self.name, self.isAudited) = (name, isAudited)
  }

  static let linesDropped = LogEvent("log.dropped")
}
