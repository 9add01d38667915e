import TestVectors
import Testing

@testable import WebServer

@Suite("The wheel of checks for silence")
struct SilenceWheelTests {
  private func id(_ number: Int) -> ConnectionID {
    ConnectionID(slot: UInt32(number), generation: 0)
  }

  @Test("a check is never early, never late by more than a step, and happens once")
  func punctuality() {
    for seed in UInt64(0)..<100 {
      var random = SplitMix64(seed: seed)
      // Limits are whole seconds, which are whole steps.
      let seconds = Double(Int.random(in: 1...12, using: &random))
      var wheel = SilenceWheel(seconds: seconds)
      var now = Double.random(in: 0...1e6, using: &random)
      var wanted: [ConnectionID: Double] = [:]
      var number = 0
      // Long enough for several turns of the wheel.
      for _ in 0..<600 {
        for _ in 0..<Int.random(in: 0...3, using: &random) {
          let time = now + Double.random(in: 0...seconds, using: &random)
          wheel.add(id(number), at: time, now: now)
          wanted[id(number)] = time
          number += 1
        }
        now += Double.random(in: 0...0.3, using: &random)
        for connection in wheel.due(at: now) {
          let time = wanted.removeValue(forKey: connection)
          #expect(time.map { $0 <= now } == true, "seed \(seed)")
        }
        #expect(wanted.values.allSatisfy { $0 > now - SilenceWheel.step }, "seed \(seed)")
        #expect(wheel.count == wanted.count, "seed \(seed)")
      }
    }
  }

  @Test("a caller that wakes only at the next time misses no check")
  func nextTimes() {
    for seed in UInt64(0)..<100 {
      var random = SplitMix64(seed: seed)
      var wheel = SilenceWheel(seconds: 11)
      let start = Double.random(in: 0...1e6, using: &random)
      var wanted: [ConnectionID: Double] = [:]
      for number in 0..<20 {
        let time = start + Double.random(in: 0...11, using: &random)
        wheel.add(id(number), at: time, now: start)
        wanted[id(number)] = time
      }
      while let next = wheel.nextTime {
        let due = wheel.due(at: next)
        #expect(!due.isEmpty, "seed \(seed)")
        for connection in due {
          let time = wanted.removeValue(forKey: connection) ?? .infinity
          #expect(time <= next && next <= time + SilenceWheel.step, "seed \(seed)")
        }
        guard !due.isEmpty else { break }
      }
      #expect(wanted.isEmpty && wheel.count == 0, "seed \(seed)")
    }
  }

  @Test("a check is not early although the wheel was at rest for long")
  func rest() {
    var wheel = SilenceWheel(seconds: 10)
    wheel.add(id(1), at: 109, now: 100)
    wheel.add(id(2), at: 118, now: 108.5)
    #expect(wheel.nextTime == 109.25)
    #expect(wheel.due(at: 109.25) == [id(1)])
    #expect(wheel.nextTime == 118.25)
    #expect(wheel.due(at: 118).isEmpty)
    #expect(wheel.due(at: 118.25) == [id(2)])
  }

  @Test("a check in the past is due at the next step; one too far ahead, when the wheel ends")
  func farTimes() {
    var wheel = SilenceWheel(seconds: 4)
    wheel.add(id(1), at: -1000, now: 100)
    wheel.add(id(2), at: 1e9, now: 100)
    wheel.add(id(3), at: .infinity, now: 100)
    #expect(wheel.due(at: 100).isEmpty)
    #expect(wheel.due(at: 100.25) == [id(1)])
    #expect(wheel.due(at: 103.75).isEmpty)
    #expect(wheel.due(at: 104.25) == [id(2), id(3)])
    #expect(wheel.nextTime == nil)
  }

  @Test("after a pause longer than the wheel, everything is due, and the wheel goes on")
  func pause() {
    var wheel = SilenceWheel(seconds: 2)
    for number in 0..<8 { wheel.add(id(number), at: 10 + Double(number) / 4, now: 10) }
    #expect(Set(wheel.due(at: 5000)) == Set((0..<8).map(id)))
    #expect(wheel.due(at: 5001).isEmpty)
    wheel.add(id(9), at: 5002, now: 5001)
    #expect(wheel.due(at: 5001.75).isEmpty)
    #expect(wheel.due(at: 5002.25) == [id(9)])
    // An empty wheel does not keep the place that it had.
    wheel.add(id(10), at: 9001, now: 9000)
    #expect(wheel.due(at: 9000.75).isEmpty)
    #expect(wheel.due(at: 9001.25) == [id(10)])
  }
}
