internal import CLibwebsockets
internal import Synchronization
internal import Telemetry

/// Redirects the log of libwebsockets, which is global to the process, to the log of the newest
/// server.
enum LibwebsocketsLog {
  private static let log = Mutex(Log.disabled)

  /// Redirects messages to a log: errors and warnings at these levels, notices as `debug`.
  static func send(to log: Log) {
    self.log.withLock { $0 = log }
    let levels: [(LogLevel, Int32)] = [
      (.error, LLL_ERR), (.warning, LLL_WARN), (.debug, LLL_NOTICE),
    ]
    let mask = levels.reduce(0) { log.accepts($1.0) ? $0 | $1.1 : $0 }
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

  /// Returns a message of libwebsockets without its line end and without query strings, because an
  /// address may contain a pass.
  static func withoutQueries(_ line: String) -> String {
    line.split(separator: " ", omittingEmptySubsequences: false)
      .map { word in word.firstIndex(of: "?").map { word[...$0] + "..." } ?? word }
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
  /// A message of libwebsockets.
  static let libwebsockets = LogEvent("libwebsockets")
  /// A proxy that is not trusted reports its clients.
  static let proxyIgnored = LogEvent("proxy.ignored")
  /// The server begins to stop.
  static let serverStopping = LogEvent("server.stopping")
  /// The server cannot accept connections for a moment.
  static let serverExhausted = LogEvent("server.exhausted")
  /// A message was too large to be sent.
  static let messageOversized = LogEvent("message.oversized")
}

// At file scope, so that it belongs to no actor: it is called on any thread.
private nonisolated func logCallback(_ level: Int32, _ line: UnsafePointer<CChar>?) {
  if let line { LibwebsocketsLog.write(level, String(cString: line)) }
}
