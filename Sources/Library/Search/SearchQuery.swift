internal import Foundation

/// What somebody typed to find, taken apart so that no sign in it is taken for an operator.
///
/// Words are looked for as words, the last one as the beginning of one; what stands in quotes as
/// it stands there. Scripts that put no spaces between words are looked for letter by letter.
struct SearchQuery: Equatable {
  /// Words and phrases, as FTS5 takes them; empty without any.
  private(set) var words = ""
  /// Runs of an unspaced script, to be found anywhere.
  private(set) var runs: [String] = []

  static let lengthMax = 200
  private static let termsMax = 16

  init(_ text: String) {
    // Bytes first: a single letter may carry any number of marks.
    let bounded = TextLimits.whole(text.utf8.prefix(TextLimits.query))
    let text = String(bounded.prefix(Self.lengthMax)).precomposedStringWithCanonicalMapping
    var phrases: [(text: String, mayGoOn: Bool)] = []
    for (index, part) in text.split(separator: "\"", omittingEmptySubsequences: false).enumerated()
    {
      let isQuoted = index % 2 == 1
      for piece in isQuoted ? [part] : part.split(whereSeparator: \.isWhitespace)
      where phrases.count + runs.count < Self.termsMax {
        if piece.contains(where: Script.isUnspaced) {
          // Words of another script in it have no ends of their own either.
          runs.append(piece.filter { $0 != "\0" })
        } else if piece.contains(where: { $0.isLetter || $0.isNumber }) {
          let isLast = piece.endIndex == text.endIndex
          phrases.append((Self.quoted(piece), isLast && !isQuoted))
        }
      }
    }
    // In an unspaced text the endings of words follow them without a space.
    words = phrases.map { $0.mayGoOn || !runs.isEmpty ? $0.text + "*" : $0.text }
      .joined(separator: " ")
  }

  var isEmpty: Bool { words.isEmpty && runs.isEmpty }

  /// The runs that the index of three letters can find, as FTS5 takes them.
  var longRuns: String {
    runs.filter { $0.unicodeScalars.count >= 3 }.map(Self.quoted).joined(separator: " ")
  }

  var shortRuns: [String] { runs.filter { $0.unicodeScalars.count < 3 } }

  /// A string of FTS5: only its quotes mean anything in it.
  static func quoted(_ text: some StringProtocol) -> String {
    "\"" + text.map { $0 == "\"" ? "\"\"" : $0 == "\0" ? " " : String($0) }.joined() + "\""
  }
}

/// What must be known of scripts.
enum Script {
  /// Whether a letter belongs to a script in which spaces do not part words.
  static func isUnspaced(_ character: Character) -> Bool {
    guard let scalar = character.unicodeScalars.first else { return false }
    return isUnspaced(scalar)
  }

  /// Thai and its neighbours, kana, Han, Hangul (whose words carry endings) and their wide forms.
  static func isUnspaced(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x0E00...0x0EFF, 0x1000...0x109F, 0x1100...0x11FF, 0x1780...0x17FF,
      0x2E80...0x2FDF, 0x3005...0x3007, 0x3021...0x3029, 0x3031...0x30FF, 0x3100...0x318F,
      0x31A0...0x31BF, 0x31F0...0x31FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xA960...0xA97F,
      0xAC00...0xD7FF, 0xF900...0xFAFF, 0xFF66...0xFFDC, 0x1B000...0x1B16F, 0x20000...0x3FFFF:
      true
    default: false
    }
  }
}
