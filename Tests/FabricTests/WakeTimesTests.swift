import Fabric
import TestVectors
import Testing

@Suite("Wake times")
struct WakeTimesTests {
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
