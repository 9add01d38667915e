internal import Geometry

/// What is seen of a book that stands on a ledge.
struct Spine: Equatable, Sendable {
  var title: String
  var colours: SpineColours
  /// Across the spine, in stage points.
  var width: Double
  /// Up the spine, in stage points.
  var height: Double

  /// A pamphlet is still wide enough for its title, an atlas no wider than a hand.
  static let widths = 15.0...64.0
  static let heights = 92.0...164.0

  init(title: String, pageCount: Int, pageSize: Size, colours: SpineColours) {
    self.title = title
    self.colours = colours
    // Thickness by the square root: in proportion, one long book would leave no room for others.
    width = min(
      max(10 + 6.8 * Double(max(pageCount, 0)).squareRoot(), Self.widths.lowerBound),
      Self.widths.upperBound
    )
    // The height of the page in a box of 460 x 568, as all books stand in the reading stage.
    let scale = min(460 / pageSize.width, 568 / pageSize.height)
    // Softened, or the spine of a landscape book would be too low for its title.
    let tall = Self.heights.upperBound * (0.42 + 0.58 * pageSize.height * scale / 568)
    // Books of one format still differ by a few points, or the row would look printed.
    let uneven = Double(ContentTag.hash(title.utf8) % 13)
    height = min(max(tall - uneven, Self.heights.lowerBound), Self.heights.upperBound)
  }
}
