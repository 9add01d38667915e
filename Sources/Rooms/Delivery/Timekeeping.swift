internal import Fabric
internal import Wire

/// How closely the members of a room keep time, and the delay that compensates for their lateness.
///
/// Times are seconds of the room's clock.
struct Timekeeping: Sendable {
  /// How often the presenter and the hosts receive reports about the other members, in seconds.
  static let reportSeconds = 1.0
  /// The maximum number of reports in one message; of more members, those are sent that keep time
  /// worst or did so when they were last reported.
  static let reportsMax = 32
  /// How often reports are sent if more members than ``reportsMax`` report, in seconds.
  static let manyReportSeconds = 4.0

  /// How long after its time a frame is shown by members that do not present.
  private(set) var delay = PlayoutDelay()
  private var reports: [MemberID: SyncEvent] = [:]
  /// The members whose reports have not been sent.
  private var untold: Set<MemberID> = []
  /// The sync errors that were last sent of some members, in seconds.
  private var told: [MemberID: Double] = [:]
  private var reportTime = -Double.infinity
  private var reportWake: Double?
  private var delayWake: Double?

  /// When something is due; +infinity if nothing is.
  var wakeTime: Double { min(reportWake ?? .infinity, delayWake ?? .infinity) }

  /// Records a member's report.
  /// - Parameters:
  ///   - ack: The report.
  ///   - id: The member.
  ///   - hasOthers: Whether there are other members that could receive it.
  ///   - now: When it was received.
  mutating func note(_ ack: Ack, of id: MemberID, hasOthers: Bool, at now: Double) {
    reports[id] = SyncEvent(member: id.rawValue, error: ack.syncError, roundTrip: ack.roundTrip)
    untold.insert(id)
    if reportWake == nil, hasOthers { reportWake = max(now, reportTime + reportPeriod) }
  }

  private var reportPeriod: Double {
    reports.count > Self.reportsMax ? Self.manyReportSeconds : Self.reportSeconds
  }

  /// Whether reports are to be sent by now.
  func areReportsDue(at now: Double) -> Bool { reportWake.map { $0 <= now } ?? false }

  /// Whether the delay is to be computed by now.
  func isDelayDue(at now: Double) -> Bool { delayWake.map { $0 <= now } ?? false }

  /// Records how late frames reached a member that follows.
  mutating func note(lateness: Double, of id: MemberID, at now: Double) {
    delay.note(lateness: lateness, of: id, at: now)
    planDelay()
  }

  /// Schedules the next computation of the delay, if there are reports.
  mutating func planDelay() {
    if delayWake == nil { delayWake = delay.deadline }
  }

  /// Discards the lateness of a member that is away, presents or watches another stage.
  mutating func forgetLateness(of id: MemberID) { delay.forget(id) }

  /// Removes a member that has left.
  mutating func remove(_ id: MemberID) {
    delay.forget(id)
    reports[id] = nil
    told[id] = nil
    untold.remove(id)
  }

  /// Computes the delay if it is due.
  /// - Parameters:
  ///   - ids: The members of the room.
  ///   - now: The current time.
  /// - Returns: The members that began or ceased to lag; nil if nothing has changed.
  mutating func judgeDelay(of ids: [MemberID], at now: Double) -> Set<MemberID>? {
    guard let wake = delayWake, wake <= now else { return nil }
    delayWake = nil
    let before = Set(ids.filter { delay.lags($0) })
    guard delay.advance(to: now) else { return nil }
    return before.symmetricDifference(ids.filter { delay.lags($0) })
  }

  /// Returns the reports to send, if they are due, and marks them as sent.
  /// - Parameters:
  ///   - ids: The members of the room, in the order of the reports.
  ///   - now: The current time.
  /// - Returns: The last report of each member that has reported since the reports were last due,
  ///   at most ``reportsMax``.
  mutating func takeReports(of ids: [MemberID], at now: Double) -> [SyncEvent] {
    guard let wake = reportWake, wake <= now else { return [] }
    reportWake = nil
    reportTime = now
    defer { untold.removeAll(keepingCapacity: true) }
    let all = ids.filter { untold.contains($0) }.compactMap { reports[$0] }
    guard all.count > Self.reportsMax else {
      for report in all { told[MemberID(report.member)] = report.error }
      return all
    }
    // A member that has recovered must not be shown as late for ever, so its last report counts.
    let ranked = all.indices.map { index in
      (index, max(all[index].error, told[MemberID(all[index].member)] ?? 0))
    }
    let worst = ranked.sorted { $0.1 > $1.1 }.prefix(Self.reportsMax).map(\.0).sorted()
    told = worst.reduce(into: [:]) { $0[MemberID(all[$1].member)] = all[$1].error }
    return worst.map { all[$0] }
  }
}
