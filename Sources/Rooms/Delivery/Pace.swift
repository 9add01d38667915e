/// How fast frames go out to one member: slower, the further it is behind.
///
/// Its lag is how old the last frame is that it acknowledged, while newer ones were sent. Lagging
/// for ``steadySeconds`` makes it slower; having caught up for as long makes it faster, a step at
/// a time. Who falls back soon after a step up waits twice as long for the next, so that a line
/// that carries half the frames and not all does not swing between them.
struct Pace: Equatable, Sendable {
  /// How many frames.
  enum Step: UInt8, Comparable, Sendable, CaseIterable {
    /// All.
    case full
    /// 30 a second.
    case half
    /// 10 a second.
    case slow

    /// The least time between two frames, in seconds; 0: none.
    var interval: Double {
      switch self {
      case .full: 0
      case .half: 1.0 / 30
      case .slow: 1.0 / 10
      }
    }

    /// Slower is more.
    static func < (one: Step, other: Step) -> Bool { one.rawValue < other.rawValue }
  }

  /// The lag beyond which a member gets half of the frames, in seconds.
  static let halfLag = 0.3
  /// The lag beyond which it gets few, in seconds.
  static let slowLag = 1.0
  /// The lag below which it has caught up: with room to the first, lest it swings; in seconds.
  static let goodLag = 0.2
  /// How long a lag lasts before it counts, in seconds.
  static let steadySeconds = 3.0
  /// The longest that who fell back waits for the next step up, in seconds.
  static let patienceSeconds = 48.0
  /// Notes further apart than this are not of one stretch: at rest nothing is sent, nor
  /// acknowledged; in seconds.
  static let gapSeconds = 2.0
  /// So many refusals within ``refusedSeconds`` say sooner than any lag that a line does not carry
  /// all frames.
  static let refusalsMax = 3
  /// The time in which refusals count together, in seconds.
  static let refusedSeconds = 1.0
  /// How long a connection may take nothing before it is given up, in seconds.
  static let blockedSeconds = 10.0

  /// How many frames the member gets.
  private(set) var step = Step.full

  /// Since when its lag is beyond each step's bound, and since when it has caught up.
  private var halfSince: Double?
  private var slowSince: Double?
  private var goodSince: Double?
  private var noteTime = -Double.infinity
  /// How long it has to have caught up before the next step up.
  private var patience = Self.steadySeconds
  private var stepUpTime = -Double.infinity
  private var blockedSince: Double?
  private var refusals = 0
  private var refusedSince = -Double.infinity

  /// The least time between two frames to the member, in seconds; 0: none.
  var interval: Double { step.interval }

  /// Notes a lag.
  /// - Parameters:
  ///   - lag: The age of the last frame that was acknowledged, in seconds; negative: none.
  ///   - now: An instant in seconds, not before the last.
  /// - Returns: Whether ``step`` is another now.
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
    // Having kept the last step up for longer than it was waited for is no falling back.
    let hasFallenBack = now - stepUpTime <= patience + 2 * Self.steadySeconds
    patience = hasFallenBack ? min(2 * patience, Self.patienceSeconds) : Self.steadySeconds
    self.step = step
  }

  /// The connection takes nothing more: what is written to it waits.
  /// - Returns: Whether ``step`` is another now.
  @discardableResult
  mutating func block(at now: Double) -> Bool {
    blockedSince = blockedSince ?? now
    if now - refusedSince > Self.refusedSeconds { (refusedSince, refusals) = (now, 0) }
    refusals += 1
    guard refusals >= Self.refusalsMax, step == .full else { return false }
    fall(to: .half, at: now)
    return true
  }

  /// The connection takes messages again.
  mutating func unblock() { blockedSince = nil }

  /// When a connection that goes on taking nothing is to be given up; nil while it takes.
  var deadline: Double? { blockedSince.map { $0 + Self.blockedSeconds } }

  /// Whether a connection took nothing for so long that it is to be closed.
  func isTooSlow(at now: Double) -> Bool { deadline.map { $0 <= now } ?? false }
}
