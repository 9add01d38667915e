internal import Bytes

/// The colours of a book's spine: its cloth and its lettering.
struct SpineColours: Equatable, Sendable {
  var cloth: Colour
  var lettering: Colour

  /// Lettering below this contrast is hard to read on a spine (WCAG 2.2; large text needs 3).
  private static let readable = 4.5
  private static let cream = Colour(0xF4EFE4)
  private static let ink = Colour(0x23272B)

  /// Cloths that suit the dark table, for covers whose colours are unknown.
  private static let palette: [UInt32] = [
    0x17395A, 0x2F4B34, 0xA23B2A, 0x433058, 0x4F6E40, 0xE8DCC0, 0x1F5E5B, 0xBB8A3C, 0x7C2F3A,
    0x566B7E, 0xD8A27A, 0x2C3136,
  ]

  init(cloth: Colour, lettering: Colour) {
    self.cloth = cloth
    self.lettering = lettering
  }

  /// Chooses from the fill colours of an SVG cover, in painting order; `nil` if there are none.
  ///
  /// The first fill covers the board, so its colour becomes the cloth. The lettering is the most
  /// frequent other colour that is legible on it.
  init?(fills colours: [Colour]) {
    guard let cloth = colours.first else { return nil }
    var counts: [Colour: Int] = [:]
    for colour in colours { counts[colour, default: 0] += 1 }
    let candidates = counts.filter { $0.key.contrast(with: cloth) >= Self.readable }
    // The text of the colour breaks ties, so that a cover always gives the same spine.
    let best = candidates.max { ($0.value, $0.key.css) < ($1.value, $1.key.css) }
    self.cloth = cloth
    lettering = best?.key ?? Self.lettering(on: cloth)
  }

  /// Picks a cloth from the palette by a name; the same name always gives the same cloth.
  init(hashing name: String) {
    cloth = Colour(Self.palette[Int(FNV1a.hash(name.utf8) % UInt64(Self.palette.count))])
    lettering = Self.lettering(on: cloth)
  }

  private static func lettering(on cloth: Colour) -> Colour {
    cream.contrast(with: cloth) >= ink.contrast(with: cloth) ? cream : ink
  }
}
