import TestVectors
import Testing

@testable import Rooms

extension Pace {
  /// Records one lag once a second for a number of seconds, and returns the time of the next
  /// report.
  @discardableResult
  fileprivate mutating func hold(_ lag: Double, from start: Double, seconds: Int) -> Double {
    for second in 0...seconds { note(lag: lag, at: start + Double(second)) }
    return start + Double(seconds) + 1
  }
}

@Suite("The pace of frames to a member")
struct PaceTests {
  @Test("a connection that rejects three messages in a second gets half of the frames at once")
  func refusals() {
    var pace = Pace()
    func refused(at now: Double) -> Bool {
      defer { pace.unblock() }
      return pace.block(at: now)
    }
    #expect([5.0, 5.2, 5.5].map(refused) == [false, false, true])
    #expect(pace.step == .half)
    #expect(!refused(at: 5.6))
    pace = Pace()
    for now in stride(from: 0, to: 10, by: 0.6) { #expect(!refused(at: now), "at \(now)") }
    #expect(pace.step == .full)
  }

  @Test("is full for a member that keeps up, however long")
  func keepingUp() {
    var pace = Pace()
    pace.hold(0.3, from: 0, seconds: 60)
    #expect(pace.step == .full)
    #expect(pace.interval == 0)
  }

  @Test("halves after three seconds of more than 0.3 s, and not before")
  func halving() {
    var pace = Pace()
    pace.hold(0.31, from: 0, seconds: 2)
    #expect(pace.step == .full)
    let isOther = pace.note(lag: 0.31, at: 3)
    #expect(isOther)
    #expect(pace.step == .half)
    #expect(pace.interval == 1.0 / 30)
    pace.hold(0.9, from: 4, seconds: 60)
    #expect(pace.step == .half)
  }

  @Test("falls to ten frames a second for a member that is more than a second behind")
  func slowing() {
    var pace = Pace()
    pace.hold(1.1, from: 0, seconds: 3)
    #expect(pace.step == .slow)
    #expect(pace.interval == 0.1)
  }

  @Test("is not changed by a hiccup")
  func hiccup() {
    var pace = Pace()
    for second in 0..<60 {
      let now = pace.hold(2, from: Double(second) * 4, seconds: 2)
      pace.hold(0.1, from: now, seconds: 0)
    }
    #expect(pace.step == .full)
  }

  @Test("does not mistake two hiccups with a rest between them for one long lag")
  func rest() {
    var pace = Pace()
    pace.note(lag: 2, at: 0)
    pace.note(lag: 2, at: 1)
    pace.note(lag: 2, at: 600)
    #expect(pace.step == .full)
  }

  @Test("counts reports as continuous when one of them is lost or late")
  func lateReports() {
    var pace = Pace()
    for now in [0, 2.5, 3, 5.9] { pace.note(lag: 0.5, at: now) }
    #expect(pace.step == .half)
  }

  @Test("recovers one step at a time")
  func recovering() {
    var pace = Pace()
    var now = pace.hold(2, from: 0, seconds: 3)
    now = pace.hold(0.05, from: now, seconds: 2)
    #expect(pace.step == .slow)
    now = pace.hold(0.05, from: now, seconds: 0)
    #expect(pace.step == .half)
    now = pace.hold(0.05, from: now, seconds: 2)
    #expect(pace.step == .full)
  }

  @Test("does not oscillate on a connection that carries half of the frames")
  func swinging() {
    var pace = Pace()
    var changes = 0
    for second in 0..<600 {
      let lag = pace.step == .full ? 0.6 : 0.1
      if pace.note(lag: lag, at: Double(second)) { changes += 1 }
    }
    #expect(changes < 40, "in ten minutes")
    pace = Pace()
    var now = pace.hold(0.6, from: 0, seconds: 3)
    now = pace.hold(0.1, from: now, seconds: 3)
    #expect(pace.step == .full, "who falls back for the first time is soon forgiven")
  }

  @Test("rejects a connection that accepted nothing for ten seconds")
  func blocked() {
    var pace = Pace()
    #expect(pace.deadline == nil && !pace.isTooSlow(at: 1000))
    pace.block(at: 5)
    pace.block(at: 12)
    #expect(pace.deadline == 15)
    #expect(!pace.isTooSlow(at: 14.9) && pace.isTooSlow(at: 15))
    pace.unblock()
    #expect(pace.deadline == nil && !pace.isTooSlow(at: 15))
  }

  @Test("falls by any number of steps, but rises by one step at a time")
  func steps() {
    for seed in UInt64(0)..<100 {
      var random = SplitMix64(seed: seed)
      var (pace, now, lag) = (Pace(), 0.0, 0.0)
      for _ in 0..<400 {
        now += Double.random(in: 0...1, using: &random)
        if random.happens(0.1) { lag = Double.random(in: -0.1...1.5, using: &random) }
        let before = pace.step
        let isOther = pace.note(lag: lag, at: now)
        #expect(isOther == (pace.step != before), "SEED=\(seed)")
        #expect(!(before == .slow && pace.step == .full), "SEED=\(seed)")
      }
    }
  }
}
