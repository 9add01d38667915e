internal import Foundation
public import Telemetry

/// A log in a temporary file, for a test to read.
public final class CapturedLog: Sendable {
  /// The fields of a line.
  public typealias Line = [String: String]

  /// The writer of the log.
  public let writer: LogWriter
  private let file: URL

  /// Creates an empty log.
  public init(level: LogLevel = .debug, format: LogFormat = .json) throws {
    file = FileManager.default.temporaryDirectory
      .appendingPathComponent("lectern-log-\(UUID().uuidString)")
    writer = LogWriter(to: try LogFile(path: file.path), format: format, level: level)
  }

  deinit {
    writer.finish()
    try? FileManager.default.removeItem(at: file)
  }

  /// The log, for the code under test.
  public var log: Log { writer.log }

  /// All text that was logged so far.
  public var text: String {
    writer.flush()
    return (try? String(contentsOf: file, encoding: .utf8)) ?? ""
  }

  /// The lines so far, with all values as text; lines that are not JSON are left out.
  public var lines: [Line] {
    text.split(separator: "\n").compactMap { line in
      let object = try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      return object?.mapValues { "\($0)" }
    }
  }

  /// Returns the lines of an event so far.
  public func lines(of event: String) -> [Line] { lines.filter { $0["event"] == event } }
}
