internal import CLibwebsockets
internal import Synchronization

/// Where the warnings and errors of libwebsockets go: nowhere, unless somebody wants them.
public enum ServerLog {
  private static let receiver = Mutex<(@Sendable (String) -> Void)?>(nil)

  /// Sends warnings and errors, one line each, to a function that may be called on any thread; nil
  /// for silence.
  ///
  /// For the whole process, since libwebsockets has one log.
  public static func receive(_ function: (@Sendable (String) -> Void)?) {
    receiver.withLock { $0 = function }
    applyLevel()
  }

  static func applyLevel() {
    let isWanted = receiver.withLock { $0 != nil }
    lws_set_log_level(isWanted ? Int32(LLL_ERR | LLL_WARN) : 0, logCallback)
  }

  static func write(_ line: String) {
    let function = receiver.withLock { $0 }
    function?(line.last == "\n" ? String(line.dropLast()) : line)
  }
}

// At file scope, so that it belongs to no actor: it is called on whatever thread logs.
private nonisolated func logCallback(_ level: Int32, _ line: UnsafePointer<CChar>?) {
  if let line { ServerLog.write(String(cString: line)) }
}
