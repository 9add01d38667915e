/// The eye every page is seen by: straight above the stage's centre, on which all spines lie.
public enum Perspective {
  /// How far the eye is from the stage, in points.
  public static let distance = 2000.0
  /// The entry that makes a matrix perspective.
  public static let m34 = -1.0 / 2000
}
