/// Transitions that a gesture drives, as UIKit ends them.
public enum PercentDriven {
  /// Whether a gesture let go at `progress` with `velocity` (per second) finishes its transition.
  ///
  /// It does when its momentum would carry it past the middle. A last movement against the
  /// transition cancels unless the gesture was all but through.
  public static func finishes(progress: Double, velocity: Double) -> Bool {
    if velocity < -0.5, progress < 0.9 { return false }
    return progress + Scrolling.project(velocityPerSecond: velocity) > 0.5
  }
}
