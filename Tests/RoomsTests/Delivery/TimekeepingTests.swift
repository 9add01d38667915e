import Fabric
import Testing
import Wire

@testable import Rooms

private func ack(_ error: Double) -> Ack {
  Ack(frame: 1, lateness: 0.01, syncError: error, roundTrip: 0.02)
}

@Suite("How well members keep time")
struct TimekeepingTests {
  let a = MemberID(1)
  let b = MemberID(2)

  @Test("reports are sent a second apart, the last of each member, in the order of the members")
  func reports() {
    var timing = Timekeeping()
    timing.note(ack(0.001), of: b, hasOthers: true, at: 10)
    timing.note(ack(0.002), of: a, hasOthers: true, at: 10)
    timing.note(ack(0.003), of: a, hasOthers: true, at: 10)
    #expect(timing.wakeTime == 10)
    var reports = timing.takeReports(of: [a, b], at: 10)
    #expect(reports.map(\.member) == [1, 2] && reports.first?.error == 0.003)
    timing.note(ack(0.004), of: b, hasOthers: true, at: 10.5)
    #expect(timing.wakeTime == 11)
    reports = timing.takeReports(of: [a, b], at: 10.9)
    #expect(reports.isEmpty)
    reports = timing.takeReports(of: [a, b], at: 11)
    #expect(reports.map(\.member) == [2] && timing.wakeTime == .infinity)
  }

  @Test("of many members the worst are reported, every few seconds, and also when they recover")
  func many() {
    var timing = Timekeeping()
    let ids = (1...UInt32(100)).map { MemberID($0) }
    func report(_ error: (MemberID) -> Double, at now: Double) -> [SyncEvent] {
      for id in ids { timing.note(ack(error(id)), of: id, hasOthers: true, at: now) }
      #expect(timing.wakeTime >= now)
      return timing.takeReports(of: ids, at: timing.wakeTime)
    }
    let first = report({ Double($0.rawValue) / 1000 }, at: 10)
    #expect(first.map(\.member) == Array(69...100))
    #expect(timing.wakeTime == .infinity)
    // The last ten have recovered; another ten are late now.
    let second = report({ $0.rawValue > 90 ? 0 : $0.rawValue <= 10 ? 1 : 0.001 }, at: 10.1)
    #expect(
      second.count == Timekeeping.reportsMax && Array(1...10) == second.prefix(10).map(\.member)
    )
    #expect(second.filter { $0.member > 90 }.map(\.error) == Array(repeating: 0, count: 10))
    timing.note(ack(0), of: ids[0], hasOthers: true, at: 11)
    #expect(timing.wakeTime == 10 + 2 * Timekeeping.manyReportSeconds)
  }

  @Test("no report is due to a lone member, or about a member that has left")
  func alone() {
    var timing = Timekeeping()
    timing.note(ack(0.001), of: a, hasOthers: false, at: 10)
    #expect(timing.wakeTime == .infinity)
    timing.note(ack(0.001), of: b, hasOthers: true, at: 10)
    timing.remove(b)
    let reports = timing.takeReports(of: [a], at: 10)
    #expect(reports.map(\.member) == [1])
  }

  @Test("the delay follows the lateness of the members, and identifies those that lag")
  func delay() throws {
    var timing = Timekeeping()
    for step in 0..<10 {
      timing.note(lateness: 0.1, of: a, at: 10 + Double(step))
      timing.note(lateness: 0.9, of: b, at: 10 + Double(step))
    }
    let wake = timing.wakeTime
    #expect(wake.isFinite)
    var changed = timing.judgeDelay(of: [a, b], at: wake - 0.001)
    #expect(changed == nil)
    changed = timing.judgeDelay(of: [a, b], at: max(wake, 19))
    #expect(changed == [b] && timing.delay.lags(b) && !timing.delay.lags(a))
    #expect(timing.delay.value > 0.1 && timing.delay.value < 0.9)
    timing.forgetLateness(of: b)
    #expect(!timing.delay.lags(b))
  }
}
