/// The position of an open, opening or closed book at one moment.
public struct BookPose: Equatable, Sendable {
  /// The open spread, counted from 0; fractional while a leaf turns.
  public var offset: Double
  /// How far the book is open: 0 for closed, 1 for open; a spring may leave that range.
  public var openness: Double
  /// Whether the book closes onto its back cover, and then turns over, rather than onto its front
  /// cover.
  public var closesOnBack: Bool
  /// How far right of the stage's centre the closed book is, in stage points.
  public var shift: Double
  /// The scale of the closed book.
  public var closedScale: Double
  /// The pose of the open book: 0 for standing, in which a leaf rests at 45 degrees, and 1 for flat
  /// on the table.
  public var flatness: Double
  /// The bend of the turning leaf, in -1...1: positive if its free edge leads on its way to the
  /// left, 0 if it is rigid.
  public var bend: Double
  /// The lines about which the turning leaf bends.
  public var rulings: Rulings
  /// Whether the book is seen in a mirror, so that its light comes from the upper right.
  public var isMirrored: Bool

  /// Creates a pose; by default, of an open book that stands in the middle.
  public init(
    offset: Double,
    openness: Double = 1,
    closesOnBack: Bool = false,
    shift: Double = 0,
    closedScale: Double = 0.7,
    flatness: Double = 0,
    bend: Double = 0,
    rulings: Rulings = .parallel,
    isMirrored: Bool = false
  ) {
    (self.offset, self.openness, self.closesOnBack) = (offset, openness, closesOnBack)
    (self.shift, self.closedScale, self.flatness, self.bend) = (shift, closedScale, flatness, bend)
    (self.rulings, self.isMirrored) = (rulings, isMirrored)
  }
}
