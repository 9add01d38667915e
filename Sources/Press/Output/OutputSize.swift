internal import PressProtocol

/// The size of a rendition in pixels.
struct OutputSize: Equatable {
  let width: Int
  let height: Int

  /// Creates an exact size.
  init(width: Int, height: Int) { (self.width, self.height) = (width, height) }

  /// Fits a page to a height, or less if the limits require it; keeps the aspect.
  init(width: Double, height: Double, fitting target: Int, _ limits: PressLimits) {
    let side = Double(limits.picture.side)
    var scale = Double(max(1, target)) / height
    scale = min(scale, side / max(width, height))
    scale = min(scale, (Double(limits.picture.pixels) / (width * height)).squareRoot())
    // Rounded down, so that no limit is exceeded by a pixel.
    self.width = max(1, Int((width * scale + 1e-6).rounded(.down)))
    self.height = max(1, Int((height * scale + 1e-6).rounded(.down)))
  }
}
