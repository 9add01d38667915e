internal import Foundation
package import Telemetry

/// A log in a temporary file, for a test to read.
package final class CapturedLog: Sendable {
  /// The fields of a line.
  package typealias Line = [String: String]

  /// The writer of the log.
  package let writer: LogWriter
  private let file: URL

  /// Creates an empty log.
  package init(level: LogLevel = .debug, format: LogFormat = .json) throws {
    file = FileManager.default.temporaryDirectory
      .appendingPathComponent("lectern-log-\(UUID().uuidString)")
    writer = LogWriter(to: try LogFile(path: file.path), format: format, level: level)
  }

  deinit {
    writer.finish()
    try? FileManager.default.removeItem(at: file)
  }

  /// The log, for the code under test.
  package var log: Log { writer.log }

  /// All text that was logged so far.
  package var text: String {
    writer.flush()
    return (try? String(contentsOf: file, encoding: .utf8)) ?? ""
  }

  /// The lines so far, with all values as text; lines that are not JSON are left out.
  package var lines: [Line] {
    text.split(separator: "\n").compactMap { line in
      let object = try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      return object?.mapValues { "\($0)" }
    }
  }

  /// Returns the lines of an event so far.
  package func lines(of event: String) -> [Line] { lines.filter { $0["event"] == event } }
}
