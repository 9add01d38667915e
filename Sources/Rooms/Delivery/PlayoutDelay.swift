internal import Fabric

/// The delay with which all followers show a frame after its time: one value for a room.
///
/// If each member had its own delay, their pages would turn at different moments. The delay is the
/// least, within limits, with which 95 of 100 members keep up: members that would need more than
/// ``most`` lag, and the others do not wait for them. The delay changes in steps; pages approach a
/// new value slowly, so that nobody notices.
///
/// The lateness of a member is the second largest of its last 10 reports: at one report a second,
/// one hiccup in ten seconds is ignored. The reports of the presenter must not be recorded, because
/// it shows its frames at once.
struct PlayoutDelay: Equatable, Sendable {
  /// The least delay in seconds: two frames at 60 frames a second.
  static let least = 0.033
  /// The greatest delay in seconds.
  ///
  /// It covers 95 of 100 frames on a connection with a round trip of 160 ms that loses two segments
  /// of a hundred, each of which holds up those behind it for a round trip or more.
  static let most = 0.250
  /// The delay before any report, in seconds.
  static let initial = 0.050
  /// The margin that is added to the lateness, in seconds: half a frame.
  static let margin = 0.008
  /// A member that lags counts again below this lateness, in seconds.
  static let recovered = 0.200
  /// How often the delay is computed while members report, in seconds.
  static let period = 2.0
  /// The least change of the delay, in seconds; nobody would notice a smaller one.
  static let grain = 0.001
  /// How many reports of a member are kept.
  static let reportsKept = 10
  /// How many reports of a member are needed before it is judged.
  static let reportsNeeded = 2
  /// After this many seconds without a report, earlier reports no longer count.
  static let staleSeconds = 30.0

  /// The delay, in seconds.
  private(set) var value = Self.initial
  /// When ``advance(to:)`` will have something to do; nil if there are no new reports.
  private(set) var deadline: Double?

  private var computedTime = -Double.infinity
  private var members: [MemberID: Reports] = [:]

  /// The last reports of one member.
  private struct Reports: Equatable {
    var lateness: [Double] = []
    /// The index that the next report replaces once there are enough.
    var place = 0
    var time = -Double.infinity
    /// The second largest of enough reports, the largest of fewer; nil if there are too few.
    var usual: Double?
    var lags = false

    mutating func add(_ report: Double, at now: Double) {
      if now - time > staleSeconds {
        lateness.removeAll(keepingCapacity: true)
        (place, usual) = (0, nil)
      }
      if lateness.count < reportsKept {
        lateness.append(report)
      } else {
        lateness[place] = report
        place = (place + 1) % reportsKept
      }
      time = now
      if lateness.count >= reportsNeeded { usual = lateTail }
    }

    /// The largest report, or the second largest if there are enough of them.
    private var lateTail: Double {
      var (largest, second) = (-Double.infinity, -Double.infinity)
      for value in lateness {
        if value > largest {
          (largest, second) = (value, largest)
        } else {
          second = max(second, value)
        }
      }
      return lateness.count < reportsKept ? largest : second
    }
  }

  /// Records how late frames reached a member that follows.
  ///
  /// The cost does not depend on the number of members.
  /// - Parameters:
  ///   - lateness: How long after its time the latest frame arrived, in seconds; negative if it
  ///     arrived earlier. Values that are not finite are ignored.
  ///   - id: The member.
  ///   - now: When the member reported it, in seconds.
  mutating func note(lateness: Double, of id: MemberID, at now: Double) {
    guard lateness.isFinite else { return }
    members[id, default: Reports()].add(lateness, at: now)
    guard deadline == nil else { return }
    let next = computedTime + Self.period
    deadline = next > now ? next : now + Self.period
  }

  /// Discards the reports of a member that is gone or presents.
  mutating func forget(_ id: MemberID) { members[id] = nil }

  /// Whether a member is so late that the others do not wait for it.
  func lags(_ id: MemberID) -> Bool { members[id]?.lags ?? false }

  /// Computes the delay if it is due.
  /// - Returns: Whether ``value``, or the result of ``lags(_:)`` for any member, has changed.
  mutating func advance(to now: Double) -> Bool {
    guard let deadline, deadline <= now else { return false }
    self.deadline = nil
    computedTime = now
    let haveChanged = judge()
    let known = members.values.filter { now - $0.time <= Self.staleSeconds }
    let healthy = known.filter { !$0.lags }.compactMap(\.usual).sorted()
    let late: Double
    if let place = percentilePlace(of: healthy.count) {
      late = healthy[place]
    } else if known.contains(where: \.lags) {
      // The longest delay keeps nobody waiting, and members that lag can show more frames on time.
      late = Self.most
    } else {
      return haveChanged
    }
    let next = min(max(late + Self.margin, Self.least), Self.most)
    guard abs(next - value) >= Self.grain else { return haveChanged }
    value = next
    return true
  }

  /// Decides which members lag.
  ///
  /// The limit for recovery is lower, so that no member alternates.
  private mutating func judge() -> Bool {
    var haveChanged = false
    for (id, reports) in members {
      guard let usual = reports.usual else { continue }
      let lags = usual > (reports.lags ? Self.recovered : Self.most)
      guard lags != reports.lags else { continue }
      members[id]?.lags = lags
      haveChanged = true
    }
    return haveChanged
  }
}

/// Returns the index of the 95th percentile among values in ascending order, by the nearest rank;
/// nil if there are none.
private func percentilePlace(of count: Int) -> Int? {
  // Integers, because 0.95 of 20 is slightly more than 19 in floating point.
  count > 0 ? (count * 95 + 99) / 100 - 1 : nil
}
