public import Wire

/// Why a reader without a browser cannot go on.
public enum ReaderError: Error, Equatable, Sendable {
  /// The WebSocket did not open.
  case notConnected(reason: String)
  /// The server closed the WebSocket; 1006 stands for a close without a goodbye.
  case closed(code: UInt16, reason: String)
  /// What was waited for did not come within a number of seconds.
  case timedOut(waitingFor: String, seconds: Double)
  /// The server sent bytes that do not follow the table, or frames that do not follow one another.
  case malformed(WireError)
}

extension ReaderError: CustomStringConvertible {
  /// What happened, in words.
  public var description: String {
    switch self {
    case .notConnected(let reason): "the WebSocket did not open: \(reason)"
    case .closed(let code, let reason): "the server closed with \(code): \(reason)"
    case .timedOut(let what, let seconds): "\(what) did not come within \(seconds) s"
    case .malformed(let error): "the server sent what cannot be read: \(error)"
    }
  }
}
