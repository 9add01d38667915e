/// Decodes texts that do not say how they are encoded.
enum TextDecoder {
  /// The characters of Windows-1252 from 0x80 to 0x9F; 0 for those that it leaves out.
  private static let windows: [UInt32] = [
    0x20AC, 0, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039,
    0x0152, 0, 0x017D, 0, 0, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC,
    0x2122, 0x0161, 0x203A, 0x0153, 0, 0x017E, 0x0178,
  ]

  /// Returns the text of a file in UTF-8, UTF-16 with a mark, or else Windows-1252, with line feeds
  /// at the ends of its lines.
  static func text(_ bytes: [UInt8]) -> String {
    let decoded: String
    if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
      let isBig = bytes[0] == 0xFE
      let units = stride(from: 2, to: bytes.count - 1, by: 2).map { index -> UInt16 in
        let (first, second) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
        return isBig ? first << 8 | second : second << 8 | first
      }
      decoded = String(decoding: units, as: UTF16.self)
    } else if let text = String(validating: bytes, as: UTF8.self) {
      decoded = text
    } else {
      var text = String.UnicodeScalarView()
      for byte in bytes {
        let value = 0x80...0x9F ~= byte ? windows[Int(byte) - 0x80] : UInt32(byte)
        text.append(Unicode.Scalar(value) ?? " ")
      }
      decoded = String(text)
    }
    var text = String.UnicodeScalarView()
    for scalar in decoded.unicodeScalars where scalar != "\r" && scalar != "\u{FEFF}" {
      let isControl = scalar.value < 0x20 && scalar != "\t" && scalar != "\n"
      if scalar == "\u{C}" || scalar == "\u{B}" {
        text.append("\n")
      } else if !isControl {
        text.append(scalar)
      }
    }
    return String(text)
  }

  /// Whether the first bytes of a file are text: letters and line ends, and no other controls.
  static func isText(_ head: ArraySlice<UInt8>) -> Bool {
    if head.starts(with: [0xFF, 0xFE]) || head.starts(with: [0xFE, 0xFF]) {
      return head.count >= 4
    }
    let isPlain = head.allSatisfy {
      $0 >= 0x20 && $0 != 0x7F || [0x09, 0x0A, 0x0C, 0x0D].contains($0)
    }
    guard isPlain, let first = head.first(where: { $0 > 0x20 }) else { return false }
    // Markup and data, which are no books.
    return first != UInt8(ascii: "<") && first != UInt8(ascii: "{")
  }
}
