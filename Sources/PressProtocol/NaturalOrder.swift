/// The natural order of file names: `2` before `10`, `1` before `1.5`, and capitals next to small
/// letters.
///
/// Digits of all scripts count as numbers, and the ending of a name counts last, so that `7.jpg`
/// comes before `7-01.jpg`. Compares bytes, because names can be in any encoding. The files of a
/// folder stay together.
package struct NaturalOrder: Sendable {
  private let name: [UInt8]
  private let folded: [UInt8]

  /// Creates a sort key from a name in any encoding; folds the case of ASCII letters if it is not
  /// UTF-8.
  package init(bytes: [UInt8]) {
    if bytes.contains(where: { $0 >= 0x80 }), let name = String(validating: bytes, as: UTF8.self) {
      self.init(name)
    } else {
      self.init(bytes, small: bytes)
    }
  }

  /// Creates a sort key from a name; folds the case of all scripts.
  package init(_ name: String) {
    self.init(Array(name.utf8), small: Array(Self.withPlainDigits(name.lowercased()).utf8))
  }

  private init(_ name: [UInt8], small: [UInt8]) {
    self.name = name
    let dot = Self.dotOfEnding(small)
    folded = small.indices.map { index in
      switch small[index] {
      case let byte where byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z"): byte + 32
      // The lowest byte, so that `a/2` comes before `a b/1`.
      case UInt8(ascii: "/"), UInt8(ascii: "\\"): 0
      // The next one, so that `7.jpg` comes before `7-01.jpg`.
      case _ where index == dot: 1
      case let byte: byte
      }
    }
  }

  /// Returns a text with the decimal digits of all scripts as those of ASCII.
  private static func withPlainDigits(_ text: String) -> String {
    guard text.utf8.contains(where: { $0 >= 0x80 }) else { return text }
    var plain = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      let facts = scalar.properties
      if !scalar.isASCII, facts.numericType == .decimal, let value = facts.numericValue,
        let digit = UInt8(exactly: value), digit < 10
      {
        plain.append(Unicode.Scalar(0x30 + digit))
      } else {
        plain.append(scalar)
      }
    }
    return String(plain)
  }

  /// Returns the position of the dot before a file's ending: a letter, and at most four more
  /// letters and digits.
  private static func dotOfEnding(_ name: [UInt8]) -> Int? {
    guard let dot = name.lastIndex(of: UInt8(ascii: ".")), dot > 0 else { return nil }
    let ending = name[(dot + 1)...]
    let isEnding = ending.allSatisfy { isDigit($0) || isLetter($0) }
    return isEnding && (1...5).contains(ending.count) && isLetter(name[dot + 1]) ? dot : nil
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
  }

  /// Sorts elements by their names.
  /// - Complexity: O(n log n) comparisons; each name is folded once.
  package static func sorted<T>(_ things: [T], by name: (T) -> String) -> [T] {
    things.map { (NaturalOrder(name($0)), $0) }.sorted { $0.0 < $1.0 }.map(\.1)
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

  /// Returns the digits at a position without leading zeros, and the position after them.
  private func digits(from start: Int) -> (digits: ArraySlice<UInt8>, end: Int) {
    let end = folded[start...].firstIndex { !Self.isDigit($0) } ?? folded.count
    return (folded[start..<end].drop { $0 == 0x30 }, end)
  }
}

extension NaturalOrder: Comparable {
  /// Returns whether a name comes before another: a strict total order on distinct names.
  package static func < (a: NaturalOrder, b: NaturalOrder) -> Bool {
    var i = 0
    var j = 0
    while i < a.folded.count, j < b.folded.count {
      if isDigit(a.folded[i]), isDigit(b.folded[j]) {
        let first = a.digits(from: i)
        let second = b.digits(from: j)
        // Without leading zeros a longer number is greater, however long it is.
        if first.digits.count != second.digits.count {
          return first.digits.count < second.digits.count
        }
        if first.digits != second.digits {
          return first.digits.lexicographicallyPrecedes(second.digits)
        }
        i = first.end
        j = second.end
      } else if a.folded[i] != b.folded[j] {
        return a.folded[i] < b.folded[j]
      } else {
        i += 1
        j += 1
      }
    }
    let left = a.folded.count - i
    let right = b.folded.count - j
    return left != right ? left < right : a.name.lexicographicallyPrecedes(b.name)
  }
}
