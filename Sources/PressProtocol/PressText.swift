/// Sanitises texts from documents, so that they can be stored and shown.
///
/// A document can contain anything: a title of a megabyte, control characters, and characters that
/// change the direction of surrounding text. A press sends none of these; texts that contain them
/// nevertheless are sanitised when they are decoded.
package enum PressText {
  /// The maximum length of a line.
  package struct Limit: Sendable {
    /// The number of characters as readers count them.
    package let characters: Int
    /// The number of bytes of UTF-8; one character can have a thousand accents.
    package let bytes: Int
  }

  /// Titles and authors.
  package static let title = Limit(characters: 300, bytes: 1_200)
  /// Entries of a table of contents.
  package static let entry = Limit(characters: 250, bytes: 1_000)
  /// Page labels.
  package static let label = Limit(characters: 24, bytes: 96)
  /// Names of files in archives.
  package static let name = Limit(characters: 255, bytes: 1_020)
  /// Texts of faults, and the last diagnostics of a press.
  package static let reason = Limit(characters: 500, bytes: 2_000)
  /// The maximum length of a link's address in bytes; longer ones are not links.
  package static let addressBytes = 2_048
  /// The maximum length of a word in bytes; longer words are split.
  package static let wordBytes = 256
  private static let languageBytes = 35

  /// Returns a text as one line: white space and control characters become single spaces, with none
  /// at the ends, and characters that change the direction of text are removed.
  ///
  /// A text that is too long is truncated and ends with an ellipsis.
  package static func line(_ text: String, _ limit: Limit) -> String {
    var kept = String.UnicodeScalarView()
    var bytes = 0
    var isSpaceDue = false
    for scalar in text.unicodeScalars {
      switch Kind(scalar) {
      case .nothing: continue
      case .space, .control: isSpaceDue = bytes > 0
      case .letter:
        bytes += UTF8.width(scalar) + (isSpaceDue ? 1 : 0)
        guard bytes <= limit.bytes else { return cut(String(kept), limit) }
        if isSpaceDue { kept.append(" ") }
        isSpaceDue = false
        kept.append(scalar)
      }
    }
    let line = String(kept)
    return line.count > limit.characters ? cut(line, limit) : line
  }

  private static func cut(_ line: String, _ limit: Limit) -> String {
    let ellipsis = "…"
    var short = line.prefix(limit.characters - 1)
    while short.utf8.count > limit.bytes - ellipsis.utf8.count { short.removeLast() }
    return short + ellipsis
  }

  /// Returns a language tag such as `pt-BR`; empty if the text is not one.
  package static func language(_ text: String) -> String {
    let tag = line(text, title).replacing("_", with: "-")
    let isTag = tag.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
        true
      default: false
      }
    }
    return isTag && tag.utf8.count <= languageBytes ? tag : ""
  }

  /// Returns whether a text can be the address of a link: short enough and on one line.
  package static func isAddress(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.count <= addressBytes
      && text.unicodeScalars.allSatisfy { $0 != "\n" && inPage($0) == $0 }
  }

  /// Returns the replacement of a character in the text of a page: itself, a space for a control
  /// character other than the line break, or nil to omit it.
  package static func inPage(_ scalar: Unicode.Scalar) -> Unicode.Scalar? {
    switch Kind(scalar) {
    case .nothing: nil
    case .control: scalar == "\n" ? scalar : " "
    case .space, .letter: scalar
    }
  }

  /// Whether a character is another form of letters, by which readers do not search: a ligature, a
  /// presentation form, a wide or half-width form, or a radical.
  ///
  /// Texts and searches have the letters in its place (Unicode's NFKC).
  package static func isForm(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x2E80...0x2FDF, 0xF900...0xFAFF, 0xFB00...0xFB4F, 0xFB50...0xFDFC, 0xFE70...0xFEFC,
      0xFF01...0xFFDC, 0x2F800...0x2FA1F:
      true
    default: false
    }
  }

  /// The role of a character in a line of text.
  private enum Kind {
    case letter
    case space
    case control
    /// Changes the direction of other text, or is not a character.
    case nothing

    init(_ scalar: Unicode.Scalar) {
      switch scalar.value {
      case 0x21...0x7E: self = .letter
      case 0x20, 0xA0, 0x1680, 0x2000...0x200A, 0x202F, 0x205F, 0x3000: self = .space
      case 0...0x1F, 0x7F...0x9F, 0x2028, 0x2029: self = .control
      case 0x202A...0x202E, 0x2066...0x2069, 0xFEFF, 0xFFF9...0xFFFB, 0xFDD0...0xFDEF,
        0xE0000...0xE007F:
        self = .nothing
      case let value where value & 0xFFFE == 0xFFFE: self = .nothing
      default: self = .letter
      }
    }
  }
}

extension DocumentFacts {
  /// The same facts with sanitised texts.
  package var fit: DocumentFacts {
    var fit = self
    fit.title = PressText.line(title, PressText.title)
    fit.author = PressText.line(author, PressText.title)
    fit.language = PressText.language(language)
    fit.series = series?.fit
    fit.besides = besides.map { PressText.line($0, PressText.name) }
    for index in fit.pages.indices where !fit.pages[index].label.isEmpty {
      fit.pages[index].label = PressText.line(fit.pages[index].label, PressText.label)
    }
    return fit
  }
}

extension Series {
  /// The same place with sanitised texts; nil without the name of a series.
  fileprivate var fit: Series? {
    let name = PressText.line(name, PressText.title)
    guard !name.isEmpty else { return nil }
    return Series(
      name: name,
      volume: PressText.line(volume, PressText.label),
      number: PressText.line(number, PressText.label)
    )
  }
}
