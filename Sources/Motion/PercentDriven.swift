/// The rest of a transition after the gesture that drove it has ended, as in UIKit.
public struct PercentDriven: Equatable, Sendable {
  /// The duration of the whole transition, in seconds.
  public let duration: Double
  /// The factor by which the rest runs faster.
  public let completionSpeed: Double
  /// The timing of the rest.
  public let completionCurve: CubicBezier

  /// Creates a transition.
  public init(
    duration: Double,
    completionSpeed: Double = 1,
    completionCurve: CubicBezier = .easeInOut
  ) {
    self.duration = duration
    self.completionSpeed = completionSpeed
    self.completionCurve = completionCurve
  }

  /// Returns how long finishing takes from `progress`.
  public func finishDuration(from progress: Double) -> Double {
    (1 - progress) * duration / completionSpeed
  }

  /// Returns how long going back takes from `progress`.
  public func cancelDuration(from progress: Double) -> Double {
    progress * duration / completionSpeed
  }

  /// Returns the rest of the transition from `progress` on, beginning at `start`.
  public func completion(from progress: Double, finishing: Bool, at start: Double) -> Animation {
    .eased(
      completionCurve,
      from: progress,
      to: finishing ? 1 : 0,
      at: start,
      duration: finishing ? finishDuration(from: progress) : cancelDuration(from: progress)
    )
  }

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
