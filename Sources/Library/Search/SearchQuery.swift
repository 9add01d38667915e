internal import Foundation
internal import PressProtocol

/// A parsed search query, in which no character is treated as an operator.
///
/// Words are matched as words, the last one as a prefix; text in quotes is matched as a phrase.
/// Scripts without spaces between words are matched letter by letter.
struct SearchQuery: Equatable {
  /// Words and phrases as an FTS5 expression; empty if there are none.
  private(set) var words = ""
  /// Runs of an unspaced script, which are matched anywhere.
  private(set) var runs: [String] = []

  static let lengthMax = 200
  private static let termsMax = 16

  init(_ text: String) {
    // Bounded by bytes first, because a single letter can carry any number of marks.
    let bounded = TextLimits.whole(text.utf8.prefix(TextLimits.query))
    let text = Self.plain(String(bounded.prefix(Self.lengthMax)))
    var phrases: [(text: String, mayGoOn: Bool)] = []
    for (index, part) in text.split(separator: "\"", omittingEmptySubsequences: false).enumerated()
    {
      let isQuoted = index % 2 == 1
      for piece in isQuoted ? [part] : part.split(whereSeparator: \.isWhitespace)
      where phrases.count + runs.count < Self.termsMax {
        if piece.contains(where: Script.isUnspaced) {
          // Words of another script inside the run also have no boundaries.
          runs.append(piece.filter { $0 != "\0" })
        } else if piece.contains(where: { $0.isLetter || $0.isNumber }) {
          let isLast = piece.endIndex == text.endIndex
          phrases.append((Self.quoted(piece), isLast && !isQuoted))
        }
      }
    }
    // In unspaced text, endings follow words without a space.
    words = phrases.map { $0.mayGoOn || !runs.isEmpty ? $0.text + "*" : $0.text }
      .joined(separator: " ")
  }

  /// Returns a query in the form of the texts: composed, with letters in place of their other
  /// forms, and without soft hyphens and marks of direction.
  private static func plain(_ query: String) -> String {
    var text = ""
    for scalar in query.precomposedStringWithCanonicalMapping.unicodeScalars {
      if PressText.isForm(scalar) {
        text += String(scalar).precomposedStringWithCompatibilityMapping
      } else if scalar.properties.generalCategory != .format || scalar.value == 0x200D {
        text.unicodeScalars.append(scalar)
      }
    }
    return text
  }

  var isEmpty: Bool { words.isEmpty && runs.isEmpty }

  /// The runs that the trigram index can find, as an FTS5 expression.
  var longRuns: String {
    runs.filter { $0.unicodeScalars.count >= 3 }.map(Self.quoted).joined(separator: " ")
  }

  var shortRuns: [String] { runs.filter { $0.unicodeScalars.count < 3 } }

  /// Returns an FTS5 string, in which only quotes have a meaning.
  static func quoted(_ text: some StringProtocol) -> String {
    "\"" + text.map { $0 == "\"" ? "\"\"" : $0 == "\0" ? " " : String($0) }.joined() + "\""
  }
}

/// Facts about scripts.
enum Script {
  /// Returns whether a letter belongs to a script without spaces between words.
  static func isUnspaced(_ character: Character) -> Bool {
    guard let scalar = character.unicodeScalars.first else { return false }
    return isUnspaced(scalar)
  }

  /// Returns whether a scalar belongs to Thai and its neighbours, kana, Han, Hangul (whose words
  /// carry endings) or their wide forms.
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
