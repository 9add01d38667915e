package import Telemetry

// The events of a server, apart from those of its sockets and its library.
extension LogEvent {
  /// The server starts.
  static let serverStarting = LogEvent("server.starting")
  /// The server accepts connections.
  static let serverReady = LogEvent("server.ready")
  /// The server could not start.
  package static let serverFailed = LogEvent("server.failed")
  /// The server has stopped and has written everything to disk.
  static let serverStopped = LogEvent("server.stopped")
  /// An option or the system is set in a way that may be dangerous.
  static let configurationWarning = LogEvent("configuration.warning")

  /// What confines the presses of this server.
  static let pressConfined = LogEvent("press.confined")

  /// The keys of the library were read again.
  static let keysRead = LogEvent("keys.read")
  /// The keys of the library could not be read again.
  static let keysFailed = LogEvent("keys.failed")

  /// A host changed a room.
  static let hostActed = LogEvent("host.acted", isAudited: true)
  /// A request, a connection or a member was rejected.
  static let accessRefused = LogEvent("access.refused", isAudited: true)

  /// An upload was accepted, and there is room for the file.
  static let uploadAccepted = LogEvent("upload.accepted")
  /// An upload was rejected.
  static let uploadRejected = LogEvent("upload.rejected")
  /// An accepted file could not be stored.
  static let uploadFailed = LogEvent("upload.failed")

  /// The recording of a room began.
  static let recordingStarted = LogEvent("recording.started")
  /// The recording of a room ended.
  static let recordingFinished = LogEvent("recording.finished")
  /// A recording ended because of a failure, or lost a line.
  static let recordingFailed = LogEvent("recording.failed")
}
