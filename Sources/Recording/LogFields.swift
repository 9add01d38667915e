internal import Foundation
internal import Geometry
internal import Scene

/// The fields of one line, with errors that name the field, its value and what is wanted.
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

  func place() throws(RecordingError) -> Point {
    Point(x: try number("x"), y: try number("y"))
  }

  func bookPlaces() throws(RecordingError) -> [[Int]] {
    guard let field = fields["places"] else {
      throw error("\"places\" is missing; it must be a list of [collection, book, spread]")
    }
    guard let places = field as? [[Int]], places.allSatisfy({ $0.count == 3 && $0.min() ?? 0 >= 0 })
    else {
      throw error("\"places\" is \(shown(field)), but must be a list of [collection, book, spread]")
    }
    return places
  }

  func phase() throws(RecordingError) -> GesturePhase {
    let name = try string("phase")
    guard let phase = GesturePhase.allCases.first(where: { "\($0)" == name }) else {
      throw error("\"phase\" is \"\(name)\", but must be began, changed, ended or cancelled")
    }
    return phase
  }

  private func isBoolean(_ number: NSNumber) -> Bool {
    // Foundation reads true and 1 as the same class; only its C type tells them apart.
    String(cString: number.objCType) == "c" || String(cString: number.objCType) == "B"
  }

  private func shown(_ field: Any) -> String {
    if field is NSNull { return "null" }
    if let number = field as? NSNumber, isBoolean(number) { return "\(number.boolValue)" }
    return (field as? String).map { JSON.string($0) } ?? "\(field)"
  }
}

extension NSNumber {
  /// The Double nearest to what was written.
  ///
  /// Foundation reads numbers of many digits as decimals, exactly, but makes a Double of one by
  /// multiplications that lose its last bits; a replay would then not be what was recorded.
  var nearestDouble: Double {
    guard let decimal = self as? NSDecimalNumber else { return doubleValue }
    return Double(decimal.stringValue) ?? doubleValue
  }
}
