internal import Foundation
public import Scene

/// The first line of a recording: what library it was made with.
public struct LogHeader: Equatable, Sendable {
  /// The version of the log that this code writes and reads.
  public static let version = 1

  /// The shapes of the library.
  public var library: LibraryOutline

  /// Creates a header.
  public init(library: LibraryOutline) { self.library = library }

  /// The header as text, without the line break.
  public var text: String {
    "{\"lectern\":\(Self.version),\"library\":\(LibraryFields.text(of: library))}"
  }

  /// Reads a header.
  /// - Throws: ``RecordingError`` when it is not one, or of another version.
  public init(text: some StringProtocol) throws(RecordingError) {
    let object = try? JSONSerialization.jsonObject(with: Data(String(text).utf8))
    guard let fields = object as? [String: Any], let version = fields["lectern"] as? Int else {
      throw RecordingError(
        line: 1,
        reason: "not a recording: the first line must be its header {\"lectern\":1,...}"
      )
    }
    guard version == Self.version else {
      throw RecordingError(
        line: 1,
        reason: "the recording's version is \(version); this program reads version 1"
      )
    }
    library = try LibraryFields.library(fields["library"], line: 1)
  }
}
