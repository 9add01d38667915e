internal import Bytes
internal import Motion

/// The visible side of a book on a ledge.
struct Spine: Equatable, Sendable {
  var title: String
  var colours: SpineColours
  /// The width of the spine, in stage points.
  var width: Double
  /// The height of the spine, in stage points.
  var height: Double

  /// A pamphlet is still wide enough for its title, and an atlas does not fill the ledge.
  static let widths = 15.0...64.0
  static let heights = 92.0...164.0

  init(title: String, pageCount: Int, pageSize: Size, colours: SpineColours) {
    self.title = title
    self.colours = colours
    // The thickness follows the square root: in proportion, one long book would leave no room for
    // others.
    width = min(
      max(10 + 6.8 * Double(max(pageCount, 0)).squareRoot(), Self.widths.lowerBound),
      Self.widths.upperBound
    )
    // The height of the page in a box of 460 x 568, in which every book fits on the stage.
    let scale = min(460 / pageSize.width, 568 / pageSize.height)
    // Compressed, because the spine of a landscape book would be too short for its title.
    let tall = Self.heights.upperBound * (0.42 + 0.58 * pageSize.height * scale / 568)
    // Books of the same format differ by a few points, so that the row does not look mechanical.
    let uneven = Double(FNV1a.hash(title.utf8) % 13)
    height = min(max(tall - uneven, Self.heights.lowerBound), Self.heights.upperBound)
  }
}
