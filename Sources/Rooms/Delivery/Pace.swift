/// The rate at which one member receives frames: the further the member is behind, the lower the
/// rate.
///
/// The lag of a member is the age of the last frame that it acknowledged, while newer ones were
/// sent. A member that lags for ``steadySeconds`` receives fewer frames; a member that has caught
/// up for as long receives more, one step at a time. A member that falls back soon after a step up
/// waits twice as long for the next one, so that a connection that can carry half of the frames but
/// not all does not alternate between the two.
struct Pace: Equatable, Sendable {
  /// The share of the frames that a member receives.
  enum Step: UInt8, Comparable, Sendable, CaseIterable {
    /// All frames.
    case full
    /// 30 frames a second.
    case half
    /// 10 frames a second.
    case slow

    /// The least time between two frames, in seconds; 0 if there is no limit.
    var interval: Double {
      switch self {
      case .full: 0
      case .half: 1.0 / 30
      case .slow: 1.0 / 10
      }
    }

    /// Orders the steps from fast to slow: a slower step is greater.
    static func < (one: Step, other: Step) -> Bool { one.rawValue < other.rawValue }
  }

  /// The lag beyond which a member receives 30 frames a second, in seconds.
  static let halfLag = 0.3
  /// The lag beyond which a member receives 10 frames a second, in seconds.
  static let slowLag = 1.0
  /// The lag below which a member has caught up, in seconds; it is well below ``halfLag``, so that
  /// the rate does not oscillate.
  static let goodLag = 0.2
  /// How long a lag lasts before it counts, in seconds.
  static let steadySeconds = 3.0
  /// The longest time that a member that fell back waits for the next step up, in seconds.
  static let patienceSeconds = 48.0
  /// Reports further apart than this, in seconds, do not count as continuous: at rest nothing is
  /// sent or acknowledged.
  ///
  /// Members report once a second, and a slow connection delays a report.
  static let gapSeconds = 3.0
  /// This many refusals within ``refusedSeconds`` show, sooner than any lag, that a connection
  /// cannot carry all frames.
  static let refusalsMax = 3
  /// The time over which refusals are counted, in seconds.
  static let refusedSeconds = 1.0
  /// How long a connection may accept nothing before it is closed, in seconds.
  static let blockedSeconds = 10.0

  /// The share of the frames that the member receives.
  private(set) var step = Step.full

  /// The times since which the lag has been beyond each step's limit, and since which it has been
  /// good.
  private var halfSince: Double?
  private var slowSince: Double?
  private var goodSince: Double?
  private var noteTime = -Double.infinity
  /// How long the member must have caught up before the next step up, in seconds.
  private var patience = Self.steadySeconds
  private var stepUpTime = -Double.infinity
  private var blockedSince: Double?
  private var refusals = 0
  private var refusedSince = -Double.infinity

  /// The least time between two frames to the member, in seconds; 0 if there is no limit.
  var interval: Double { step.interval }

  /// Records a lag.
  /// - Parameters:
  ///   - lag: The age of the last frame that was acknowledged, in seconds; negative if there is
  ///     none.
  ///   - now: The current time in seconds; it never decreases.
  /// - Returns: Whether ``step`` has changed.
  @discardableResult
  mutating func note(lag: Double, at now: Double) -> Bool {
    if now - noteTime > Self.gapSeconds { (halfSince, slowSince, goodSince) = (nil, nil, nil) }
    noteTime = now
    halfSince = lag > Self.halfLag ? halfSince ?? now : nil
    slowSince = lag > Self.slowLag ? slowSince ?? now : nil
    goodSince = lag < Self.goodLag ? goodSince ?? now : nil
    let before = step
    if let slowSince, now - slowSince >= Self.steadySeconds, step < .slow {
      fall(to: .slow, at: now)
    } else if let halfSince, now - halfSince >= Self.steadySeconds, step < .half {
      fall(to: .half, at: now)
    } else if let goodSince, now - goodSince >= patience, step > .full {
      step = step == .slow ? .half : .full
      stepUpTime = now
      self.goodSince = now
    }
    return step != before
  }

  private mutating func fall(to step: Step, at now: Double) {
    // A step down long after the last step up does not count as falling back.
    let hasFallenBack = now - stepUpTime <= patience + 2 * Self.steadySeconds
    patience = hasFallenBack ? min(2 * patience, Self.patienceSeconds) : Self.steadySeconds
    self.step = step
  }

  /// Records that the connection accepts nothing more, so that what is written to it waits.
  /// - Returns: Whether ``step`` has changed.
  @discardableResult
  mutating func block(at now: Double) -> Bool {
    blockedSince = blockedSince ?? now
    if now - refusedSince > Self.refusedSeconds { (refusedSince, refusals) = (now, 0) }
    refusals += 1
    guard refusals >= Self.refusalsMax, step == .full else { return false }
    fall(to: .half, at: now)
    return true
  }

  /// Records that the connection accepts messages again.
  mutating func unblock() { blockedSince = nil }

  /// When a connection that still accepts nothing is to be closed; nil while it accepts messages.
  var deadline: Double? { blockedSince.map { $0 + Self.blockedSeconds } }

  /// Whether a connection has accepted nothing for so long that it is to be closed.
  func isTooSlow(at now: Double) -> Bool { deadline.map { $0 <= now } ?? false }
}
