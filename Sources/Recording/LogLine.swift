internal import Foundation
internal import Motion
package import Scene

/// One line of an input log: the opening of a room, an input, or the time of a frame that was sent.
///
/// The log is NDJSON, with one object per line. Times are seconds from any origin and never
/// decrease; positions of fingers are stage points from the centre of the stage.
///
/// ```
/// {"t":1,"room":"ABC","event":"opened","places":[{"book":"b7","spread":5,"flat":true}]}
/// {"t":1,"room":"ABC","event":"frame"}
/// {"t":2.5,"room":"ABC","input":"key","key":"Enter"}
/// ```
///
/// A room that opens shows the list of collections, regardless of what a room of the same name
/// showed before. Its places state where its books were left: the id, the spread counted from 0,
/// and the pose of each. A room without an opening line starts with every book at its beginning. An
/// event "library" replaces the room's library, in the form of the header; an opening can also
/// contain a library. An input "images" states which pages the presenter can show, so that leaves
/// wait in a replay as they did in the room.
///
/// The recording of one room can begin in the middle of a session: lines before the event "began"
/// restore the state and were not seen by anybody. The event "ended" is the last line.
package struct LogLine: Equatable, Sendable {
  /// The content of a line.
  package enum Event: Equatable, Sendable {
    /// A room was created, with the places of its books, and with a library if it differs from that
    /// of the header.
    case opened(bookmarks: [Bookmark], library: LibraryOutline? = nil)
    /// The room's library was replaced, or its order changed.
    case library(LibraryOutline)
    /// An input of a member.
    case input(Input)
    /// A frame was sent for the time of the line.
    case frame
    /// The recording begins here.
    case began
    /// The recording ends here.
    case ended
  }

  /// The time of the event, in seconds.
  package var time: Double
  /// The room; nil in logs written by hand.
  package var room: String?
  /// The event.
  package var event: Event

  /// Creates a line.
  package init(time: Double, room: String? = nil, event: Event) {
    (self.time, self.room, self.event) = (time, room, event)
  }

  /// The line as text, without the line break.
  package var text: String {
    var fields = "{\"t\":\(JSON.number(time))"
    if let room { fields += ",\"room\":\(JSON.string(room))" }
    switch event {
    case .opened(let bookmarks, let library):
      let list = bookmarks.map { mark in
        "{\"book\":\(JSON.string(mark.book)),\"spread\":\(mark.spread),\"flat\":\(mark.isFlat)}"
      }
      fields += ",\"event\":\"opened\",\"places\":[" + list.joined(separator: ",") + "]"
      if let library { fields += ",\"library\":\(LibraryFields.text(of: library))" }
    case .library(let library):
      fields += ",\"event\":\"library\",\"library\":\(LibraryFields.text(of: library))"
    case .frame: fields += ",\"event\":\"frame\""
    case .began: fields += ",\"event\":\"began\""
    case .ended: fields += ",\"event\":\"ended\""
    case .input(let input): fields += Self.fields(of: input)
    }
    return fields + "}"
  }

  private static func fields(of input: Input) -> String {
    func text(_ point: Point) -> String {
      ",\"x\":\(JSON.number(point.x)),\"y\":\(JSON.number(point.y))"
    }
    switch input {
    case .settle: return ",\"input\":\"settle\""
    case .tap(let point): return ",\"input\":\"tap\"" + text(point)
    case .touch(let point): return ",\"input\":\"touch\"" + text(point)
    case .pan(let phase, let point):
      return ",\"input\":\"pan\",\"phase\":\"\(phase)\"" + text(point)
    case .pinch(let phase, let scale, let point):
      return ",\"input\":\"pinch\",\"phase\":\"\(phase)\",\"scale\":\(JSON.number(scale))"
        + text(point)
    case .key(let key): return ",\"input\":\"key\",\"key\":\"\(key.name)\""
    case .wheel(let dx, let dy, let ctrl):
      return
        ",\"input\":\"wheel\",\"dx\":\(JSON.number(dx)),\"dy\":\(JSON.number(dy)),\"ctrl\":\(ctrl)"
    case .lay(let order): return ",\"input\":\"lay\",\"pose\":\"\(order)\""
    case .close(let onBack):
      return ",\"input\":\"close\",\"cover\":\"\(onBack ? "back" : "front")\""
    case .jump(let page): return ",\"input\":\"jump\",\"page\":\(page)"
    case .go(let book, let opens, let page):
      return ",\"input\":\"go\",\"book\":\(JSON.string(book)),\"open\":\(opens)"
        + (page.map { ",\"page\":\($0)" } ?? "")
    case .images(let ready):
      let list = ready.map { $0.map(String.init).joined(separator: ",") }
      return ",\"input\":\"images\"" + (list.map { ",\"ready\":[\($0)]" } ?? "")
    }
  }
}

extension Key {
  /// The key's name as in the DOM, for example "ArrowRight" or "f".
  package var name: String {
    switch self {
    case .keyF: return "f"
    case .plus: return "+"
    case .minus: return "-"
    case .zero: return "0"
    default:
      let name = "\(self)"
      return name.prefix(1).uppercased() + name.dropFirst()
    }
  }

  /// Creates a key from its DOM name, where "F" and "KeyF" also mean "f"; nil for an unused key.
  package init?(name: String) {
    let name = name == "F" || name == "KeyF" ? "f" : name
    guard let key = Key.allCases.first(where: { $0.name == name }) else { return nil }
    self = key
  }
}

extension LogLine {
  /// Creates a line from its text; nil for an unused key, which is ignored.
  ///
  /// - Parameters:
  ///   - text: One JSON object; unknown fields are ignored.
  ///   - number: The number of the line, for errors.
  /// - Throws: ``RecordingError`` with the field and its value.
  package init?(text: some StringProtocol, number: Int) throws(RecordingError) {
    let fields = try LogFields(text: String(text), line: number)
    time = try fields.time("t")
    room = try fields.optionalString("room")
    switch try fields.optionalString("event") {
    case "opened":
      let bookmarks = try fields.bookmarks()
      event = .opened(bookmarks: bookmarks, library: try fields.optionalLibrary())
      return
    case "library":
      event = .library(try fields.library())
      return
    case "frame":
      event = .frame
      return
    case "began":
      event = .began
      return
    case "ended":
      event = .ended
      return
    default: break
    }
    guard let input = try Self.input(fields) else { return nil }
    event = .input(input)
  }

  private static func input(_ fields: LogFields) throws(RecordingError) -> Input? {
    switch try fields.string("input") {
    case "settle": return .settle
    case "tap": return .tap(try fields.point())
    case "touch": return .touch(try fields.point())
    case "pan": return .pan(try fields.phase(), try fields.point())
    case "pinch":
      let scale = try fields.number("scale")
      guard scale > 0 else {
        throw fields.error("\"scale\" is \(JSON.number(scale)), but must be above 0")
      }
      return .pinch(try fields.phase(), scale: scale, try fields.point())
    case "key":
      let name = try fields.string("key")
      return Key(name: name).map { .key($0) }
    case "wheel":
      return .wheel(
        dx: try fields.number("dx", default: 0),
        dy: try fields.number("dy", default: 0),
        ctrl: try fields.flag("ctrl")
      )
    case "lay": return .lay(try fields.layOrder())
    case "close": return .close(onBack: try fields.isBackCover())
    case "jump":
      guard let page = try fields.optionalCount("page") else {
        throw fields.error("\"page\" is missing; it must be a whole number from 0")
      }
      return .jump(page: page)
    case "go":
      let book = try fields.string("book")
      let opens = try fields.flag("open")
      return .go(book: book, opens: opens, page: try fields.optionalCount("page"))
    case "images": return .images(ready: try fields.optionalCounts("ready"))
    case let other:
      throw fields.error(
        "\"input\" is \"\(other)\", but must be tap, touch, pan, pinch, key, wheel, lay, "
          + "close, jump, go, images or settle"
      )
    }
  }
}
