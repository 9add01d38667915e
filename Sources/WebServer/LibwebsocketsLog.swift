internal import CLibwebsockets
internal import Synchronization
internal import Telemetry

/// The lines of libwebsockets, which has one log for the whole process: they go to the log of the
/// server that was made last.
enum LibwebsocketsLog {
  private static let log = Mutex(Log.disabled)

  /// Sends the lines to a log: errors and warnings under those levels, notices as `debug`.
  static func send(to log: Log) {
    self.log.withLock { $0 = log }
    let levels: [(LogLevel, Int32)] = [
      (.error, LLL_ERR), (.warning, LLL_WARN), (.debug, LLL_NOTICE),
    ]
    let mask = levels.reduce(0) { log.takes($1.0) ? $0 | $1.1 : $0 }
    lws_set_log_level(mask, logCallback)
  }

  fileprivate static func write(_ level: Int32, _ line: String) {
    let log = log.withLock { $0 }
    let text = withoutQueries(line)
    switch level {
    case LLL_ERR: log.error(.libwebsockets, text, collapsing: text)
    case LLL_WARN: log.warning(.libwebsockets, text, collapsing: text)
    default: log.debug(.libwebsockets, text)
    }
  }

  /// A line of libwebsockets without its end and without what stands after a `?`: an address may
  /// have a pass in its query.
  static func withoutQueries(_ line: String) -> String {
    line.split(separator: " ", omittingEmptySubsequences: false)
      .map { word in
        word.firstIndex(of: "?").map { word[...$0] + "..." } ?? word
      }
      .joined(separator: " ")
      .trimmingNewlines
  }
}

extension String {
  fileprivate var trimmingNewlines: String {
    var text = self[...]
    while text.last?.isNewline == true { text.removeLast() }
    return String(text)
  }
}

extension LogEvent {
  /// What libwebsockets has to say.
  static let libwebsockets = LogEvent("libwebsockets")
  /// The server begins to stop.
  static let serverStopping = LogEvent("server.stopping")
  /// No connection can be accepted for a moment.
  static let serverExhausted = LogEvent("server.exhausted")
  /// A message became too large to be sent.
  static let messageOversized = LogEvent("message.oversized")
}

// At file scope, so that it belongs to no actor: it is called on whatever thread logs.
private nonisolated func logCallback(_ level: Int32, _ line: UnsafePointer<CChar>?) {
  if let line { LibwebsocketsLog.write(level, String(cString: line)) }
}
