internal import Bytes

/// Draws a collection as spines on a ledge of 944 x 190 stage points.
///
/// The left 270 points stay empty, because the page places the name of the collection there as
/// text. The light comes from the upper left, so every spine is lit on its left edge and shadows
/// fall to the right.
struct LedgeDrawing {
  private let books: [Spine]

  static let width = 944.0
  static let height = 190.0
  /// The upper edge of the ledge, where the books stand.
  static let floor = 172.0
  static let firstSpine = 288.0
  static let lastSpine = 928.0

  init(books: [Spine]) { self.books = books }

  /// The whole document, which is well-formed for any titles.
  var svg: String {
    let placed = place()
    var text = """
      <svg xmlns="http://www.w3.org/2000/svg" width="944" height="190" viewBox="0 0 944 190">
      <defs>
      <linearGradient id="round"><stop offset="0" stop-color="#fff" stop-opacity=".22"/>\
      <stop offset=".26" stop-color="#fff" stop-opacity="0"/>\
      <stop offset=".62" stop-opacity="0"/><stop offset="1" stop-opacity=".36"/></linearGradient>
      <linearGradient id="plank" x2="0" y2="1"><stop offset="0" stop-color="#77838e"/>\
      <stop offset=".35" stop-color="#56626d"/><stop offset="1" stop-color="#3d4750"/>\
      </linearGradient>
      <linearGradient id="under" x2="0" y2="1"><stop offset="0" stop-color="#0e1216" \
      stop-opacity=".5"/><stop offset="1" stop-color="#0e1216" stop-opacity="0"/></linearGradient>
      <linearGradient id="beside"><stop offset="0" stop-color="#0e1216" stop-opacity=".42"/>\
      <stop offset="1" stop-color="#0e1216" stop-opacity="0"/></linearGradient>
      </defs>
      <path d="M276 180H944V190H284Z" fill="url(#under)"/>
      <rect x="272" y="172" width="672" height="8" rx="1" fill="url(#plank)"/>

      """
    for (spine, x, angle) in placed { text += shadow(of: spine, x: x, angle: angle) }
    for (spine, x, angle) in placed { text += drawing(of: spine, x: x, angle: angle) }
    return text + "</svg>\n"
  }

  /// The position of each book in the drawing, in the order of the books.
  var spots: [SpineSpot] {
    place().map { spine, x, angle in
      SpineSpot(
        x: x / Self.width,
        y: (Self.floor - spine.height) / Self.height,
        width: spine.width / Self.width,
        height: spine.height / Self.height,
        lean: angle
      )
    }
  }

  /// Returns the lower left corners of the spines and their lean in degrees.
  ///
  /// A full ledge is compressed to as little as half of its widths. Books beyond that are omitted
  /// from the drawing, not from the collection.
  private func place() -> [(spine: Spine, x: Double, angle: Double)] {
    let room = Self.lastSpine - Self.firstSpine - 24
    let total = books.reduce(0) { $0 + $1.width }
    let squeeze = min(1, max(0.5, room / max(total, 1)))
    var x = Self.firstSpine
    var placed: [(spine: Spine, x: Double, angle: Double)] = []
    for var spine in books {
      spine.width *= squeeze
      guard x + spine.width <= Self.lastSpine else { break }
      placed.append((spine, x, 0))
      x += spine.width
    }
    // The last book leans on its neighbour and touches its shoulder or its side.
    guard placed.count > 1, let last = placed.last else { return placed }
    let neighbour = placed[placed.count - 2].spine
    let lean = 6.0
    let (sine, tangent) = (0.104528463, 0.105104235)
    let reach = min(last.spine.height * sine, neighbour.height * tangent)
    placed[placed.count - 1] = (last.spine, last.x + reach + 1, -lean)
    return placed
  }

  private func group(x: Double, angle: Double) -> String {
    let turn = angle == 0 ? "" : " rotate(\(decimal(angle)))"
    return "<g transform=\"translate(\(decimal(x)) \(decimal(Self.floor)))\(turn)\">"
  }

  private func shadow(of spine: Spine, x: Double, angle: Double) -> String {
    let top = decimal(12 - spine.height)
    let right = decimal(spine.width)
    return group(x: x, angle: angle)
      + "<path d=\"M\(right) \(top)L\(decimal(spine.width + 18)) \(decimal(34 - spine.height))"
      + "V0H\(right)Z\" fill=\"url(#beside)\"/></g>\n"
  }

  private func drawing(of spine: Spine, x: Double, angle: Double) -> String {
    let box =
      "x=\"0\" y=\"\(decimal(-spine.height))\" width=\"\(decimal(spine.width))\" "
      + "height=\"\(decimal(spine.height))\" rx=\"1.5\""
    return group(x: x, angle: angle)
      + "<rect \(box) fill=\"\(spine.colours.cloth.css)\"/><rect \(box) fill=\"url(#round)\"/>"
      + bands(of: spine) + SpineLettering(spine).svg + "</g>\n"
  }

  /// Returns ruled lines at head and tail; thin books have none, and thick ones vary.
  private func bands(of spine: Spine) -> String {
    guard spine.width >= 26 else { return "" }
    let places =
      spine.width >= 44
      ? [6 - spine.height, -20, -16] : FNV1a.hash(spine.title.utf8) % 3 == 0 ? [] : [-14]
    return places.map { y in
      "<rect x=\"0\" y=\"\(decimal(y))\" width=\"\(decimal(spine.width))\" height=\"1\" "
        + "fill=\"\(spine.colours.lettering.css)\" opacity=\".65\"/>"
    }.joined()
  }
}

/// The position of a spine in the drawing of its ledge, in fractions of the drawing.
package struct SpineSpot: Equatable, Sendable {
  /// The left edge, before the lean.
  package var x: Double
  /// The upper edge, before the lean.
  package var y: Double
  /// The width.
  package var width: Double
  /// The height.
  package var height: Double
  /// The lean about its lower left corner, in degrees clockwise.
  package var lean: Double
}

/// Formats a number with two decimals, independent of the locale: precise enough for a drawing.
func decimal(_ value: Double) -> String {
  let hundredths = Int((value * 100).rounded())
  let fraction = abs(hundredths) % 100
  let sign = hundredths < 0 ? "-" : ""
  let whole = "\(sign)\(abs(hundredths) / 100)"
  guard fraction != 0 else { return whole }
  return whole + (fraction < 10 ? ".0" : ".") + "\(fraction)"
}
