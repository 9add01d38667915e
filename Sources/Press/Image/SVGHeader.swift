internal import PressProtocol

/// Reads the size from the root element of an SVG document.
enum SVGHeader {
  static func size(_ bytes: [UInt8]) throws(ImageFault) -> (width: Double, height: Double) {
    let root = try rootAttributes(bytes)
    let width = root["width"].flatMap(length)
    let height = root["height"].flatMap(length)
    if let width, let height { return (width, height) }
    guard let box = root["viewBox"].flatMap(numbers), box.count == 4, box[2] > 0, box[3] > 0 else {
      throw .sizeless(.svg)
    }
    if let width { return (width, width * box[3] / box[2]) }
    if let height { return (height * box[2] / box[3], height) }
    return (box[2], box[3])
  }

  /// Returns a length in pixels; `nil` for percentages, which need a container.
  static func length(_ text: String) -> Double? {
    let trimmed = text.filter { !$0.isWhitespace }.lowercased()
    let units: [(String, Double)] = [
      ("px", 1), ("pt", 4.0 / 3), ("pc", 16), ("in", 96), ("cm", 96 / 2.54), ("mm", 96 / 25.4),
      ("em", 16), ("", 1),
    ]
    for (unit, factor) in units where trimmed.hasSuffix(unit) {
      guard let number = Double(trimmed.dropLast(unit.count)) else { continue }
      return number.isFinite && number > 0 ? number * factor : nil
    }
    return nil
  }

  private static func numbers(_ text: String) -> [Double]? {
    let parts = text.split { $0 == "," || $0.isWhitespace }.map { Double($0) }
    let found = parts.compactMap { $0 }.filter(\.isFinite)
    return found.count == parts.count ? found : nil
  }

  private static func rootAttributes(_ bytes: [UInt8]) throws(ImageFault) -> [String: String] {
    var scanner = MarkupScanner(bytes)
    scanner.skip([0xEF, 0xBB, 0xBF])
    while true {
      scanner.skipSpaces()
      if scanner.skip(Array("<?".utf8)) {
        guard scanner.skip(through: Array("?>".utf8)) else { throw .truncated(.svg) }
      } else if scanner.skip(Array("<!--".utf8)) {
        guard scanner.skip(through: Array("-->".utf8)) else { throw .truncated(.svg) }
      } else if scanner.skip(Array("<!".utf8)) {
        guard scanner.skipDeclaration() else { throw .truncated(.svg) }
      } else {
        break
      }
    }
    guard scanner.skip([UInt8(ascii: "<")]) else { throw .unknownFormat }
    guard scanner.name().split(separator: ":").last == "svg" else { throw .unknownFormat }
    var attributes: [String: String] = [:]
    while true {
      scanner.skipSpaces()
      guard !scanner.isAtEnd else { throw .truncated(.svg) }
      if scanner.skip([UInt8(ascii: ">")]) || scanner.skip(Array("/>".utf8)) { return attributes }
      let name = scanner.name()
      guard !name.isEmpty, let value = scanner.value() else { throw .damaged(.svg) }
      attributes[name] = value
    }
  }
}

/// Scans the bytes of a markup text; it never reads beyond the end and always advances.
struct MarkupScanner {
  private let bytes: [UInt8]
  private var position = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  var isAtEnd: Bool { position >= bytes.count }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || (0x09...0x0D).contains(byte)
  }

  mutating func skipSpaces() {
    while position < bytes.count, Self.isSpace(bytes[position]) { position += 1 }
  }

  @discardableResult
  mutating func skip(_ expected: [UInt8]) -> Bool {
    guard bytes[position...].starts(with: expected) else { return false }
    position += expected.count
    return true
  }

  mutating func skip(through end: [UInt8]) -> Bool {
    while position < bytes.count {
      if skip(end) { return true }
      position += 1
    }
    return false
  }

  /// Skips a document type declaration with its internal subset, which may contain `>`.
  mutating func skipDeclaration() -> Bool {
    var depth = 0
    while position < bytes.count {
      let byte = bytes[position]
      position += 1
      switch byte {
      case UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "]"): depth -= 1
      case UInt8(ascii: ">") where depth <= 0: return true
      default: break
      }
    }
    return false
  }

  mutating func name() -> String {
    let start = position
    while position < bytes.count, !Self.isSpace(bytes[position]),
      !"=/<>\"'".utf8.contains(bytes[position])
    { position += 1 }
    return String(decoding: bytes[start..<position], as: UTF8.self)
  }

  /// Returns the quoted value after an equals sign.
  mutating func value() -> String? {
    skipSpaces()
    guard skip([UInt8(ascii: "=")]) else { return nil }
    skipSpaces()
    guard position < bytes.count, "\"'".utf8.contains(bytes[position]) else { return nil }
    let quote = bytes[position]
    guard let end = bytes[(position + 1)...].firstIndex(of: quote) else { return nil }
    defer { position = end + 1 }
    return String(decoding: bytes[position + 1..<end], as: UTF8.self)
  }
}
