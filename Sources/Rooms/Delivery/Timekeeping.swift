internal import Fabric
internal import Wire

/// How closely the members of a room keep time, and the delay that compensates for their lateness.
///
/// Times are seconds of the room's clock.
struct Timekeeping: Sendable {
  /// How often the presenter and the hosts receive reports about the other members, in seconds.
  static let reportSeconds = 1.0

  /// How long after its time a frame is shown by members that do not present.
  private(set) var delay = PlayoutDelay()
  private var reports: [MemberID: SyncEvent] = [:]
  /// The members whose reports have not been sent.
  private var untold: Set<MemberID> = []
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
    reports[id] = SyncEvent(
      member: id.rawValue,
      error: ack.syncError,
      roundTrip: ack.roundTrip
    )
    untold.insert(id)
    if reportWake == nil, hasOthers { reportWake = max(now, reportTime + Self.reportSeconds) }
  }

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
  /// - Returns: The last report of each member that has reported since the reports were last due.
  mutating func takeReports(of ids: [MemberID], at now: Double) -> [SyncEvent] {
    guard let wake = reportWake, wake <= now else { return [] }
    reportWake = nil
    reportTime = now
    defer { untold.removeAll(keepingCapacity: true) }
    return ids.filter { untold.contains($0) }.compactMap { reports[$0] }
  }
}
