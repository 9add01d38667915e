import Rates
import TestVectors
import Testing

extension TokenBucket {
  /// Returns how many of a number of attempts at one time succeed.
  fileprivate mutating func taken(of tries: Int, at now: Double) -> Int {
    (0..<tries).filter { _ in take(at: now) }.count
  }
}

@Suite("A token bucket")
struct TokenBucketTests {
  @Test("admits a burst, and nothing more at the same time")
  func burst() {
    var bucket = TokenBucket(rate: 10, burst: 30)
    #expect(bucket.taken(of: 100, at: 5) == 30)
  }

  @Test("fills at its rate, and at most to its burst")
  func filling() {
    var bucket = TokenBucket(rate: 10, burst: 30)
    #expect(bucket.taken(of: 100, at: 0) == 30)
    #expect(bucket.taken(of: 100, at: 0.5) == 5)
    #expect(bucket.taken(of: 100, at: 1000) == 30)
  }

  @Test("grants a whole request or nothing")
  func amounts() {
    var bucket = TokenBucket(rate: 32_000, burst: 64_000)
    let first = bucket.take(60_000, at: 0)
    let second = bucket.take(5_000, at: 0)
    let third = bucket.take(4_000, at: 0)
    #expect([first, second, third] == [true, false, true])
  }

  @Test("gains nothing from a clock that runs backwards")
  func backwards() {
    var bucket = TokenBucket(rate: 10, burst: 1)
    #expect(bucket.taken(of: 2, at: 10) == 1)
    #expect(bucket.taken(of: 2, at: 0) == 0)
    #expect(bucket.taken(of: 2, at: 10) == 0)
    #expect(bucket.taken(of: 2, at: 10.5) == 1)
  }

  @Test("never admits more than its burst and rate allow, and always admits a steady rate")
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
