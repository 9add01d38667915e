internal import PressProtocol

/// An image that is much higher than wide, as comics for telephones are: it is cut into pages where
/// its rows are quiet.
enum TallStrip {
  /// The ratio of height to width of a page, if its end could be anywhere.
  private static let aspect = 1.5
  /// How far the end of a page may be from there, as a share of the page.
  private static let tolerance = 0.3
  /// The maximum number of pixels of a strip that is cut; a longer one stays whole.
  private static let pixelsMax = 60_000_000
  /// The difference of neighbouring pixels below which they count as equal, in levels.
  private static let noise: Int32 = 12

  /// Cuts an image if it is a strip.
  /// - Returns: Its assets from top to bottom, as JPEG files; nil if it stays whole.
  static func parts(of image: UntrustedImage, _ page: Int, name: String) -> [Asset]? {
    guard image.facts.isStrip, let pages = pages(image), pages.count > 1 else { return nil }
    return pages.enumerated().map { number, part in
      var asset = Asset(page: page, name: name, bytes: part.bytes, facts: part.facts)
      asset.part = number
      return asset
    }
  }

  /// Cuts a strip.
  /// - Returns: Its pages from top to bottom, as JPEG files; nil if it cannot be decoded.
  static func pages(_ image: UntrustedImage) -> [(bytes: [UInt8], facts: ImageFacts)]? {
    guard let bitmap = image.whole(atMost: pixelsMax) else { return nil }
    var pages: [(bytes: [UInt8], facts: ImageFacts)] = []
    var start = 0
    while start < bitmap.height {
      let end = end(of: start, in: bitmap)
      guard let part = bitmap.rows(start..<end), let bytes = JPEG.encoded(part, quality: 90) else {
        return nil
      }
      pages.append((bytes, ImageFacts(format: .jpeg, width: part.width, height: part.height)))
      start = end
    }
    return pages
  }

  /// Returns the row after the last one of the page that begins at a row: that at which the picture
  /// changes least, near where the page should end.
  private static func end(of start: Int, in bitmap: Bitmap) -> Int {
    let height = Int(Double(bitmap.width) * aspect)
    let slack = Int(Double(height) * tolerance)
    // A short rest belongs to the last page.
    guard bitmap.height - start > height + slack else { return bitmap.height }
    var best = (row: start + height, changes: Int.max, distance: Int.max)
    for row in (start + height - slack)..<(start + height + slack) {
      let (changes, distance) = (changes(at: row, in: bitmap), abs(row - start - height))
      if (changes, distance) < (best.changes, best.distance) { best = (row, changes, distance) }
    }
    return best.row
  }

  /// The number of places in a row where the picture changes.
  private static func changes(at row: Int, in bitmap: Bitmap) -> Int {
    let pixels = bitmap.pixels[(row * bitmap.width)..<((row + 1) * bitmap.width)]
    return zip(pixels, pixels.dropFirst()).reduce(0) { count, pair in
      count + (abs(green(pair.0) - green(pair.1)) > noise ? 1 : 0)
    }
  }

  private static func green(_ pixel: UInt32) -> Int32 { Int32(pixel >> 8 & 0xFF) }
}
