internal import Glibc

extension BookLayout {
  /// Returns the visible extent of the resting pages from the centre of the stage: half the width,
  /// and half the height at the fore-edge, which is nearer to the eye than the spine.
  ///
  /// - Parameter flatness: 0 for the standing pose, 1 for flat.
  /// - Returns: The extent in stage points.
  public func reach(flatness: Double) -> Size {
    let elevation = (1 - flatness) * .pi / 4
    let width = Pose.scale(flatness: flatness) * box.size.width
    let nearer = 1 + width * sin(elevation) * Perspective.m34
    return Size(
      width: width * cos(elevation) / nearer,
      height: Pose.scale(flatness: flatness) * box.size.height / 2 / nearer
    )
  }
}
