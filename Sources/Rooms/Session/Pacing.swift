internal import Wire

/// When a stage publishes its next frames: one for each input while a finger drives, batches ahead
/// of their time while something flies, nothing at rest.
struct Pacing: Sendable {
  /// How far ahead of now flown frames are sent, in seconds: longer than a network hiccup, short
  /// enough that a recall wastes little.
  static let flownAhead = 0.25
  /// How often more of them are sent, in seconds.
  static let flownEvery = 0.1
  /// From one flown frame to the next, in seconds.
  static let flownStep = 1.0 / 60
  /// How far ahead a holder may ask for a frame, in seconds.
  static let drivenAheadMax = 0.1
  /// A holder that asks for no frames, while something flies beside its finger, gets them at
  /// this distance, in seconds.
  static let drivenFallback = 0.05
  /// The least time between two driven frames, in seconds.
  static let drivenStep = 1.0 / Double(WireLimits.pointerMessagesPerSecond)
  /// The most copies of driven frames a second, to all members of a room together.
  static let drivenCopies = 60_000.0
  /// The most changes of what flies a second, times the members that they are sent to.
  static let answeredCopies = 10_000.0

  /// When the stage wants to be woken; nil at rest.
  var wakeTime: Double?
  /// Whether the last frame shows the stage at rest.
  var isAtRest = true
  /// Whether a driven frame was put off because the last one was too recent.
  private(set) var owesFrame = false
  /// Whether a change of what flies was put off because the last one was too recent.
  private(set) var owesFlight = false
  private var frameTime = -Double.infinity
  private var flightTime = -Double.infinity

  /// The least time between two driven frames, in seconds: longer in a room of hundreds.
  private static func drivenStep(for members: Int) -> Double {
    max(drivenStep, Double(members) / drivenCopies)
  }

  /// The least time between two changes of what flies, in seconds: however many inputs come at
  /// once, as after a connection that hung, they are answered together.
  private static func flightStep(for members: Int) -> Double {
    max(drivenStep, Double(members) / answeredCopies)
  }

  /// Whether a driven frame may go out now; if not, it is owed.
  mutating func mayDrive(at now: Double, members: Int, isRecall: Bool) -> Bool {
    guard now - frameTime < Self.drivenStep(for: members), !isRecall else { return true }
    owesFrame = true
    return false
  }

  /// Whether a change of what flies may go out now; if not, it is owed.
  mutating func mayRedirect(at now: Double, members: Int) -> Bool {
    guard now - flightTime < Self.flightStep(for: members) else { return true }
    owesFlight = true
    return false
  }

  /// A driven frame goes out.
  mutating func noteDriven(at now: Double) {
    (owesFrame, owesFlight) = (false, false)
    frameTime = now
  }

  /// A change of what flies goes out.
  mutating func noteRedirected(at now: Double) {
    owesFlight = false
    flightTime = now
  }

  /// More of a flight goes out.
  mutating func noteFlown() { owesFrame = false }

  /// Sets ``wakeTime`` for a stage that a finger drives.
  mutating func waitDriven(deadline: Double?, isFlying: Bool, members: Int, now: Double) {
    let fallback = isFlying ? now + Self.drivenFallback : .infinity
    let owed = owesFrame ? frameTime + Self.drivenStep(for: members) : .infinity
    wait(until: min(deadline ?? .infinity, min(fallback, owed)))
  }

  /// Sets ``wakeTime`` for a stage that nobody drives; `arrival` is the time of its last frame
  /// while somebody still holds what has come to rest.
  mutating func waitFlying(deadline: Double?, arrival: Double?, members: Int, now: Double) {
    let flight = isAtRest ? arrival ?? .infinity : now + Self.flownEvery
    let owed = owesFlight ? flightTime + Self.flightStep(for: members) : .infinity
    wait(until: min(min(flight, owed), deadline ?? .infinity))
  }

  /// Sets ``wakeTime``; infinity is never.
  mutating func wait(until time: Double) { wakeTime = time.isFinite ? time : nil }
}
