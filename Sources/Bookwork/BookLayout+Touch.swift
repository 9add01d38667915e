internal import Geometry
internal import Glibc

/// Which points of a turning leaf are seen where, and how far a leaf has to turn so that a given
/// point is seen at a given place.
///
/// Arcs are fractions of the leaf's width from the spine. Places are seen places, in stage points
/// to the right of the centre, of the open book in the middle. A leaf has one place for both of its
/// sides, half-way between them, so that nothing jumps where one side replaces the other.
extension BookLayout {
  /// Returns where a point of a turning leaf is seen.
  /// - Parameters:
  ///   - arc: The point, 0...1.
  ///   - progress: How far the leaf has turned from right to left, 0...1.
  ///   - bend: The bend.
  ///   - flatness: The pose of the book.
  /// - Returns: The place.
  public func place(
    ofArc arc: Double,
    progress: Double,
    bend: Double,
    flatness: Double
  ) -> Double {
    let profile = LeafProfile(progress: progress, bend: bend, flatness: flatness)
    return chain(profile, flatness: flatness) { strip, inner, width in
      guard arc <= inner + width || inner + width > 1 - 1e-9 else { return nil }
      return Self.seen(strip, arc: arc - inner, width: box.size.width, flatness: flatness)
    } ?? 0
  }

  /// Returns the point of a turning leaf that is seen at a place, the nearest to the eye of
  /// several.
  /// - Returns: The arc, 0...1; nil if the place is not on the leaf.
  public func arc(
    at place: Double,
    progress: Double,
    bend: Double,
    flatness: Double
  ) -> Double? {
    let profile = LeafProfile(progress: progress, bend: bend, flatness: flatness)
    var found: Double?
    let scaled = Pose.scale(flatness: flatness) * box.size.width
    _ = chain(profile, flatness: flatness) { strip, inner, width -> Double? in
      // x + s c = place (1 - (z + s d) / 2000), solved for s.
      let nearer = Perspective.distance - strip.z
      let divisor = strip.cosine * Perspective.distance + place * strip.sine
      guard divisor != 0 else { return nil }
      let along = (place * nearer - strip.x * Perspective.distance) / divisor / scaled
      // The strips that follow are nearer to the eye.
      if along >= 0, along <= width { found = inner + along }
      return nil
    }
    return found
  }

  /// Calls `body` for each strip of a leaf of the open book, with the arc at which it begins and
  /// its width as an arc, until `body` returns a value.
  private func chain(
    _ profile: LeafProfile,
    flatness: Double,
    _ body: (LeafStrips.Strip, Double, Double) -> Double?
  ) -> Double? {
    let pose = Pose(box: box, BookPose(offset: 0, flatness: flatness))
    var strips = LeafStrips(profile, in: pose, tilt: pose.tilt / 2)
    let width = 1 / Double(LeafStrips.count)
    var index = 0.0
    while let strip = strips.advance() {
      if let value = body(strip, index * width, width) { return value }
      index += 1
    }
    return nil
  }

  private static func seen(
    _ strip: LeafStrips.Strip,
    arc: Double,
    width: Double,
    flatness: Double
  ) -> Double {
    let along = arc * width * Pose.scale(flatness: flatness)
    let depth = strip.z + along * strip.sine
    return (strip.x + along * strip.cosine) / (1 + depth * Perspective.m34)
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
  /// - Returns: The progress, 0...1.
  public func progress(
    putting arc: Double,
    at place: Double,
    bend: Double,
    flatness: Double
  ) -> Double {
    func excess(_ progress: Double, _ place: Double) -> Double {
      self.place(ofArc: arc, progress: progress, bend: bend, flatness: flatness) - place
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
