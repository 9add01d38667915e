internal import Motion
internal import Scene
internal import Staging
internal import Wire

/// The cameras of a zoom in flight, which are sent ahead of their time.
///
/// A flight begins when a zoom starts to move, and each call of ``next(of:in:now:)`` returns the
/// cameras up to ``Pacing/flownAhead`` seconds from then. Times are seconds of the room's clock.
struct CameraFlight: Sendable {
  /// The time of the last camera that was returned; nil when nothing is in flight.
  private var lastTime: Double?

  /// Whether there are more cameras to come.
  var isUnderWay: Bool { lastTime != nil }

  /// Begins a flight whose first camera, for now, has been sent.
  mutating func begin(at now: Double) { lastTime = now }

  /// Ends the flight where it is.
  mutating func end() { lastTime = nil }

  /// Returns the next cameras, and ends the flight with the first one at rest.
  mutating func next(of zoom: ZoomControl, now: Double) -> [TimedCamera] {
    guard let lastTime else { return [] }
    var cameras: [TimedCamera] = []
    var time = max(lastTime + Pacing.flownStep, now)
    while time <= now + Pacing.flownAhead {
      let matrix = WireMatrix(zoom.camera(at: time).transform)
      cameras.append(TimedCamera(time: time, matrix: matrix))
      guard time < zoom.restTime else {
        end()
        return cameras
      }
      self.lastTime = time
      time += Pacing.flownStep
    }
    return cameras
  }
}
