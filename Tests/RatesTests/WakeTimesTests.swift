import Rates
import TestVectors
import Testing

@Suite("Wake times")
struct WakeTimesTests {
  @Test("keys are taken in the order of their times, until a given one")
  func taken() {
    var queue = WakeTimes<String>()
    let times = (0..<200).map { Double(($0 * 7919) % 211) }
    for time in times { queue["\(time)"] = time }
    var taken: [String] = []
    #expect(queue.next(until: -1) == nil)
    while let key = queue.next(until: 150) { taken.append(key) }
    #expect(taken == times.filter { $0 <= 150 }.sorted().map { "\($0)" })
    #expect((queue.soonest ?? 0) > 150)
  }

  @Test("the soonest and the due keys are those of a plain dictionary, whatever changes")
  func model() {
    for seed in UInt64(0)..<50 {
      var random = SplitMix64(seed: seed)
      var times = WakeTimes<Int>()
      var model: [Int: Double] = [:]
      for _ in 0..<300 {
        let key = Int.random(in: 0..<40, using: &random)
        let time = Double(Int.random(in: 0..<30, using: &random))
        let isSet = Int.random(in: 0..<3, using: &random) > 0
        times[key] = isSet ? time : nil
        model[key] = isSet ? time : nil
        #expect(times.soonest == model.values.min(), "seed \(seed)")
        #expect(times.count == model.count && times[key] == model[key])
        let due = model.filter { $0.value <= time }.keys.sorted()
        #expect(times.due(at: time) == due, "seed \(seed)")
      }
    }
  }

  @Test("nothing is due without times")
  func empty() {
    var times = WakeTimes<Int>()
    #expect(times.soonest == nil && times.due(at: .infinity) == [])
    times[1] = nil
    #expect(times[1] == nil && times.count == 0)
  }
}
