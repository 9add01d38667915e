/// Which points of a turning leaf are seen where, and how far a leaf has to turn so that a given
/// point is seen at a given place.
///
/// Places are seen places, in stage points to the right of the centre, of the open book in the
/// middle. A leaf has one place for both of its sides, half-way between them, so that nothing jumps
/// where one side replaces the other.
extension BookLayout {
  /// Returns where a point of a turning leaf is seen.
  /// - Parameters:
  ///   - point: The point of the paper.
  ///   - shape: The shape of the leaf.
  /// - Returns: The place.
  public func place(of point: PaperPoint, on shape: LeafShape) -> Double {
    let scaled = Pose.scale(flatness: shape.flatness)
    let crossing = shape.rulings.place(arc: point.arc, height: point.height)
    return chain(shape) { strip, outer in
      guard crossing <= outer || outer > 1 - 1e-9 else { return nil }
      let position = strip.position(
        point.arc * box.size.width * scaled,
        point.height * box.size.height * scaled
      )
      return position.x / (1 + position.z * Perspective.m34)
    } ?? 0
  }

  /// Returns the point of a turning leaf that is seen at a point of the stage, the nearest to the
  /// eye of several.
  /// - Parameters:
  ///   - seen: The point, in stage points from the centre.
  ///   - shape: The shape of the leaf.
  /// - Returns: The point of the paper; nil if the leaf is not seen there.
  public func paper(at seen: Point, on shape: LeafShape) -> PaperPoint? {
    let scaled = Pose.scale(flatness: shape.flatness)
    let (width, height) = (scaled * box.size.width, scaled * box.size.height)
    var found: PaperPoint?
    var inner = 0.0
    _ = chain(shape) { strip, outer -> Double? in
      defer { inner = outer }
      guard let (x, y) = strip.place(seenAt: seen) else { return nil }
      let point = PaperPoint(arc: x / width, height: y / height)
      guard point.arc >= 0, point.arc <= 1, abs(point.height) <= 0.5 else { return nil }
      let crossing = shape.rulings.place(arc: point.arc, height: point.height)
      // The strips that follow are nearer to the eye.
      if crossing >= inner, crossing <= outer { found = point }
      return nil
    }
    return found
  }

  /// Calls `body` for each strip of a leaf of the open book, with the outer end of its crossing of
  /// the far edge, until `body` returns a value.
  private func chain(
    _ shape: LeafShape,
    _ body: (LeafStrips.Strip, Double) -> Double?
  ) -> Double? {
    let pose = Pose(box: box, BookPose(offset: 0, flatness: shape.flatness))
    var strips = LeafStrips(shape.profile, shape.rulings, in: pose, tilt: pose.tilt / 2)
    var index = 0.0
    while let strip = strips.advance() {
      index += 1
      if let value = body(strip, index / Double(LeafStrips.count)) { return value }
    }
    return nil
  }
}

extension LeafStrips.Strip {
  /// Returns the point of the plane that is seen at a point of the stage: its distances from the
  /// spine and below the middle, in stage points; nil if the plane is seen from its edge.
  fileprivate func place(seenAt seen: Point) -> (x: Double, y: Double)? {
    // The position p fulfils p.x = seen.x (1 - p.z / 2000), and the same for y.
    func row(_ vector: SIMD3<Double>) -> SIMD2<Double> {
      let share = vector.z / Perspective.distance
      return [vector.x + seen.x * share, vector.y + seen.y * share]
    }
    let (across, down, from) = (row(across), row(down), [seen.x, seen.y] - row(origin))
    let determinant = across.x * down.y - across.y * down.x
    guard determinant != 0 else { return nil }
    return (
      (from.x * down.y - from.y * down.x) / determinant,
      (across.x * from.y - across.y * from.x) / determinant
    )
  }
}

extension BookLayout {
  /// The accuracy of a found progress.
  private static let accuracy = 1e-10
  private static let stepsMax = 60

  /// Returns how far a leaf on its way from right to left has to turn so that a point of it is seen
  /// at a place: the greatest such progress.
  ///
  /// A place to the right of the point at rest gives the progress at which the point is seen where
  /// it rests, which is above 0 in a flat book: there the point first moves away from the spine.
  /// The same holds for a place to the left of the point at its other rest.
  /// - Parameters:
  ///   - point: The point of the paper.
  ///   - place: The place.
  ///   - leaf: The shape of the leaf, whose own progress has no effect.
  /// - Returns: The progress, 0...1.
  public func progress(
    putting point: PaperPoint,
    at place: Double,
    on leaf: LeafShape
  ) -> Double {
    func excess(_ progress: Double, _ place: Double) -> Double {
      var shape = leaf
      shape.progress = progress
      return self.place(of: point, on: shape) - place
    }
    let (first, last) = (excess(0, 0), excess(1, 0))
    let place = min(max(place, last), first)
    // Illinois' variant of the rule of false position, within a bracket: with progress, the excess
    // changes its sign once.
    var (low, high) = (0.0, 1.0)
    var (above, below) = (first - place, last - place)
    if below >= 0 { high = Self.turningPoint { excess($0, place) } ?? 1 }
    if high < 1 { below = excess(high, place) }
    if above <= 0 { low = Self.turningPoint { -excess(1 - $0, place) }.map { 1 - $0 } ?? 0 }
    if low > 0 { above = excess(low, place) }
    guard above > 0 else { return low }
    guard below < 0 else { return high }
    var side = 0
    for _ in 0..<Self.stepsMax where high - low > Self.accuracy {
      let middle = low + (high - low) * above / (above - below)
      let value = excess(middle, place)
      if value == 0 { return middle }
      if value > 0 {
        (low, above) = (middle, value)
        if side == 1 { below /= 2 }
        side = 1
      } else {
        (high, below) = (middle, value)
        if side == -1 { above /= 2 }
        side = -1
      }
    }
    return (low + high) / 2
  }

  /// Returns a progress below 1 at which a function is negative, although it is not at 1.
  private static func turningPoint(_ value: (Double) -> Double) -> Double? {
    var distance = 0.1
    while distance > 1e-3 {
      if value(1 - distance) < 0 { return 1 - distance }
      distance /= 2
    }
    return nil
  }
}
