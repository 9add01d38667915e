package import Telemetry

/// The options of a server's log: what it contains, where and in which format.
package struct LogOptions: Equatable, Sendable {
  /// The format of the lines.
  package var format = LogFormat.text
  /// The lowest level that is written.
  package var level = LogLevel.info
  /// The file for the audit, which lists the actions of hosts and rejected requests; nil for one in
  /// the data folder, if there is one; `-` for the log only.
  package var audit: String?

  /// Creates options for readable lines of the level `info` and above.
  package init() {}
}
