internal import Wire

/// The times at which a stage publishes its next frames: one for each input while a finger drives,
/// batches ahead of their time during a flight, nothing at rest.
struct Pacing: Sendable {
  /// How far ahead of now flown frames are sent, in seconds.
  ///
  /// When the next batch is sent, members still have 0.15 s of frames, more than a network hiccup
  /// takes. A recall overtakes nothing that is on its way: the largest batch, of 27 frames of bent
  /// paper, keeps a connection of one megabit a second busy for 0.15 s.
  static let flownAhead = 0.45
  /// How often the next batch is sent, in seconds: each batch is a message to every member.
  static let flownEvery = 0.3
  /// The time between two flown frames, in seconds.
  static let flownStep = 1.0 / 60
  /// How far ahead a holder may request a frame, in seconds.
  static let drivenAheadMax = 0.1
  /// The interval of frames for a holder that requests none while something flies beside its
  /// finger, in seconds.
  static let drivenFallback = 0.05
  /// The least time between two driven frames, in seconds.
  static let drivenStep = 1.0 / Double(WireLimits.pointerMessagesPerSecond)
  /// The maximum number of copies of driven frames per second, for all members of a room together.
  static let drivenCopies = 60_000.0
  /// The maximum number of changes of a flight per second, times the members that receive them.
  static let answeredCopies = 10_000.0

  /// When to wake the stage; nil at rest.
  var wakeTime: Double?
  /// When to free what only motion needs; nil if that is done.
  private(set) var restWake: Double?
  /// Whether the last frame shows the stage at rest.
  var isAtRest = true
  /// Whether a driven frame was postponed because the last one was too recent.
  private(set) var owesFrame = false
  /// Whether a change of a flight was postponed because the last one was too recent.
  private(set) var owesFlight = false
  /// When the next driven frame is due at the greatest rate.
  private var nextDriven = -Double.infinity
  private var flightTime = -Double.infinity

  /// The least time between two driven frames, in seconds: longer in a room of hundreds.
  private static func drivenStep(for members: Int) -> Double {
    max(drivenStep, Double(members) / drivenCopies)
  }

  /// The least time between two changes of a flight, in seconds: all inputs that arrive at once,
  /// for example after a connection hung, are answered together.
  private static func flightStep(for members: Int) -> Double {
    max(drivenStep, Double(members) / answeredCopies)
  }

  /// Returns whether a driven frame may be sent now; if not, it is owed.
  ///
  /// A frame may be early by half a step, as the later ones are then due later: inputs that arrive
  /// unevenly at the greatest rate are not postponed.
  mutating func mayDrive(at now: Double, members: Int, isRecall: Bool) -> Bool {
    guard now < earliestDriven(for: members), !isRecall else { return true }
    owesFrame = true
    return false
  }

  private func earliestDriven(for members: Int) -> Double {
    nextDriven - Self.drivenStep(for: members) / 2
  }

  /// Returns whether a change of a flight may be sent now; if not, it is owed.
  mutating func mayRedirect(at now: Double, members: Int) -> Bool {
    guard now - flightTime < Self.flightStep(for: members) else { return true }
    owesFlight = true
    return false
  }

  /// Records that a driven frame is sent.
  mutating func noteDriven(at now: Double, members: Int) {
    (owesFrame, owesFlight) = (false, false)
    let step = Self.drivenStep(for: members)
    // Recalls are sent at any time; they must not postpone later frames further and further.
    nextDriven = min(max(nextDriven, now) + step, now + 1.5 * step)
  }

  /// Records that a change of a flight is sent.
  mutating func noteRedirected(at now: Double) {
    owesFlight = false
    flightTime = now
  }

  /// Records that more frames of a flight are sent.
  mutating func noteFlown() { owesFrame = false }

  /// Records that something moves without a finger.
  mutating func noteMotion(at now: Double) {
    // Only once until it is due, because this is called for each frame.
    if restWake == nil { restWake = now + FrameStream.restAfter }
  }

  /// Decides whether to free what only motion needs, because nothing has moved for long enough.
  /// - Parameters:
  ///   - now: The time.
  ///   - lastFrame: The time of the last frame.
  ///   - isDriven: Whether a finger holds something; the flight after it is noted.
  /// - Returns: Whether to free it.
  mutating func endsMotion(at now: Double, lastFrame: Double, isDriven: Bool) -> Bool {
    guard let wake = restWake, wake <= now else { return false }
    restWake = nil
    guard !isDriven else { return false }
    let rest = lastFrame + FrameStream.restAfter
    restWake = !isAtRest ? now + FrameStream.restAfter : rest > now ? rest : nil
    return restWake == nil
  }

  /// Sets ``wakeTime`` for a stage that a finger drives.
  mutating func waitDriven(deadline: Double?, isFlying: Bool, members: Int, now: Double) {
    let fallback = isFlying ? now + Self.drivenFallback : .infinity
    let owed = owesFrame ? earliestDriven(for: members) : .infinity
    wait(until: min(deadline ?? .infinity, min(fallback, owed)))
  }

  /// Sets ``wakeTime`` for a stage that nobody drives; `arrival` is the time of its last frame
  /// while a member still holds what has come to rest.
  mutating func waitFlying(deadline: Double?, arrival: Double?, members: Int, now: Double) {
    let flight = isAtRest ? arrival ?? .infinity : now + Self.flownEvery
    let owed = owesFlight ? flightTime + Self.flightStep(for: members) : .infinity
    wait(until: min(min(flight, owed), deadline ?? .infinity))
  }

  /// Sets ``wakeTime``; infinity means never.
  mutating func wait(until time: Double) { wakeTime = time.isFinite ? time : nil }
}
