import Fabric
import TestVectors
import Testing

@testable import Rooms

private func near(_ value: Double, _ other: Double) -> Bool { abs(value - other) < 1e-12 }

extension PlayoutDelay {
  /// Makes members report these latenesses, once a second for a number of seconds, in order of
  /// their ids.
  fileprivate mutating func report(_ lateness: [Double], from start: Double, seconds: Int) {
    for second in 0..<seconds {
      let now = start + Double(second)
      for (index, late) in lateness.enumerated() {
        note(lateness: late, of: MemberID(UInt32(index)), at: now)
      }
      if let deadline, deadline <= now { _ = advance(to: now) }
    }
  }
}

@Suite("The playout delay")
struct PlayoutDelayTests {
  @Test("is 50 ms before the first report, and needs no wake-up")
  func initial() {
    var delay = PlayoutDelay()
    #expect(delay.value == 0.050)
    #expect(delay.deadline == nil)
    let hasChanged = delay.advance(to: 1000)
    #expect(!hasChanged && delay.value == 0.050)
  }

  @Test("is the lateness of the members plus 8 ms", arguments: [0.030, 0.061, 0.112])
  func lateness(_ late: Double) {
    var delay = PlayoutDelay()
    delay.report([late, 0.001], from: 0, seconds: 10)
    #expect(near(delay.value, late + 0.008))
  }

  @Test("is at least 33 ms and at most 250 ms", arguments: [-0.5, 0.0, 0.245, 0.249, 0.3, 9])
  func bounds(_ late: Double) {
    var delay = PlayoutDelay()
    delay.report([late], from: 0, seconds: 10)
    #expect(near(delay.value, late > 0.1 ? 0.250 : 0.033))
  }

  @Test("is computed every two seconds while reports arrive")
  func schedule() {
    var delay = PlayoutDelay()
    delay.note(lateness: 0.1, of: MemberID(1), at: 10)
    #expect(delay.deadline == 12)
    for now in [11, 11.5] { delay.note(lateness: 0.1, of: MemberID(1), at: now) }
    #expect(delay.deadline == 12)
    let isEarly = delay.advance(to: 11.9)
    let hasChanged = delay.advance(to: 12)
    #expect(!isEarly && hasChanged && near(delay.value, 0.108))
    #expect(delay.deadline == nil)
    delay.note(lateness: 0.1, of: MemberID(1), at: 12.5)
    #expect(delay.deadline == 14)
    let hasChangedAgain = delay.advance(to: 14)
    #expect(!hasChangedAgain)
    delay.note(lateness: 0.1, of: MemberID(1), at: 100)
    #expect(delay.deadline == 102)
  }

  @Test("ignores one hiccup in ten seconds, but not two")
  func hiccups() {
    var delay = PlayoutDelay()
    delay.report([0.040], from: 0, seconds: 10)
    delay.note(lateness: 0.9, of: MemberID(0), at: 10)
    _ = delay.advance(to: 12)
    #expect(near(delay.value, 0.048))
    delay.note(lateness: 0.9, of: MemberID(0), at: 12.5)
    _ = delay.advance(to: 14)
    #expect(delay.lags(MemberID(0)))
  }

  @Test("does not wait for the slowest of twenty members")
  func crowd() {
    var delay = PlayoutDelay()
    delay.report(Array(repeating: 0.040, count: 19) + [0.110], from: 0, seconds: 10)
    #expect(near(delay.value, 0.048))
  }

  @Test("does not wait for a member that lags, and identifies it")
  func lagging() {
    var delay = PlayoutDelay()
    delay.report([0.040, 0.251], from: 0, seconds: 10)
    #expect(near(delay.value, 0.048))
    #expect(!delay.lags(MemberID(0)) && delay.lags(MemberID(1)) && !delay.lags(MemberID(2)))
  }

  @Test("counts a member that lagged again only when it is well below the bound")
  func hysteresis() {
    var delay = PlayoutDelay()
    delay.report([0.040, 0.260], from: 0, seconds: 10)
    delay.report([0.040, 0.230], from: 10, seconds: 14)
    #expect(delay.lags(MemberID(1)))
    delay.report([0.040, 0.190], from: 24, seconds: 14)
    #expect(!delay.lags(MemberID(1)))
    #expect(near(delay.value, 0.198))
    delay.report([0.040, 0.230], from: 38, seconds: 14)
    #expect(!delay.lags(MemberID(1)))
  }

  @Test("has its maximum when all members lag")
  func allLag() {
    var delay = PlayoutDelay()
    delay.report([0.3, 0.5], from: 0, seconds: 10)
    #expect(delay.value == 0.250)
  }

  @Test("needs two finite reports of a member to judge it")
  func fewReports() {
    var delay = PlayoutDelay()
    for late in [0.110, .nan, .infinity] {
      delay.note(lateness: late, of: MemberID(1), at: 0)
    }
    var hasChanged = delay.advance(to: 2)
    #expect(!hasChanged && delay.value == 0.050)
    delay.note(lateness: 0.090, of: MemberID(1), at: 3)
    hasChanged = delay.advance(to: 4)
    #expect(hasChanged && near(delay.value, 0.118))
  }

  @Test("forgets members that have left, and old reports")
  func forgetting() {
    var delay = PlayoutDelay()
    delay.report([0.040, 0.090], from: 0, seconds: 10)
    #expect(near(delay.value, 0.098))
    delay.forget(MemberID(1))
    delay.report([0.040], from: 10, seconds: 4)
    #expect(near(delay.value, 0.048))
    delay.report([0.040, 0.090], from: 14, seconds: 10)
    #expect(near(delay.value, 0.098))
    delay.report([0.040], from: 60, seconds: 4)
    #expect(near(delay.value, 0.048))
  }

  @Test("stays within its bounds for any reports, and equal reports give equal delays")
  func properties() {
    func run(_ seed: UInt64) -> PlayoutDelay {
      var random = SplitMix64(seed: seed)
      var (delay, now) = (PlayoutDelay(), 0.0)
      for _ in 0..<500 {
        now += Double.random(in: 0...0.2, using: &random)
        let id = MemberID(UInt32.random(in: 0...7, using: &random))
        if random.happens(0.02) { delay.forget(id) }
        delay.note(lateness: Double.random(in: -0.1...0.2, using: &random), of: id, at: now)
        let before = delay
        let hasChanged = delay.advance(to: now)
        let lags = (UInt32(0)...7).map(MemberID.init).contains { before.lags($0) != delay.lags($0) }
        #expect(hasChanged == (lags || delay.value != before.value), "SEED=\(seed)")
        #expect((PlayoutDelay.least...PlayoutDelay.most).contains(delay.value), "SEED=\(seed)")
      }
      return delay
    }
    for seed in UInt64(0)..<50 { #expect(run(seed) == run(seed), "SEED=\(seed)") }
  }
}
