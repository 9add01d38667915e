/// The eye from which every page is seen.
///
/// It is straight above the centre of the stage, where all spines are.
public enum Perspective {
  /// The distance of the eye from the stage, in stage points.
  public static let distance = 2000.0
  /// The matrix entry that produces the perspective.
  public static let m34 = -1.0 / 2000
}
