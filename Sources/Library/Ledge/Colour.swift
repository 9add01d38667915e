internal import Bytes

/// An opaque colour in sRGB, with components from 0 to 1.
struct Colour: Hashable, Sendable {
  var red: Double
  var green: Double
  var blue: Double

  init(red: Double, green: Double, blue: Double) {
    self.red = red
    self.green = green
    self.blue = blue
  }

  init(hex: Int) { self.init(UInt32(truncatingIfNeeded: hex)) }

  init(_ hex: UInt32) {
    self.init(
      red: Double(hex >> 16 & 0xFF) / 255,
      green: Double(hex >> 8 & 0xFF) / 255,
      blue: Double(hex & 0xFF) / 255
    )
  }

  /// Parses `#rgb` and `#rrggbb`.
  init?(css text: some StringProtocol) {
    let digits = text.dropFirst()
    guard text.first == "#", let number = UInt32(digits, radix: 16) else { return nil }
    switch digits.utf8.count {
    case 6: self.init(number)
    case 3:
      let spread = (number & 0xF00) << 8 | (number & 0xF0) << 4 | number & 0xF
      self.init(spread * 0x11)
    default: return nil
    }
  }

  /// The colour as a number with one byte each for red, green and blue.
  var hex: Int {
    [red, green, blue].reduce(0) { $0 << 8 | Int((min(max($1, 0), 1) * 255).rounded()) }
  }

  var css: String {
    "#" + Hexadecimal.text(of: UInt32(truncatingIfNeeded: hex)).dropFirst(2)
  }

  /// The relative luminance (WCAG 2.2).
  var luminance: Double {
    func linear(_ part: Double) -> Double {
      // A cubic close to the power of 2.4, accurate enough to choose a colour, and without libm.
      part * (part * (part * 0.305306011 + 0.682171111) + 0.012522878)
    }
    return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
  }

  /// The contrast ratio between two colours, 1 to 21 (WCAG 2.2).
  func contrast(with other: Colour) -> Double {
    let pair = [luminance, other.luminance].sorted()
    return (pair[1] + 0.05) / (pair[0] + 0.05)
  }
}
