public import Motion

/// How a leaf curls while it bends: alike along its whole edge, or more at one of its ends.
///
/// Raw values are those of the wire. The rulings of a slanted curl meet on the line of the spine,
/// beyond the end of the leaf that curls more.
public enum Curl: UInt8, CaseIterable, Sendable {
  /// The rulings are parallel to the spine.
  case even
  /// The lower end curls a little more.
  case lower
  /// The lower corner leads.
  case lowerCorner
  /// The upper end curls a little more.
  case upper
  /// The upper corner leads.
  case upperCorner

  /// How far below the middle of the spine the rulings meet, in page heights, negative above it;
  /// nil for parallel rulings.
  public var apex: Double? {
    switch self {
    case .even: nil
    case .lower: 2.5
    case .lowerCorner: 1
    case .upper: -2.5
    case .upperCorner: -1
    }
  }

  /// The rulings of a leaf that curls in this way.
  public var rulings: Rulings { Rulings(apex: apex) }
}
