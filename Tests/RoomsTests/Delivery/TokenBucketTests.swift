import TestVectors
import Testing

@testable import Rooms

extension TokenBucket {
  /// How many of a number of tries at one instant succeed.
  fileprivate mutating func taken(of tries: Int, at now: Double) -> Int {
    (0..<tries).filter { _ in take(at: now) }.count
  }
}

@Suite("A token bucket")
struct TokenBucketTests {
  @Test("lets through a burst, and then no more at that instant")
  func burst() {
    var bucket = TokenBucket(rate: 10, burst: 30)
    #expect(bucket.taken(of: 100, at: 5) == 30)
  }

  @Test("fills at its rate, and not beyond its burst")
  func filling() {
    var bucket = TokenBucket(rate: 10, burst: 30)
    #expect(bucket.taken(of: 100, at: 0) == 30)
    #expect(bucket.taken(of: 100, at: 0.5) == 5)
    #expect(bucket.taken(of: 100, at: 1000) == 30)
  }

  @Test("takes all that is asked for or nothing")
  func amounts() {
    var bucket = TokenBucket(rate: 32_000, burst: 64_000)
    let first = bucket.take(60_000, at: 0)
    let second = bucket.take(5_000, at: 0)
    let third = bucket.take(4_000, at: 0)
    #expect([first, second, third] == [true, false, true])
  }

  @Test("gains nothing by a clock that goes back")
  func backwards() {
    var bucket = TokenBucket(rate: 10, burst: 1)
    #expect(bucket.taken(of: 2, at: 10) == 1)
    #expect(bucket.taken(of: 2, at: 0) == 0)
    #expect(bucket.taken(of: 2, at: 10) == 0)
    #expect(bucket.taken(of: 2, at: 10.5) == 1)
  }

  @Test("never lets through more than a burst and the rate, and a steady rate always")
  func bounds() {
    for seed in UInt64(0)..<100 {
      var random = SplitMix64(seed: seed)
      var (greedy, steady) = (TokenBucket(rate: 10, burst: 30), TokenBucket(rate: 10, burst: 30))
      var (now, count) = (0.0, 0)
      for _ in 0..<300 {
        now += Double.random(in: 0...0.3, using: &random)
        count += greedy.taken(of: Int.random(in: 0...9, using: &random), at: now)
        #expect(Double(count) <= 30 + 10 * now + 1e-6, "SEED=\(seed)")
      }
      for step in 0..<300 { #expect(steady.taken(of: 1, at: Double(step) * 0.1001) == 1) }
    }
  }
}
