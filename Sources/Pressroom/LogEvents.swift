internal import Telemetry

// The log events of presses.
extension LogEvent {
  /// A press ended unexpectedly.
  static let pressCrashed = LogEvent("press.crashed")
  /// The server killed a press that took too long, answered too much or broke its protocol.
  static let pressKilled = LogEvent("press.killed")
  /// No press can be started.
  static let pressFailed = LogEvent("press.failed")
  /// A press could not confine itself and opens no document.
  static let pressUnconfined = LogEvent("press.unconfined")
}
