extension BookLayout {
  /// Returns the point of a turning leaf that is seen at a point of the stage, the nearest to the
  /// eye of several.
  /// - Parameters:
  ///   - seen: The point, in stage points from the centre.
  ///   - shape: The shape of the leaf.
  /// - Returns: The point of the paper; nil if the leaf is not seen there.
  public func paper(at seen: Point, on shape: LeafShape) -> PaperPoint? {
    let scaled = Pose.scale(flatness: shape.flatness)
    let (width, height) = (scaled * box.size.width, scaled * box.size.height)
    let pose = Pose(box: box, BookPose(offset: 0, flatness: shape.flatness))
    var strips = LeafStrips(shape.profile, shape.rulings, in: pose, tilt: pose.tilt / 2)
    var found: PaperPoint?
    var (index, inner) = (0.0, 0.0)
    while let strip = strips.advance() {
      index += 1
      let outer = index / Double(LeafStrips.count)
      defer { inner = outer }
      guard let (x, y) = strip.place(seenAt: seen) else { continue }
      let point = PaperPoint(arc: x / width, height: y / height)
      guard point.arc >= 0, point.arc <= 1, abs(point.height) <= 0.5 else { continue }
      let crossing = shape.rulings.place(arc: point.arc, height: point.height)
      // The strips that follow are nearer to the eye.
      if crossing >= inner, crossing <= outer { found = point }
    }
    return found
  }
}

extension LeafStrips.Strip {
  /// Returns the point of the plane that is seen at a point of the stage: its distances from the
  /// spine and below the middle, in stage points; nil if the plane is seen from its edge.
  fileprivate func place(seenAt seen: Point) -> (x: Double, y: Double)? {
    // The position p fulfils p.x = seen.x (1 - p.z / 2000), and the same for y.
    func row(_ vector: SIMD3<Double>) -> SIMD2<Double> {
      let share = vector.z / Perspective.distance
      return SIMD2(vector.x + seen.x * share, vector.y + seen.y * share)
    }
    let (across, down, from) = (row(across), row(down), SIMD2(seen.x, seen.y) - row(origin))
    let determinant = across.x * down.y - across.y * down.x
    guard determinant != 0 else { return nil }
    return (
      (from.x * down.y - from.y * down.x) / determinant,
      (across.x * from.y - across.y * from.x) / determinant
    )
  }
}
