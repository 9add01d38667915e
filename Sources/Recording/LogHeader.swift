internal import Foundation
public import Scene

/// The first line of a recording: what library it was made with and, of one room's, what it is.
///
/// `{"lectern":1,"title":"Emma","book":"b7","recorded":1735689600.5,"library":[...]}`
public struct LogHeader: Equatable, Sendable {
  /// The version of the log that this code writes and reads.
  public static let version = 1

  /// The shapes of the library.
  public var library: LibraryOutline
  /// What a room's recording is; nil for one of all rooms.
  public var room: RoomFacts?

  /// What a room's recording is.
  public struct RoomFacts: Equatable, Sendable {
    /// What it is called: the book's title, as a rule.
    public var title: String
    /// The id of the book that is read.
    public var book: String
    /// When it was begun, in Unix seconds.
    public var recorded: Double

    /// Creates the facts.
    public init(title: String, book: String, recorded: Double) {
      self.title = title
      self.book = book
      self.recorded = recorded
    }
  }

  /// Creates a header.
  public init(library: LibraryOutline, room: RoomFacts? = nil) {
    self.library = library
    self.room = room
  }

  /// The header as text, without the line break.
  public var text: String {
    var text = "{\"lectern\":\(Self.version)"
    if let room {
      text += ",\"title\":\(JSON.string(room.title)),\"book\":\(JSON.string(room.book))"
      text += ",\"recorded\":\(JSON.number(room.recorded))"
    }
    return text + ",\"library\":\(LibraryFields.text(of: library))}"
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
    guard fields["recorded"] != nil else { return }
    let values = LogFields(fields: fields, line: 1)
    room = RoomFacts(
      title: try values.string("title"),
      book: try values.string("book"),
      recorded: try values.time("recorded")
    )
  }
}
