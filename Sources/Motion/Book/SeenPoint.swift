/// A point of the paper of a turning leaf: where it is seen, and how far the leaf has to turn so
/// that it is seen at a given place.
///
/// Places are seen places, in stage points to the right of the centre, of the open book in the
/// middle. A leaf has one place for both of its sides, half-way between them, so that nothing jumps
/// where one side replaces the other.
public struct SeenPoint {
  /// The accuracy of a found progress.
  private static let accuracy = 1e-10
  private static let stepsMax = 60

  /// Where the point is seen when the leaf rests on the right, and on the left; a resting leaf is
  /// not bent.
  public struct Rests: Equatable, Sendable {
    /// A place, in stage points to the right of the centre.
    public fileprivate(set) var right = 0.0, left = 0.0
  }

  /// Where the point rests.
  public private(set) var rests: Rests
  private let shape: LeafShape
  private let pose: Pose
  /// The distances from the spine and below the middle, in stage points.
  private let (x, y): (Double, Double)
  /// Where the ruling through the point crosses the far edge.
  private let crossing: Double

  /// Creates a point of a leaf.
  /// - Parameters:
  ///   - point: The point of the paper.
  ///   - shape: The shape of the leaf, whose own progress has no effect.
  ///   - layout: The layout of the book.
  ///   - rests: Where the point rests, if that is known from a shape with another bend.
  public init(
    _ point: PaperPoint,
    on shape: LeafShape,
    of layout: BookLayout,
    rests: Rests? = nil
  ) {
    self.shape = shape
    pose = Pose(box: layout.box, BookPose(offset: 0, flatness: shape.flatness))
    let scaled = Pose.scale(flatness: shape.flatness)
    x = point.arc * layout.box.size.width * scaled
    y = point.height * layout.box.size.height * scaled
    crossing = shape.rulings.position(arc: point.arc, height: point.height)
    self.rests = rests ?? Rests()
    if rests == nil { self.rests = Rests(right: place(at: 0), left: place(at: 1)) }
  }

  /// Returns where the point is seen when the leaf has turned from right to left by 0...1.
  public func place(at progress: Double) -> Double {
    let profile = LeafProfile(progress: progress, bend: shape.bend, flatness: shape.flatness)
    var strips = LeafStrips(profile, shape.rulings, in: pose, tilt: pose.tilt / 2)
    var index = 0.0
    while let strip = strips.advance() {
      index += 1
      let outer = index / Double(LeafStrips.count)
      guard crossing <= outer || outer > 1 - 1e-9 else { continue }
      let position = strip.position(x, y)
      return position.x / (1 + position.z * Perspective.m34)
    }
    return 0
  }

  /// Returns how far the leaf on its way from right to left has to turn so that the point is seen
  /// at a place: the greatest such progress, 0...1.
  ///
  /// A place to the right of the point at rest gives the progress at which the point is seen where
  /// it rests, which is above 0 in a flat book: there the point first moves away from the spine.
  /// The same holds for a place to the left of the point at its other rest.
  public func progress(at place: Double) -> Double {
    let (right, left) = (rests.right, rests.left)
    let wanted = min(max(place, left), right)
    func excess(_ progress: Double) -> Double { self.place(at: progress) - wanted }
    // Illinois' variant of the rule of false position, within a bracket: with progress, the excess
    // changes its sign once.
    var (low, high) = (0.0, 1.0)
    var (above, below) = (right - wanted, left - wanted)
    if below >= 0 { high = Self.turningPoint { excess($0) } ?? 1 }
    if high < 1 { below = excess(high) }
    if above <= 0 { low = Self.turningPoint { -excess(1 - $0) }.map { 1 - $0 } ?? 0 }
    if low > 0 { above = excess(low) }
    guard above > 0 else { return low }
    guard below < 0 else { return high }
    var side = 0
    for _ in 0..<Self.stepsMax where high - low > Self.accuracy {
      let middle = low + (high - low) * above / (above - below)
      let value = excess(middle)
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
