internal import Notices
internal import Scene

// What pages turn into words: messages to people, and pages of a book.

extension [UInt8] {
  mutating func appendNotice(_ notice: Notice) {
    appendString(notice.code.rawValue)
    append(UInt8(clamping: notice.values.count))
    for (name, value) in notice.ordered.prefix(Int(UInt8.max)) {
      appendString(name)
      switch value {
      case .number(let number):
        append(0)
        appendDouble(Double(number))
      case .text(let text):
        append(1)
        appendString(text)
      }
    }
  }

  mutating func appendRange(_ range: PageRange) {
    let labels = range.labels.prefix(Int(UInt8.max))
    append(UInt8(labels.count))
    for label in labels { appendString(label) }
    appendString(range.total)
  }
}

extension ByteReader {
  /// Reads a message to a person; one with an unknown code says its code.
  mutating func notice() throws(WireError) -> Notice {
    let name = try string("code")
    var values: [String: Notice.Value] = [:]
    for _ in 0..<(try uint8("values")) {
      let name = try string("name")
      let kind = try flags("kind", known: 1)
      values[name] =
        kind == 0
        ? .number(Int(clamping: Int64(exactly: try double("value").rounded()) ?? 0))
        : .text(try string("value"))
    }
    guard let code = Notice.Code(rawValue: name) else {
      return Notice(.other, ["reason": .text(name)])
    }
    return Notice(code, values)
  }

  /// Reads the pages of a spread.
  mutating func range() throws(WireError) -> PageRange {
    var range = PageRange()
    for _ in 0..<(try uint8("labels")) { range.labels.append(try string("label")) }
    range.total = try string("total")
    return range
  }
}
