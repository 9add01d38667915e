internal import Foundation
internal import Glibc
internal import Synchronization

/// The thread that writes a log to the standard error and its audited events to a file.
///
/// Keep it as long as events may be logged, and call ``finish()`` at the end. Any thread can use
/// it.
///
/// ```swift
/// let writer = LogWriter(to: LogFile(descriptor: STDERR_FILENO), level: .info)
/// try writer.openAudit(in: LogFile(path: "audit.ndjson"))
/// writer.log.info(.serverReady, "The server is ready.", ["port": .count(8080)])
/// writer.finish()
/// ```
package final class LogWriter: Sendable {
  /// The maximum wait for the last lines at the end, in seconds; nobody may be reading them.
  private static let patience = 2.0

  /// The log, which is passed to every component that reports events.
  package let log: Log
  private let queue: LogQueue

  /// Starts the thread.
  /// - Parameters:
  ///   - file: The output; nil for the audit log only.
  ///   - format: The format. The audit log is always JSON.
  ///   - level: The lowest level that is written.
  ///   - showsAudit: Whether audited events are written to `file` at any level.
  ///   - capacity: The maximum number of waiting entries; further entries are dropped and counted,
  ///     and a line reports their number.
  package init(
    to file: LogFile?,
    format: LogFormat = .text,
    level: LogLevel = .info,
    showsAudit: Bool = false,
    capacity: Int = 2048
  ) {
    queue = LogQueue(
      level: file == nil ? nil : level,
      acceptsAudited: showsAudit,
      capacity: capacity
    )
    log = Log(queue: queue)
    let thread = Thread { [queue] in
      var pen = LogPen(file: file, format: format, level: level, showsAudit: showsAudit)
      while true {
        let batch = queue.drain()
        pen.write(batch)
        if batch.isLast { break }
      }
      queue.noteEnd()
    }
    thread.name = "log"
    // This thread handles no signals: those that stop a server are handled elsewhere, and a broken
    // pipe shows as an error.
    var all = sigset_t()
    var before = sigset_t()
    sigfillset(&all)
    pthread_sigmask(SIG_BLOCK, &all, &before)
    thread.start()
    pthread_sigmask(SIG_SETMASK, &before, nil)
  }

  deinit { queue.end() }

  /// From now on also writes audited events to a file.
  package func openAudit(in file: LogFile) { queue.put(file) }

  /// The number of entries dropped so far because the queue was full.
  package var droppedCount: UInt64 { queue.dropped.load(ordering: .relaxed) }

  /// Waits until everything logged so far is written, or until the outputs accept no more lines.
  /// - Returns: Whether everything was written in time.
  @discardableResult
  package func flush() -> Bool { queue.drain(seconds: Self.patience) }

  /// Writes an error as the last line and ends the thread; later events are dropped.
  ///
  /// Nothing follows the reason why a program ends: neither events of other threads nor the
  /// summaries of repeated ones.
  package func finish(with event: LogEvent, _ message: String) {
    queue.end(with: log.entry(.error, event, message))
    flush()
  }

  /// Writes the last lines and ends the thread; later events are dropped.
  package func finish() {
    queue.end()
    flush()
  }
}

/// The state of the log's thread: its outputs, and the repeated entries.
private struct LogPen {
  let file: LogFile?
  let format: LogFormat
  let level: LogLevel
  let showsAudit: Bool
  private var audits: [LogFile] = []
  private var repeats = LogRepeats()

  init(file: LogFile?, format: LogFormat, level: LogLevel, showsAudit: Bool) {
    (self.file, self.format, self.level, self.showsAudit) = (file, format, level, showsAudit)
  }

  mutating func write(_ batch: LogQueue.Batch) {
    audits += batch.audits
    for entry in batch.entries { repeats.admit(entry).forEach(write) }
    if batch.dropped > 0 {
      write(
        LogEntry(
          time: Log.now(),
          level: .warning,
          event: .linesDropped,
          message: "Lines were dropped because the queue was full.",
          fields: [("lines", .count(batch.dropped))]
        )
      )
    }
    if batch.isLast { repeats.drainRest().forEach(write) }
    if let last = batch.last { write(last) }
  }

  private func write(_ entry: LogEntry) {
    if entry.level >= level || showsAudit && entry.event.isAudited {
      _ = file?.write(format.line(entry))
    }
    guard entry.event.isAudited, !audits.isEmpty else { return }
    let line = LogFormat.json.line(entry)
    for audit in audits { _ = audit.write(line) }
  }
}
