internal import Foundation
internal import Motion
internal import Scene

/// The fields of one line, with errors that name the field, its value and the expected value.
struct LogFields {
  private let fields: [String: Any]
  private let line: Int

  init(text: String, line: Int) throws(RecordingError) {
    self.line = line
    let object = try? JSONSerialization.jsonObject(with: Data(text.utf8))
    guard let fields = object as? [String: Any] else {
      let shown = text.count > 60 ? text.prefix(60) + "..." : text[...]
      throw RecordingError(
        line: line,
        reason: "\(JSON.string(String(shown))) is not a JSON object on one line"
      )
    }
    self.fields = fields
  }

  init(fields: [String: Any], line: Int) { (self.fields, self.line) = (fields, line) }

  /// The maximum distance of a time from 0, in seconds.
  ///
  /// It is beyond any clock, but small enough that sums are accurate to less than a millisecond.
  static let secondsMax = 1e11
  /// The maximum whole number, which is beyond the pages of any book.
  static let countMax = 1 << 32

  func error(_ reason: String) -> RecordingError { RecordingError(line: line, reason: reason) }

  func number(_ name: String, default value: Double? = nil) throws(RecordingError) -> Double {
    guard let field = fields[name] else {
      if let value { return value }
      throw error("\"\(name)\" is missing; it must be a number")
    }
    guard let number = field as? NSNumber, !isBoolean(number), number.nearestDouble.isFinite else {
      throw error("\"\(name)\" is \(shown(field)), but must be a number")
    }
    return number.nearestDouble
  }

  /// Returns a time, in seconds of any clock.
  func time(_ name: String) throws(RecordingError) -> Double {
    let time = try number(name)
    guard abs(time) <= Self.secondsMax else {
      throw error(
        "\"\(name)\" is \(JSON.number(time)), but must be within \(JSON.number(Self.secondsMax)) "
          + "seconds of 0"
      )
    }
    return time
  }

  func string(_ name: String) throws(RecordingError) -> String {
    guard let string = try optionalString(name) else {
      throw error("\"\(name)\" is missing; it must be a string")
    }
    return string
  }

  func optionalString(_ name: String) throws(RecordingError) -> String? {
    guard let field = fields[name] else { return nil }
    guard let string = field as? String else {
      throw error("\"\(name)\" is \(shown(field)), but must be a string")
    }
    return string
  }

  func flag(_ name: String) throws(RecordingError) -> Bool {
    guard let field = fields[name] else { return false }
    guard let number = field as? NSNumber, isBoolean(number) else {
      throw error("\"\(name)\" is \(shown(field)), but must be true or false")
    }
    return number.boolValue
  }

  func point() throws(RecordingError) -> Point { Point(x: try number("x"), y: try number("y")) }

  func bookmarks() throws(RecordingError) -> [Bookmark] {
    let wanted = "a list of {\"book\":ID,\"spread\":N,\"flat\":true or false}"
    guard let field = fields["places"] else {
      throw error("\"places\" is missing; it must be \(wanted)")
    }
    guard let list = field as? [[String: Any]] else {
      throw error("\"places\" is \(shown(field)), but must be \(wanted)")
    }
    var bookmarks: [Bookmark] = []
    for entry in list {
      guard let book = entry["book"] as? String, let spread = entry["spread"] as? Int,
        (0...Self.countMax).contains(spread)
      else { throw error("a place is \(entry), but must be of \(wanted)") }
      bookmarks.append(
        Bookmark(book: book, spread: spread, isFlat: entry["flat"] as? Bool ?? false)
      )
    }
    return bookmarks
  }

  func library() throws(RecordingError) -> LibraryOutline {
    try LibraryFields.library(fields["library"], line: line)
  }

  func optionalLibrary() throws(RecordingError) -> LibraryOutline? {
    fields["library"] == nil ? nil : try library()
  }

  func layOrder() throws(RecordingError) -> LayOrder {
    let name = try optionalString("pose") ?? "toggle"
    guard let order = LayOrder.allCases.first(where: { "\($0)" == name }) else {
      throw error("\"pose\" is \"\(name)\", but must be toggle, flat or standing")
    }
    return order
  }

  /// Returns whether the cover is the back cover.
  func isBackCover() throws(RecordingError) -> Bool {
    let name = try string("cover")
    guard name == "front" || name == "back" else {
      throw error("\"cover\" is \"\(name)\", but must be front or back")
    }
    return name == "back"
  }

  /// Returns a non-negative whole number; nil if the field is missing.
  func optionalCount(_ name: String) throws(RecordingError) -> Int? {
    guard let field = fields[name] else { return nil }
    guard let number = field as? Int, (0...Self.countMax).contains(number),
      (field as? NSNumber).map(isBoolean) != true
    else { throw error("\"\(name)\" is \(shown(field)), but must be a whole number from 0") }
    return number
  }

  func optionalCounts(_ name: String) throws(RecordingError) -> [Int]? {
    guard let field = fields[name] else { return nil }
    guard let numbers = field as? [Int], numbers.allSatisfy({ (0...Self.countMax).contains($0) })
    else {
      throw error("\"\(name)\" is \(shown(field)), but must be a list of whole numbers from 0")
    }
    return numbers
  }

  func phase() throws(RecordingError) -> GesturePhase {
    let name = try string("phase")
    guard let phase = GesturePhase.allCases.first(where: { "\($0)" == name }) else {
      throw error("\"phase\" is \"\(name)\", but must be began, changed, ended or cancelled")
    }
    return phase
  }

  private func isBoolean(_ number: NSNumber) -> Bool {
    // Foundation decodes true and 1 to the same class; only the C type distinguishes them.
    String(cString: number.objCType) == "c" || String(cString: number.objCType) == "B"
  }

  private func shown(_ field: Any) -> String {
    if field is NSNull { return "null" }
    if let number = field as? NSNumber, isBoolean(number) { return "\(number.boolValue)" }
    let text = (field as? String).map { JSON.string($0) } ?? "\(field)"
    return text.utf8.count > 200 ? text.prefix(100) + "..." : text
  }
}

extension NSNumber {
  /// The Double nearest to the number as written.
  ///
  /// Foundation decodes numbers with many digits as exact decimals, but converts them to Double
  /// with multiplications that lose the last bits. A replay would then differ from the recording.
  var nearestDouble: Double {
    guard let decimal = self as? NSDecimalNumber else { return doubleValue }
    return Double(decimal.stringValue) ?? doubleValue
  }
}
