/// A point of the paper of a leaf.
public struct PaperPoint: Equatable, Sendable {
  /// The distance from the spine, as a fraction of the leaf's width.
  public var arc: Double
  /// The distance below the middle, in page heights: -0.5...0.5 on the leaf.
  public var height: Double

  /// Creates a point.
  public init(arc: Double, height: Double) { (self.arc, self.height) = (arc, height) }
}

/// The shape of a turning leaf of the open book.
public struct LeafShape: Equatable, Sendable {
  /// How far the leaf has turned from right to left, 0...1.
  public var progress: Double
  /// The bend.
  public var bend: Double
  /// The lines about which it bends.
  public var rulings: Rulings
  /// The pose of the book.
  public var flatness: Double

  /// Creates a shape.
  public init(progress: Double, bend: Double, rulings: Rulings = .parallel, flatness: Double) {
    (self.progress, self.bend, self.rulings, self.flatness) = (progress, bend, rulings, flatness)
  }

  var profile: LeafProfile { LeafProfile(progress: progress, bend: bend, flatness: flatness) }
}
