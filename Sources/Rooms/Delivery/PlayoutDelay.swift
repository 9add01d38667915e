internal import Fabric

/// How long after its time a frame is shown by all who follow: one value for a room.
///
/// Were it each member's own, their pages would turn at different moments. It is the least that
/// lets 95 of 100 keep up, within bounds: those who come so late that more than ``most`` would be
/// needed lag, and the others do not wait for them. It moves in steps; pages draw near to a new
/// value slowly, so that nobody sees it.
///
/// Each member's lateness is the second largest of its last 20 reports, which is their 95th
/// percentile: at two reports a second one hiccup in ten seconds is forgiven. Reports of whoever
/// presents are not to be noted, since it shows its frames at once.
struct PlayoutDelay: Equatable, Sendable {
  /// The least delay, two frames of 60 a second, in seconds.
  static let least = 0.033
  /// The most, in seconds: what holds 95 of 100 frames of a line of 160 ms there and back that
  /// loses two segments of a hundred, each of which holds up those behind it for a round trip or
  /// more.
  static let most = 0.250
  /// Before anything is known, in seconds.
  static let initial = 0.050
  /// What is added to the lateness, half a frame, in seconds.
  static let margin = 0.008
  /// A member that lags keeps up again below this lateness, in seconds.
  static let recovered = 0.200
  /// How often the delay is computed while there are reports, in seconds.
  static let period = 2.0
  /// A delay that differs by less stays as it is: no news for what nobody sees; in seconds.
  static let grain = 0.001
  /// How many reports of a member count.
  static let reportsKept = 20
  /// How many reports a member is judged by at least.
  static let reportsNeeded = 4
  /// After so long without a report those before are of another time, in seconds.
  static let staleSeconds = 30.0

  /// The delay, in seconds.
  private(set) var value = Self.initial
  /// When ``advance(to:)`` will have something to do; nil without new reports.
  private(set) var deadline: Double?

  private var computedTime = -Double.infinity
  private var members: [MemberID: Reports] = [:]

  /// The last reports of one member.
  private struct Reports: Equatable {
    var lateness: [Double] = []
    /// Where the next report goes once there are enough.
    var place = 0
    var time = -Double.infinity
    /// The 95th percentile; nil while there are too few.
    var percentile: Double?
    var lags = false

    mutating func add(_ report: Double, at now: Double) {
      if lateness.count < reportsKept {
        lateness.append(report)
      } else {
        lateness[place] = report
        place = (place + 1) % reportsKept
      }
      time = now
      guard lateness.count >= reportsNeeded else { return }
      percentile = percentilePlace(of: lateness.count).map { lateness.sorted()[$0] }
    }
  }

  /// Notes how late frames came to a member that follows.
  /// - Parameters:
  ///   - lateness: How long after its time the latest of them came, in seconds; negative: before.
  ///     What is not finite is ignored.
  ///   - id: The member.
  ///   - now: When it was reported, in seconds.
  mutating func note(lateness: Double, of id: MemberID, at now: Double) {
    guard lateness.isFinite else { return }
    var reports = members[id] ?? Reports()
    if now - reports.time > Self.staleSeconds { reports = Reports(lags: reports.lags) }
    reports.add(lateness, at: now)
    members[id] = reports
    guard deadline == nil else { return }
    let next = computedTime + Self.period
    deadline = next > now ? next : now + Self.period
  }

  /// A member is gone, or presents: what it reported no longer counts.
  mutating func forget(_ id: MemberID) { members[id] = nil }

  /// Whether a member comes so late that the others do not wait for it.
  func lags(_ id: MemberID) -> Bool { members[id]?.lags ?? false }

  /// Computes the delay, when it is time to.
  /// - Returns: Whether ``value`` or the answer of ``lags(_:)`` to some member is another now.
  mutating func advance(to now: Double) -> Bool {
    guard let deadline, deadline <= now else { return false }
    self.deadline = nil
    computedTime = now
    let haveChanged = judge()
    let known = members.values.filter { now - $0.time <= Self.staleSeconds }
    let healthy = known.filter { !$0.lags }.compactMap(\.percentile).sorted()
    let late: Double
    if let place = percentilePlace(of: healthy.count) {
      late = healthy[place]
    } else if known.contains(where: \.lags) {
      // Nobody is kept waiting, and those who lag see the more.
      late = Self.most
    } else {
      return haveChanged
    }
    let next = min(max(late + Self.margin, Self.least), Self.most)
    guard abs(next - value) >= Self.grain else { return haveChanged }
    value = next
    return true
  }

  /// Tells apart who lags: sooner than it recovers, so that nobody swings.
  private mutating func judge() -> Bool {
    var haveChanged = false
    for (id, reports) in members {
      guard let percentile = reports.percentile else { continue }
      let lags = percentile > (reports.lags ? Self.recovered : Self.most)
      guard lags != reports.lags else { continue }
      members[id]?.lags = lags
      haveChanged = true
    }
    return haveChanged
  }
}

/// Where the 95th percentile is among values in ascending order, by the nearest rank; nil if there
/// are none.
private func percentilePlace(of count: Int) -> Int? {
  // Whole numbers, since 0.95 of 20 is a little more than 19.
  count > 0 ? (count * 95 + 99) / 100 - 1 : nil
}
