package import Wire

/// A reason that a headless reader cannot continue.
package enum ReaderError: Error, Equatable, Sendable {
  /// The WebSocket did not open.
  case notConnected(reason: String)
  /// The server closed the WebSocket; 1006 means without a close frame.
  case closed(code: UInt16, reason: String)
  /// Something did not happen within a number of seconds.
  case timedOut(waitingFor: String, seconds: Double)
  /// The server sent bytes that violate the protocol, or frames out of sequence.
  case malformed(WireError)
}

extension ReaderError: CustomStringConvertible {
  /// The description of the error.
  package var description: String {
    switch self {
    case .notConnected(let reason): "the WebSocket did not open: \(reason)"
    case .closed(let code, let reason): "the server closed with \(code): \(reason)"
    case .timedOut(let what, let seconds): "\(what) did not come within \(seconds) s"
    case .malformed(let error): "the server sent an invalid message: \(error)"
    }
  }
}
