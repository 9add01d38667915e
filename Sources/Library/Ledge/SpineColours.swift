/// The colours of a book's spine: the cloth and the lettering on it.
struct SpineColours: Equatable, Sendable {
  var cloth: Colour
  var lettering: Colour

  /// Lettering below this contrast cannot be read on a spine (WCAG 2.2, large text is 3).
  private static let readable = 4.5
  private static let cream = Colour(0xF4EFE4)
  private static let ink = Colour(0x23272B)

  /// Cloths that sit well on the dark table, for covers whose colours cannot be read.
  private static let palette: [UInt32] = [
    0x17395A, 0x2F4B34, 0xA23B2A, 0x433058, 0x4F6E40, 0xE8DCC0, 0x1F5E5B, 0xBB8A3C, 0x7C2F3A,
    0x566B7E, 0xD8A27A, 0x2C3136,
  ]

  init(cloth: Colour, lettering: Colour) {
    self.cloth = cloth
    self.lettering = lettering
  }

  /// Takes the colours from a cover drawn in SVG; `nil` where it names no colour.
  ///
  /// What is painted first covers the board, so the first colour is the cloth; the lettering is
  /// the most frequent of the others that can be read on it.
  init?(svg bytes: [UInt8]) {
    let colours = Self.fills(bytes)
    guard let cloth = colours.first else { return nil }
    var counts: [Colour: Int] = [:]
    for colour in colours { counts[colour, default: 0] += 1 }
    let candidates = counts.filter { $0.key.contrast(with: cloth) >= Self.readable }
    // Ties fall to the colour's own text, so that the same cover always gives the same spine.
    let best = candidates.max { ($0.value, $0.key.css) < ($1.value, $1.key.css) }
    self.cloth = cloth
    lettering = best?.key ?? Self.lettering(on: cloth)
  }

  /// Picks a cloth from the palette by a name, always the same for the same name.
  init(hashing name: String) {
    cloth = Colour(Self.palette[Int(ContentTag.hash(name.utf8) % UInt64(Self.palette.count))])
    lettering = Self.lettering(on: cloth)
  }

  private static func lettering(on cloth: Colour) -> Colour {
    cream.contrast(with: cloth) >= ink.contrast(with: cloth) ? cream : ink
  }

  /// The colours of fills and gradient stops, in the order in which they stand.
  private static func fills(_ bytes: [UInt8]) -> [Colour] {
    let text = String(decoding: bytes, as: UTF8.self)
    var found: [Colour] = []
    for piece in text.utf8.split(separator: UInt8(ascii: "#")).dropFirst() {
      // The key stands in the few bytes before the sign: fill=", fill:, stop-color=".
      let start = piece.startIndex
      let hash = text.utf8.index(before: start)
      let from = text.utf8.index(hash, offsetBy: -12, limitedBy: text.startIndex) ?? text.startIndex
      let key = String(decoding: text.utf8[from..<hash], as: UTF8.self)
      let isFill = ["fill=\"", "fill='", "fill:", "stop-color=\"", "stop-color:"].contains {
        key.hasSuffix($0)
      }
      guard isFill else { continue }
      let digits = piece.prefix(6).prefix {
        (0x30...0x39).contains($0) || (0x61...0x66).contains($0 | 0x20)
      }
      if let colour = Colour(css: "#" + String(decoding: digits, as: UTF8.self)) {
        found.append(colour)
      }
    }
    return found
  }
}
