/// Transitions that a gesture drives, as UIKit ends them.
public enum PercentDriven {
  /// Returns whether a gesture released at `progress` with `velocity` (per second) finishes its
  /// transition.
  ///
  /// It does if its momentum would carry it past the middle. A final movement against the
  /// transition cancels it unless the gesture was almost complete.
  public static func finishes(progress: Double, velocity: Double) -> Bool {
    if velocity < -0.5, progress < 0.9 { return false }
    return progress + Scrolling.project(velocityPerSecond: velocity) > 0.5
  }
}
