internal import Foundation
package import Scene

/// The first line of a recording, with the outline of its library and, for the recording of one
/// room, the facts about it.
///
/// `{"lectern":1,"drag":"covers","title":"Emma","book":"b7","recorded":1735689600,"library":[...]}`
package struct LogHeader: Equatable, Sendable {
  /// The version of the log format that this code writes and reads.
  package static let version = 1

  /// The outline of the library.
  package var library: LibraryOutline
  /// How fingers turned leaves; a recording that does not say so has the oldest
  /// rule, ``DragRule/scroll``.
  package var dragRule: DragRule
  /// The facts about a room's recording; nil for a recording of all rooms.
  package var room: Facts?

  /// The facts about a room's recording.
  package struct Facts: Equatable, Sendable {
    /// The title, usually that of the book.
    package var title: String
    /// The id of the book.
    package var book: String
    /// The time when the recording began, in Unix seconds.
    package var recorded: Double

    /// Creates the facts.
    package init(title: String, book: String, recorded: Double) {
      self.title = title
      self.book = book
      self.recorded = recorded
    }
  }

  /// Creates a header.
  package init(library: LibraryOutline, dragRule: DragRule = .covers, room: Facts? = nil) {
    self.library = library
    self.dragRule = dragRule
    self.room = room
  }

  /// The header as text, without the line break.
  package var text: String {
    var text = "{\"lectern\":\(Self.version)"
    if dragRule != .scroll { text += ",\"drag\":\"\(dragRule)\"" }
    if let room {
      text += ",\"title\":\(JSON.string(room.title)),\"book\":\(JSON.string(room.book))"
      text += ",\"recorded\":\(JSON.number(room.recorded))"
    }
    return text + ",\"library\":\(LibraryFields.text(of: library))}"
  }

  /// Decodes a header.
  /// - Throws: ``RecordingError`` if the text is not a header, or has another version.
  package init(text: some StringProtocol) throws(RecordingError) {
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
    dragRule = .scroll
    if let name = fields["drag"] {
      guard let rule = (name as? String).flatMap(DragRule.init) else {
        throw RecordingError(
          line: 1,
          reason: "\"drag\" is \(name), but must be \"covers\", \"paper\" or \"scroll\""
        )
      }
      dragRule = rule
    }
    guard fields["recorded"] != nil else { return }
    let values = LogFields(fields: fields, line: 1)
    room = Facts(
      title: try values.string("title"),
      book: try values.string("book"),
      recorded: try values.time("recorded")
    )
  }
}
