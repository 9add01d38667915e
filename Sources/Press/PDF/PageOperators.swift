/// The operators of a page, read one after another (ISO 32000-1, section 7.8.2).
struct PageOperators {
  enum Operand: Equatable {
    case number(Double)
    case name(String)
    /// A string, an array's bracket, a dictionary.
    case other
  }

  private let bytes: [UInt8]
  private var position = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// The maximum number of operands that are kept of one operator.
  private static let operandsMax = 32

  /// Returns the next operator with its operands; nil at the end.
  mutating func next() -> (name: String, operands: [Operand])? {
    var operands: [Operand] = []
    func keep(_ operand: Operand) {
      if operands.count < Self.operandsMax { operands.append(operand) }
    }
    while position < bytes.count {
      switch bytes[position] {
      case 0, 9, 10, 12, 13, 32: position += 1
      case UInt8(ascii: "%"):
        while position < bytes.count, bytes[position] != 10, bytes[position] != 13 { position += 1 }
      case UInt8(ascii: "("):
        skipString()
        keep(.other)
      case UInt8(ascii: "<"):
        skipHex()
        keep(.other)
      case UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: ">"), UInt8(ascii: "{"),
        UInt8(ascii: "}"), UInt8(ascii: ")"):
        position += 1
        keep(.other)
      case UInt8(ascii: "/"):
        position += 1
        keep(.name(word()))
      default:
        let word = word()
        guard let number = Double(word), number.isFinite else { return (word, operands) }
        keep(.number(number))
      }
    }
    return nil
  }

  private mutating func word() -> String {
    let start = position
    while position < bytes.count, !Self.isDelimiter(bytes[position]) { position += 1 }
    return String(decoding: bytes[start..<position], as: UTF8.self)
  }

  private static func isDelimiter(_ byte: UInt8) -> Bool {
    switch byte {
    case 0, 9, 10, 12, 13, 32: true
    default: "()<>[]{}/%".utf8.contains(byte)
    }
  }

  private mutating func skipString() {
    var depth = 0
    while position < bytes.count {
      switch bytes[position] {
      case UInt8(ascii: "\\"): position += 1
      case UInt8(ascii: "("): depth += 1
      case UInt8(ascii: ")"): depth -= 1
      default: break
      }
      position += 1
      if depth == 0 { return }
    }
  }

  /// Skips a string of hexadecimal digits, or the start of a dictionary.
  private mutating func skipHex() {
    position += 1
    if position < bytes.count, bytes[position] == UInt8(ascii: "<") {
      position += 1
      return
    }
    while position < bytes.count, bytes[position] != UInt8(ascii: ">") { position += 1 }
    position += 1
  }
}
