/// The rule by which transitions that a gesture drives finish or cancel, as in UIKit.
public enum PercentDriven {
  /// Returns whether a gesture released at `progress` with `velocity` (per second) finishes its
  /// transition.
  ///
  /// A gesture finishes the transition if its momentum would carry it past the middle. A final
  /// movement against the transition cancels it unless the transition was almost complete.
  public static func finishes(progress: Double, velocity: Double) -> Bool {
    if velocity < -0.5, progress < 0.9 { return false }
    return progress + Scrolling.project(velocityPerSecond: velocity) > 0.5
  }
}
