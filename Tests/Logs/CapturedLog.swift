internal import Foundation
public import Telemetry

/// A log in a temporary file, for a test to read.
public final class CapturedLog: Sendable {
  /// A line, as a program reads it.
  public typealias Line = [String: String]

  /// What writes it.
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

  /// What is handed to those who write.
  public var log: Log { writer.log }

  /// Everything that was logged so far.
  public var text: String {
    writer.flush()
    return (try? String(contentsOf: file, encoding: .utf8)) ?? ""
  }

  /// The lines so far, with all values as text; a line that is no JSON is missing.
  public var lines: [Line] {
    text.split(separator: "\n").compactMap { line in
      let object = try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      return object?.mapValues { "\($0)" }
    }
  }

  /// The lines of an event so far.
  public func lines(of event: String) -> [Line] { lines.filter { $0["event"] == event } }
}
