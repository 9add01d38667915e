internal import Telemetry

// What a server does, apart from its sockets and its library.
extension LogEvent {
  /// The server begins to start.
  static let serverStarting = LogEvent("server.starting")
  /// The server takes connections.
  static let serverReady = LogEvent("server.ready")
  /// The server could not start.
  static let serverFailed = LogEvent("server.failed")
  /// Everything is written and the server is gone.
  static let serverStopped = LogEvent("server.stopped")
  /// An option or the system is set in a way that somebody should know of.
  static let configurationWarning = LogEvent("configuration.warning")

  /// A host changed a room.
  static let hostActed = LogEvent("host.acted", isAudited: true)
  /// A request, a connection or a member was rejected.
  static let accessRefused = LogEvent("access.refused", isAudited: true)

  /// A shared room could not be read, kept or forgotten.
  static let roomFailed = LogEvent("room.failed")
  /// Readers or their places in books could not be read or kept.
  static let placeFailed = LogEvent("place.failed")

  /// A file was announced, and there is room for it.
  static let uploadAccepted = LogEvent("upload.accepted")
  /// A file was announced that is not taken.
  static let uploadRejected = LogEvent("upload.rejected")
  /// A file that was accepted did not get in.
  static let uploadFailed = LogEvent("upload.failed")

  /// A room is being recorded.
  static let recordingStarted = LogEvent("recording.started")
  /// A recording was ended.
  static let recordingFinished = LogEvent("recording.finished")
  /// A recording ended by itself, or lost a line.
  static let recordingFailed = LogEvent("recording.failed")
}
