internal import Fabric
internal import Wire

/// How well the members of a room keep time, and the delay that makes up for their lateness.
///
/// Times are seconds of the room's clock.
struct Timekeeping: Sendable {
  /// How often the presenter and hosts are told of the others, in seconds.
  static let reportSeconds = 1.0

  /// How long after its time a frame is shown by members that do not present.
  private(set) var delay = PlayoutDelay()
  private var reports: [MemberID: SyncEvent] = [:]
  /// The members whose reports have not been told.
  private var untold: Set<MemberID> = []
  private var reportTime = -Double.infinity
  private var reportWake: Double?
  private var delayWake: Double?

  /// When something is due; +infinity if nothing is.
  var wakeTime: Double { min(reportWake ?? .infinity, delayWake ?? .infinity) }

  /// Notes a member's report.
  /// - Parameters:
  ///   - ack: The report.
  ///   - id: The member.
  ///   - hasOthers: Whether there is anybody else to be told.
  ///   - now: When it came.
  mutating func note(_ ack: Ack, of id: MemberID, hasOthers: Bool, at now: Double) {
    reports[id] = SyncEvent(
      member: id.rawValue,
      error: ack.syncError,
      roundTrip: ack.roundTrip
    )
    untold.insert(id)
    if reportWake == nil, hasOthers { reportWake = max(now, reportTime + Self.reportSeconds) }
  }

  /// Notes how late frames came to a member that follows.
  mutating func note(lateness: Double, of id: MemberID, at now: Double) {
    delay.note(lateness: lateness, of: id, at: now)
    planDelay()
  }

  /// Plans when the delay is computed next, if there are reports.
  mutating func planDelay() {
    if delayWake == nil { delayWake = delay.deadline }
  }

  /// Forgets how late a member was that is away, presents or looks at another stage.
  mutating func forgetLateness(of id: MemberID) { delay.forget(id) }

  /// Forgets a member that has left.
  mutating func remove(_ id: MemberID) {
    delay.forget(id)
    reports[id] = nil
    untold.remove(id)
  }

  /// Computes the delay, if it is due.
  /// - Parameters:
  ///   - ids: The members of the room.
  ///   - now: When.
  /// - Returns: The members that lag now and did not, or the other way round; nil if nothing has
  ///   changed.
  mutating func judgeDelay(of ids: [MemberID], at now: Double) -> Set<MemberID>? {
    guard let wake = delayWake, wake <= now else { return nil }
    delayWake = nil
    let before = Set(ids.filter { delay.lags($0) })
    guard delay.advance(to: now) else { return nil }
    return before.symmetricDifference(ids.filter { delay.lags($0) })
  }

  /// Takes the reports that are to be told, if they are due.
  /// - Parameters:
  ///   - ids: The members of the room, in the order of the reports.
  ///   - now: When.
  /// - Returns: The last report of each member that has reported since this was last called.
  mutating func takeReports(of ids: [MemberID], at now: Double) -> [SyncEvent] {
    guard let wake = reportWake, wake <= now else { return [] }
    reportWake = nil
    reportTime = now
    defer { untold.removeAll(keepingCapacity: true) }
    return ids.filter { untold.contains($0) }.compactMap { reports[$0] }
  }
}
