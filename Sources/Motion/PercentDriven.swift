/// The rest of a transition after a gesture that drove it has ended, as UIKit runs it.
public struct PercentDriven: Equatable, Sendable {
  /// How long the whole transition takes, in seconds.
  public let duration: Double
  /// How much faster the rest runs.
  public let completionSpeed: Double
  /// The rest's timing.
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

  /// How long finishing takes from `progress`.
  public func finishDuration(from progress: Double) -> Double {
    (1 - progress) * duration / completionSpeed
  }

  /// How long going back takes from `progress`.
  public func cancelDuration(from progress: Double) -> Double {
    progress * duration / completionSpeed
  }

  /// The rest of the transition from `progress` on, beginning at `start`.
  public func completion(from progress: Double, finishing: Bool, at start: Double) -> Animation {
    .eased(
      completionCurve,
      from: progress,
      to: finishing ? 1 : 0,
      at: start,
      duration: finishing ? finishDuration(from: progress) : cancelDuration(from: progress)
    )
  }

  /// Whether a gesture let go at `progress` with `velocity` (per second) finishes its transition.
  ///
  /// It does when its momentum would carry it past the middle. A last movement against the
  /// transition cancels unless the gesture was all but through.
  public static func finishes(progress: Double, velocity: Double) -> Bool {
    if velocity < -0.5, progress < 0.9 { return false }
    return progress + Scrolling.project(velocityPerSecond: velocity) > 0.5
  }
}
