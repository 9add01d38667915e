internal import Bytes

/// A title set along a spine, as large as possible.
struct SpineLettering {
  private let spine: Spine
  private let size: Double
  private let text: String

  private static let sizes = 8.5...19.5
  /// The space at head and tail for the ruled lines.
  private static let margin = 12.0

  init(_ spine: Spine) {
    self.spine = spine
    let room = spine.height - 2 * Self.margin - (spine.width >= 26 ? 10 : 0)
    let title = spine.title.split(whereSeparator: \.isNewline).joined(separator: " ")
    let ems = Self.ems(title)
    let widest = min(spine.width * 0.62, Self.sizes.upperBound)
    size = max(min(widest, room / max(ems, 0.01)), min(Self.sizes.lowerBound, widest))
    text = Self.shortened(title, ems: room / size)
  }

  var svg: String {
    guard !text.isEmpty else { return "" }
    let middle = (spine.width >= 44 ? -7.0 : -1) - spine.height / 2
    let isItalic = FNV1a.hash(spine.title.utf8) >> 8 % 3 == 0
    return "<text transform=\"translate(\(decimal(spine.width / 2)) \(decimal(middle)))"
      + " rotate(90)\""
      + " y=\"\(decimal(size * 0.32))\" text-anchor=\"middle\" font-size=\"\(decimal(size))\""
      + " font-family=\"EB Garamond,EBGaramond12,Iowan Old Style,Palatino Linotype,Palatino,"
      + "Georgia,serif\"\(isItalic ? " font-style=\"italic\"" : "")"
      + " fill=\"\(spine.colours.lettering.css)\">\(Markup.escaped(text))</text>"
  }

  /// Estimates the length of a text in ems, rather too long than too short: an image cannot bring
  /// its own font, and the substitute may be wider than Garamond.
  static func ems(_ text: some StringProtocol) -> Double { text.reduce(0) { $0 + ems($1) } }

  private static func ems(_ character: Character) -> Double {
    guard let scalar = character.unicodeScalars.first else { return 0 }
    switch scalar.value {
    case 0x20, 0x2C, 0x2E, 0x27, 0x2019, 0x3A, 0x3B, 0x21: return 0.25
    case 0x69, 0x6A, 0x6C, 0x66, 0x74, 0x49, 0x72: return 0.31
    case 0x6D, 0x77, 0x4D, 0x57: return 0.82
    case ..<0x2000: return character.isUppercase ? 0.68 : 0.47
    default: return 1
    }
  }

  private static func shortened(_ title: String, ems room: Double) -> String {
    // The size was derived from the same space; a rounding error must not cost a word.
    guard ems(title) > room * 1.001 else { return title }
    var used = 0.6
    var kept = ""
    for character in title {
      used += ems(character)
      guard used <= room else { break }
      kept.append(character)
    }
    while kept.last?.isWhitespace == true { kept.removeLast() }
    return kept.isEmpty ? "" : kept + "…"
  }
}
