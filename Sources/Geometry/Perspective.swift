/// The eye from which every page is seen: straight above the centre of the stage, where all spines
/// are.
public enum Perspective {
  /// The distance of the eye from the stage, in points.
  public static let distance = 2000.0
  /// The matrix entry that causes the perspective.
  public static let m34 = -1.0 / 2000
}
